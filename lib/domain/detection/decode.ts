import { isObject } from './event.ts';
import type { LogEntry } from './finding.ts';

/** Longest text of one entry that is read (Loki's default limit); what lies behind it is left out. */
export const MAX_LINE = 262_144;

/** One message: an entry, or the parts of one that the container runtime has cut (CRI tags `P` and `F`). */
export interface RawMessage {
  readonly text: string;
  /** Indices into the sorted entries; more than one for a message that was cut. */
  readonly entries: readonly number[];
}

const CRI = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) )?([FP]) (?=.|$)/s;
// Control sequences, window titles and other escapes that terminals eat.
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const OTLP = /^Body: Str\((.*)\)$/s;

const stripAnsi = (text: string): string => (text.includes('\u001b') ? text.replaceAll(ANSI, '') : text);

/** A JSON wrapper with the line in `log`, as Docker writes it; other JSON stays what it is. */
function unwrapJson(text: string): string {
  if (!text.startsWith('{"log":"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && typeof parsed['log'] === 'string' ? parsed['log'].trimEnd() : text;
  } catch {
    return text;
  }
}

/** Text of a line without collectors' wrappers and colours; the CRI tag tells whether the message goes on. */
export function decodeLine(line: string): { text: string; isPartial: boolean; isTagged: boolean } {
  const cut = line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
  const tag = CRI.exec(cut.slice(0, 80));
  const untagged = tag === null ? cut : cut.slice(tag[0].length);
  const body = untagged.startsWith('Body: Str(') ? (OTLP.exec(untagged)?.[1] ?? untagged) : untagged;
  return { text: stripAnsi(unwrapJson(body)), isPartial: tag?.[1] === 'P', isTagged: tag !== null };
}

/** Messages of one stream in order; parts that the runtime cut are joined, up to {@link MAX_LINE}. */
export function toMessages(entries: readonly LogEntry[], indices: readonly number[]): RawMessage[] {
  const messages: RawMessage[] = [];
  let open: { text: string; entries: number[] } | null = null;
  for (const index of indices) {
    const decoded = decodeLine(entries[index]?.line ?? '');
    if (open !== null && decoded.isTagged) {
      open.entries.push(index);
      if (open.text.length < MAX_LINE) open.text += decoded.text;
    } else {
      if (open !== null) messages.push(open);
      open = { text: decoded.text, entries: [index] };
    }
    if (!decoded.isPartial) {
      messages.push(open);
      open = null;
    }
  }
  if (open !== null) messages.push(open);
  return messages;
}
