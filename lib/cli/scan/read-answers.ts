import { parsePage } from '#lib/adapters/loki/answer.ts';
import { LokiRefusal } from '#lib/adapters/loki/refusal.ts';
import { podOf } from '#lib/domain/detection/attribution.ts';
import { isObject } from '#lib/domain/detection/event.ts';
import { InputError } from '#lib/domain/errors.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';

/** As much as Healer reads of one answer of Loki. */
const MAX_ANSWER = 32 * 1024 * 1024;

/**
 * Entries of stored answers of `GET /loki/api/v1/query_range`: one or several JSON documents, with or without line breaks.
 * Each answer is put into the order of time, since Loki may give the newest first and tells streams one by one.
 */
export async function* readAnswers(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly ScanEntry[]> {
  let number = 0;
  for await (const { bytes, line } of splitDocuments(name, chunks)) {
    number += 1;
    yield toEntries(name, { text: bytes.toString('utf8'), size: bytes.length, line, number });
  }
}

interface Answer {
  readonly text: string;
  readonly size: number;
  readonly line: number;
  readonly number: number;
}

function toEntries(name: string, answer: Answer): readonly ScanEntry[] {
  const place = `${name}, line ${answer.line} (answer ${answer.number})`;
  try {
    const body: unknown = JSON.parse(answer.text);
    if (!isObject(body))
      throw new InputError(`${place} is not a JSON object; expected an answer of Loki's query_range.`);
    const { entries } = parsePage({ body, bytes: answer.size });
    return entries
      .map(({ entry }) => ({ ...entry, isTimed: true, ...(podOf(entry) === undefined && { isNameless: true }) }))
      .toSorted((a, b) => (a.ns < b.ns ? -1 : Number(a.ns > b.ns)));
  } catch (error) {
    const isMalformed = error instanceof SyntaxError || error instanceof LokiRefusal;
    if (!isMalformed) throw error;
    throw new InputError(
      `${place} is not a sound answer; expected {"status":"success","data":{"resultType":"streams","result":[…]}}.`,
    );
  }
}

interface Document {
  readonly bytes: Buffer;
  readonly line: number;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/** Cuts a text into its top-level JSON objects by their braces. */
async function* splitDocuments(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Document> {
  let parts: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let line = 1;
  let begins = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === NEWLINE) line += 1;
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN) {
        if (depth === 0) {
          from = at;
          begins = line;
        }
        depth += 1;
      } else if (byte === CLOSE && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        yield { bytes: Buffer.concat([...parts, chunk.subarray(from, at + 1)]), line: begins };
        parts = [];
        size = 0;
        from = at + 1;
      }
    }
    if (depth === 0) continue;
    parts.push(Buffer.from(chunk.subarray(from)));
    size += chunk.length - from;
    if (size > MAX_ANSWER)
      throw new InputError(`${name}, line ${begins}: an answer has more than 32 MB; ask Loki with a smaller limit.`);
  }
  if (depth > 0)
    throw new InputError(`${name}, line ${begins}: the answer ends in the middle; expected its closing brace.`);
}
