import { isUtf8 } from 'node:buffer';
import { MAX_LINE } from '#lib/domain/detection/decode.ts';

/** Bytes of a line that are kept: no character has more than four. */
const MAX_BYTES = 4 * MAX_LINE;

export interface RawLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** Bytes of the whole line. */
  readonly bytes: number;
  /** The line is longer than what is kept of it. */
  readonly isCut: boolean;
  /** Bytes that are no UTF-8 were replaced by U+FFFD. */
  readonly isBroken: boolean;
}

/** Lines of a text, one list for each chunk. Of a very long line only the beginning is ever held in memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly RawLine[]> {
  const open = new OpenLine();
  for await (const chunk of chunks) {
    const lines: RawLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      lines.push(open.close(chunk.subarray(from, at)));
      from = at + 1;
    }
    open.add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (open.bytes > 0) yield [open.close(Buffer.alloc(0))];
}

/** Lines of a text of which each has to be whole, however long. */
export async function* splitWhole(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8');
      parts = [];
      from = at + 1;
    }
    parts.push(Buffer.from(chunk.subarray(from)));
  }
  const rest = Buffer.concat(parts).toString('utf8');
  if (rest !== '') yield rest;
}

/** The line that is being read. */
class OpenLine {
  #parts: Buffer[] = [];
  #kept = 0;
  bytes = 0;
  #number = 0;

  add(part: Buffer): void {
    this.bytes += part.length;
    const room = MAX_BYTES - this.#kept;
    if (part.length === 0 || room <= 0) return;
    // A copy, so that a part of a line does not keep its whole chunk in memory.
    this.#parts.push(Buffer.from(part.subarray(0, room)));
    this.#kept += Math.min(room, part.length);
  }

  close(end: Buffer): RawLine {
    this.#number += 1;
    const isWhole = this.#parts.length === 0 && end.length <= MAX_BYTES;
    if (!isWhole) this.add(end);
    const content = isWhole ? end : Buffer.concat(this.#parts);
    const bytes = isWhole ? end.length : this.bytes;
    const isCut = bytes > content.length;
    this.#parts = [];
    this.#kept = 0;
    this.bytes = 0;
    const line = content.at(-1) === 13 ? content.subarray(0, -1) : content;
    const whole = line.toString('utf8').replace(this.#number === 1 ? /^\ufeff/ : '', '');
    const text = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
    const isBroken = !isUtf8(line) && !(isCut && isUtf8(withoutHalf(line)));
    return { text, number: this.#number, bytes, isCut: isCut || text.length < whole.length, isBroken };
  }
}

/** Without the last bytes, which a cut may have taken out of a character. */
const withoutHalf = (line: Buffer): Buffer => {
  let end = line.length;
  while (end > 0 && end > line.length - 4 && ((line[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return line.subarray(0, Math.max(0, end - 1));
};
