import type { Nanos } from '../time.ts';
import type { Attribution } from './attribution.ts';
import { toMessages } from './decode.ts';
import type { DetectInput } from './detection.ts';
import type { Fact, LogEvent } from './event.ts';
import type { LogEntry } from './finding.ts';
import { readEvents } from './readers/read-events.ts';
import type { StreamState } from './readers/reader.ts';
import { newState } from './readers/reader.ts';

/** One message of the play with what it means. */
export interface Message {
  /** Position in the play, by time. */
  readonly order: number;
  readonly ns: Nanos;
  readonly owner: Attribution;
  /** `pod/container`. */
  readonly stream: string;
  /** Indices into the sorted entries. */
  readonly entries: readonly number[];
  readonly text: string;
  readonly events: readonly LogEvent[];
}

/** A fact with its place. */
export interface PlacedFact {
  readonly fact: Fact;
  readonly message: Message;
}

/** The play as it is read: entries in order of time, messages, and the facts of each pod. */
export interface Timeline {
  readonly entries: readonly LogEntry[];
  readonly messages: readonly Message[];
  readonly factsByPod: ReadonlyMap<string, readonly PlacedFact[]>;
  readonly podStarts: ReadonlyMap<string, Nanos>;
  readonly lastByPod: ReadonlyMap<string, Message>;
  /** Reader of each pod's main stream. */
  readonly cliByPod: ReadonlyMap<string, string>;
}

const byTime = (a: LogEntry, b: LogEntry): number => (a.ns < b.ns ? -1 : Number(a.ns > b.ns));

/** Entries of one container of one pod, by their index. */
interface Stream {
  readonly owner: Attribution;
  readonly indices: number[];
}

function toStreams(entries: readonly LogEntry[], input: DetectInput): ReadonlyMap<string, Stream> {
  const streams = new Map<string, Stream>();
  entries.forEach((entry, index) => {
    const owner = input.attribute(entry);
    if (owner === undefined) return;
    const key = `${owner.pod}/${owner.container ?? ''}`;
    const stream = streams.get(key);
    if (stream === undefined) streams.set(key, { owner, indices: [index] });
    else stream.indices.push(index);
  });
  return streams;
}

function readStream(
  entries: readonly LogEntry[],
  key: string,
  stream: Stream,
  state: StreamState,
): Omit<Message, 'order'>[] {
  return toMessages(entries, stream.indices).map((raw) => ({
    ns: entries[raw.entries[0] ?? 0]?.ns ?? 0n,
    owner: stream.owner,
    stream: key,
    entries: raw.entries,
    text: raw.text,
    events: readEvents(raw.text, state),
  }));
}

function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const list = groups.get(key(item));
    if (list === undefined) groups.set(key(item), [item]);
    else list.push(item);
  }
  return groups;
}

/** Facts by pod; what Kubernetes says of a pod belongs to that pod. */
function placeFacts(messages: readonly Message[]): ReadonlyMap<string, readonly PlacedFact[]> {
  const facts = messages.flatMap((message) =>
    message.events.flatMap((event) => event.facts.map((fact) => ({ fact, message }))),
  );
  return group(facts, ({ fact, message }) =>
    fact.kind === 'healthy' ? (toObjectPod(fact.object) ?? message.owner.pod) : message.owner.pod,
  );
}

/** `Pod/name` names a pod; other objects do not. */
export const toObjectPod = (object: string | undefined): string | null =>
  object !== undefined && /^pod\//i.test(object) ? object.slice(4) : null;

function toPodStarts(messages: readonly Message[], known: ReadonlyMap<string, Nanos>): Map<string, Nanos> {
  const starts = new Map(known);
  for (const message of messages) if (!starts.has(message.owner.pod)) starts.set(message.owner.pod, message.ns);
  return starts;
}

/** Sorts, decodes and reads all entries of the input. */
export function toTimeline(input: DetectInput): Timeline {
  const entries = input.entries.toSorted(byTime);
  const clis = new Map<string, string>();
  const read = [...toStreams(entries, input)].flatMap(([key, stream]) => {
    const state = newState();
    const messages = readStream(entries, key, stream, state);
    if (state.cli !== null) clis.set(stream.owner.pod, state.cli);
    return messages;
  });
  const messages = read
    .toSorted((a, b) => (a.entries[0] ?? 0) - (b.entries[0] ?? 0))
    .map((message, order) => ({ ...message, order }));
  return {
    entries,
    messages,
    factsByPod: placeFacts(messages),
    podStarts: toPodStarts(messages, input.podStarts),
    lastByPod: new Map(messages.map((message) => [message.owner.pod, message])),
    cliByPod: clis,
  };
}
