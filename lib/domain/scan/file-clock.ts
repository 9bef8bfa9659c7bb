import { NANOS_PER_MS, NANOS_PER_SECOND, type Nanos } from '../time.ts';

/** Moments of lines without one lie so far apart in a file that tells no time at all: about the pace of a busy agent. */
const UNTIMED_STEP: Nanos = 100n * NANOS_PER_MS;
/** A JSON event without a time follows the line before it; text without one continues it. */
const EVENT_STEP: Nanos = 1000n;

/** A moment that lies so far back belongs to another log that was put behind the first. */
const OTHER_LOG: Nanos = 3600n * NANOS_PER_SECOND;

/** Gives each line of one file its moment. Within a file time does not run backwards; `isTimed` tells a real moment. */
export class FileClock {
  readonly #last = new Map<string, Nanos>();
  #newest: Nanos | null;
  #untimed: Nanos = 0n;

  /** @param first the first moment that the beginning of the file tells, for lines before it. */
  constructor(first: Nanos | null) {
    this.#newest = first;
  }

  /** @param stream pod and container, each of which keeps its own order. */
  at(stream: string, told: Nanos | null, text: string): { readonly ns: Nanos; readonly isTimed: boolean } {
    if (told === null && this.#newest === null) {
      this.#untimed += UNTIMED_STEP;
      return { ns: this.#untimed, isTimed: false };
    }
    const known = this.#last.get(stream);
    const last = known ?? (told === null ? this.#newest : null) ?? told ?? 0n;
    const follows = told ?? (text.startsWith('{') ? last + EVENT_STEP : last);
    const ns = follows > last || last - follows > OTHER_LOG ? follows : last;
    if (this.#last.size < MOST_STREAMS || known !== undefined) this.#last.set(stream, ns);
    this.#newest = ns;
    return { ns, isTimed: true };
  }
}

const MOST_STREAMS = 10_000;
