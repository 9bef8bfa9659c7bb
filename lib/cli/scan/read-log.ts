import type { Readable } from 'node:stream';
import { InputError } from '#lib/domain/errors.ts';
import { FileClock } from '#lib/domain/scan/file-clock.ts';
import { type Format, isCases, sniffFormat } from '#lib/domain/scan/formats.ts';
import { lineTime } from '#lib/domain/scan/line-time.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';
import { LINE_SHAPES, toPlain, unwrapLine } from '#lib/domain/scan/unwrap-line.ts';
import { readAnswers } from './read-answers.ts';
import { type OnBytes, openInput } from './read-input.ts';
import { type RawLine, splitLines } from './split-lines.ts';

/** What is read, and how. */
export interface LogInput {
  readonly path: string;
  readonly stdin: Readable;
  /** Null: told by the content. */
  readonly format: Format | null;
  readonly onBytes: OnBytes;
  /** Told of what could be read only in part, each a sentence; a kind of remark is told once a file. */
  readonly onNote: (note: string) => void;
}

export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/**
 * Entries of one file in its order, in lists as they are read.
 * @throws InputError when the file cannot be read, or a line does not have the format that was insisted on.
 */
export async function* readLog(input: LogInput): AsyncGenerator<readonly ScanEntry[]> {
  const name = nameOf(input.path);
  const { head, chunks } = await openInput(name, input.path, input.stdin, input.onBytes);
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (input.format === null && isCases(text)) {
    throw new InputError(`${name} holds labelled cases; read it with --cases ${input.path}.`);
  }
  const format = input.format ?? sniffFormat(text);
  if (format === 'loki') {
    yield* readAnswers(name, chunks);
    return;
  }
  const reader = new LineReader(input, name, format, firstMoment(format, text));
  for await (const lines of splitLines(chunks)) yield lines.map((line) => reader.read(line));
}

/** The first moment that the beginning tells; lines before it happened then. */
function firstMoment(format: Exclude<Format, 'loki'>, head: string): bigint | null {
  for (const line of head.split('\n').slice(0, -1)) {
    const ns = unwrapLine(format, line)?.ns ?? lineTime(line);
    if (ns !== null) return ns;
  }
  return null;
}

/** Name of a file that stands for its pod: `rex` of `logs/rex.log.gz`. */
const toPodName = (path: string): string =>
  path === '-'
    ? 'stdin'
    : (path.split(/[/\\]/).at(-1) ?? path).replace(/(?:\.(?:log|txt|jsonl?|gz|out))+$/i, '') || path;

type Labels = Readonly<Record<string, string>>;

class LineReader {
  readonly #clock: FileClock;
  readonly #labels = new Map<string, Labels>();
  readonly #noted = new Set<string>();
  readonly #input: LogInput;
  readonly #name: string;
  readonly #format: Exclude<Format, 'loki'>;
  readonly #pod: string;

  constructor(input: LogInput, name: string, format: Exclude<Format, 'loki'>, first: bigint | null) {
    this.#input = input;
    this.#name = name;
    this.#format = format;
    this.#pod = toPodName(input.path);
    this.#clock = new FileClock(first);
  }

  read(line: RawLine): ScanEntry {
    this.#inspect(line);
    const told = unwrapLine(this.#format, line.text) ?? this.#unwrapped(line);
    const pod = told.pod ?? told.labels?.['pod'] ?? null;
    const labels = this.#labelsOf(pod ?? this.#pod, told.container, told.labels);
    const { ns, isTimed } = this.#clock.at(`${labels['pod']}/${labels['container'] ?? ''}`, told.ns, told.text);
    const entry = { ns, isTimed, line: told.text, labels, origin: { file: this.#name, line: line.number } };
    return pod === null ? { ...entry, isNameless: true } : entry;
  }

  /** A line without the wrapping of its file: a part of the message before it, unless the format was insisted on. */
  #unwrapped(line: RawLine) {
    if (this.#input.format !== null && line.text.trim() !== '') {
      throw new InputError(
        `${this.#name}, line ${line.number} is not in the format ${this.#format}; expected ${LINE_SHAPES[this.#format as 'plain']}.`,
      );
    }
    if (this.#format === 'jsonl' && line.text.trim() !== '')
      this.#note(`line ${line.number} is not one of its JSON lines; such lines are read as plain text`, 'shape');
    return toPlain(line.text);
  }

  #inspect({ number, bytes, isCut, isBroken }: RawLine): void {
    if (isCut)
      this.#note(`line ${number} has ${(bytes / 1e6).toFixed(1)} MB; only the beginning of such lines is read`, 'long');
    if (isBroken) this.#note(`line ${number} is not valid UTF-8; such bytes are read as \ufffd`, 'utf8');
  }

  #note(sentence: string, kind: string): void {
    if (this.#noted.has(kind)) return;
    this.#noted.add(kind);
    this.#input.onNote(`${this.#name}: ${sentence}.`);
  }

  /** One object for each pod and container, by which later stages recognise the stream. */
  #labelsOf(pod: string, container: string | null, more: Labels | null): Labels {
    const key = `${pod}\n${container ?? ''}\n${more === null ? '' : JSON.stringify(more)}`;
    const known = this.#labels.get(key);
    if (known !== undefined) return known;
    const labels = { ...more, pod, ...(container === null ? {} : { container }) };
    if (this.#labels.size < MOST_STREAMS) this.#labels.set(key, labels);
    return labels;
  }
}

const MOST_STREAMS = 10_000;
