import type { Attribution } from '../detection/attribution.ts';
import { detect } from '../detection/detect.ts';
import type { AgentFacts, Detection } from '../detection/detection.ts';
import type { EntryRef, Finding, LogEntry } from '../detection/finding.ts';
import type { SessionDeclaration } from '../session/session.ts';
import type { Nanos } from '../time.ts';
import type { ScanEntry } from './scan-entry.ts';
import { aheadFrom, leadInFrom, pinsOf, signsOf, toPlaces } from './window-edges.ts';

/** A finding with the entries among which it was found: its evidence is gathered from them. */
export interface ScanFinding {
  readonly finding: Finding;
  readonly around: readonly ScanEntry[];
  /** The failure was told before; these are further signs of it. */
  readonly goesOn: boolean;
  /** Entries that tell of it and were not told before. */
  readonly fresh: number;
}

/** What one pass over the window gave. */
export interface Pass {
  readonly findings: readonly ScanFinding[];
  readonly agents: readonly AgentFacts[];
}

export interface RollingOptions {
  readonly session: SessionDeclaration | null;
  readonly attribute: (entry: LogEntry) => Attribution | undefined;
}

/** How the log of the play goes on after this pass. */
export type Ending =
  | { readonly kind: 'goes-on' }
  /** The logs are known up to `until` and the run may go on behind it: what may still recover is not told. */
  | { readonly kind: 'until'; readonly until: Nanos }
  /** Nothing follows: what has not recovered did not; `pods` is true when the pods have ended with it. */
  | { readonly kind: 'ended'; readonly pods: boolean };

/** Entries that a window holds at most before a pass. */
const WINDOW = 1500;
const MOST_TOLD = 4000;

/**
 * Detection over a log of any length in bounded memory: `detect` runs over windows, each with lines before and after the
 * part whose findings it tells, as the window reads of a live play overlap. A failure that may still recover is carried
 * into the next window with its lines.
 */
export class RollingDetection {
  readonly #options: RollingOptions;
  readonly #starts = new Map<string, Nanos>();
  readonly #pinned = new Set<ScanEntry>();
  readonly #told = new Set<string>();
  #entries: ScanEntry[] = [];
  #context = 0;
  #bytes = 0;

  constructor(options: RollingOptions) {
    this.#options = options;
  }

  /** Characters of the lines that are kept. */
  get size(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#entries.length - this.#context >= WINDOW;
  }

  /** True when nothing has come since the last pass but what was looked ahead at. */
  get hasNews(): boolean {
    return this.#entries.length > this.#context;
  }

  push(entry: ScanEntry, owner: Attribution): void {
    if (!this.#starts.has(owner.pod)) this.#starts.set(owner.pod, entry.ns);
    this.#entries.push(entry);
    this.#bytes += entry.line.length;
  }

  /** Judges what has been read. @param most characters that may be kept for the next pass. */
  pass(ending: Ending, most: number): Pass {
    const entries = this.#entries;
    const end = ending.kind === 'goes-on' ? aheadFrom(entries, this.#context, most) : entries.length;
    const detection = this.#detect(ending);
    const places = toPlaces(entries);
    const isDue = (ref: EntryRef): boolean => {
      const at = places(ref);
      const entry = entries[at];
      return at >= 0 && at < end && (at >= this.#context || (entry !== undefined && this.#pinned.has(entry)));
    };
    const findings = detection.findings.flatMap((finding) => this.#tell(finding, isDue));
    const held = detection.held.map(({ finding }) => finding).filter((finding) => this.#untold(finding).some(isDue));
    this.#keep(end, held, most);
    return { findings: findings.map((found) => ({ ...found, around: entries })), agents: detection.agents };
  }

  /** The finding once its anchor is due, and again with what is a further sign of a failure that was told. */
  #tell(finding: Finding, isDue: (ref: EntryRef) => boolean): Omit<ScanFinding, 'around'>[] {
    const signs = signsOf(finding);
    const fresh = this.#untold(finding);
    const goesOn = fresh.length < signs.length;
    if (goesOn ? !fresh.some(isDue) : !isDue(finding.anchor)) return [];
    for (const ref of fresh) this.#told.add(keyOf(finding, ref));
    while (this.#told.size > MOST_TOLD) this.#told.delete(this.#told.values().next().value ?? '');
    return [{ finding, goesOn, fresh: goesOn ? fresh.length : finding.count }];
  }

  #untold(finding: Finding): readonly EntryRef[] {
    return signsOf(finding).filter((ref) => !this.#told.has(keyOf(finding, ref)));
  }

  #detect(ending: Ending): Detection {
    const { session, attribute } = this.#options;
    const last = this.#entries.reduce((max, { ns }) => (ns > max ? ns : max), 0n);
    const ended = ending.kind === 'ended';
    return detect({
      entries: this.#entries,
      session,
      attribute,
      podStarts: this.#starts,
      until: ending.kind === 'until' ? ending.until : last + 1n,
      ended: { session: ended, pods: new Set(ended && ending.pods ? this.#starts.keys() : []) },
    });
  }

  /** Keeps what the next pass needs: lines of held failures, the lead-in, and what was only looked ahead at. */
  #keep(end: number, held: readonly Finding[], most: number): void {
    const entries = this.#entries;
    const from = leadInFrom(entries, end, most);
    const pins = pinsOf(entries, held, from, most / 4);
    this.#pinned.clear();
    for (const index of pins.hits) this.#pinned.add(entries[index] as ScanEntry);
    const before = [...pins.all].toSorted((a, b) => a - b).map((index) => entries[index] as ScanEntry);
    this.#context = before.length + end - from;
    this.#entries = [...before, ...entries.slice(from)];
    this.#bytes = this.#entries.reduce((sum, { line }) => sum + line.length, 0);
  }
}

/** One entry may be a sign of several failures: a start event lacks a tool and a server. */
const keyOf = ({ fingerprint }: Finding, { hash }: EntryRef): string => `${fingerprint} ${hash}`;
