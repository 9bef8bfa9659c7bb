import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from '#lib/domain/errors.ts';

/** The beginning of an input by which its format is told. */
const HEAD = 64 * 1024;
const CHUNK = 64 * 1024;

/** The content of one input, decompressed, in parts that last until the next one is asked for. */
export interface OpenInput {
  /** Up to 64 KB of the beginning. */
  readonly head: Buffer;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Told of bytes as they are read from disk, before decompression. */
export type OnBytes = (bytes: number) => void;

/**
 * Opens a file, or stdin for `-`; gzip is told by its first bytes.
 * @throws InputError, also while reading, that says what is wrong with the input and what would be right.
 */
export async function openInput(name: string, path: string, stdin: Readable, onBytes: OnBytes): Promise<OpenInput> {
  const source = path === '-' ? stdin : readParts(await opened(name, path));
  const raw = await peek(counted(source, onBytes), name, 2);
  const isGzip = raw.head[0] === 0x1f && raw.head[1] === 0x8b;
  const input = await peek(isGzip ? gunzip(raw.chunks) : raw.chunks, name, HEAD);
  if (input.head.length === 0) throw new InputError(`${name} is empty; expected at least one line of a log.`);
  assertText(name, input.head);
  return input;
}

async function opened(name: string, path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (error) {
    throw toInputError(name, error);
  }
  throw new InputError(`${name} is a directory; name the files in it, such as ${name.replace(/\/$/, '')}/*.log.`);
}

/** Every part is read into the same memory: a part is gone when the next one is asked for. */
async function* readParts(file: FileHandle): AsyncGenerator<Buffer> {
  const memory = Buffer.allocUnsafeSlow(CHUNK);
  try {
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, CHUNK);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A stream that was destroyed (Ctrl-C) has ended: what came until then is read. */
async function* counted(source: AsyncIterable<unknown>, onBytes: OnBytes): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      onBytes(bytes.length);
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}

function gunzip(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const unzip = createGunzip({ chunkSize: CHUNK });
  const packed = Readable.from(copies(chunks));
  packed.on('error', (error) => unzip.destroy(error));
  return packed.pipe(unzip);
}

async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Reads ahead until the head is there; what was read comes again from `chunks`. */
async function peek(source: AsyncIterable<Buffer>, name: string, wanted: number): Promise<OpenInput> {
  const iterator = source[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let size = 0;
  let isDone = false;
  while (size < wanted && !isDone) {
    const next = await named(name, iterator.next());
    isDone = next.done === true;
    if (next.done === true) continue;
    parts.push(Buffer.from(next.value));
    size += next.value.length;
  }
  return {
    head: Buffer.concat(parts).subarray(0, Math.max(wanted, HEAD)),
    chunks: again(parts, iterator, isDone, name),
  };
}

async function* again(
  parts: Buffer[],
  iterator: AsyncIterator<Buffer>,
  isDone: boolean,
  name: string,
): AsyncGenerator<Buffer> {
  yield* parts.splice(0);
  if (isDone) return;
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } catch (error) {
    throw toInputError(name, error);
  } finally {
    await iterator.return?.();
  }
}

async function named<T>(name: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toInputError(name, error);
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; give the path of a log file, or - for standard input',
  EACCES: 'cannot be read: permission denied; make it readable for this user',
  EPERM: 'cannot be read: the system does not permit it',
  EISDIR: 'is a directory; name the files in it',
  EIO: 'cannot be read: the system answers with an input/output error; copy the file from where it is sound',
  Z_BUF_ERROR: 'ends in the middle of its gzip data; copy the file again, it is truncated',
  Z_DATA_ERROR: 'is not sound gzip data; copy the file again, or unpack it with gzip -d',
};

function toInputError(name: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  const code = String((error as { code?: unknown }).code);
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return new InputError(`${name} ${sentence ?? `cannot be read (${code})`}.`);
}

/** @throws InputError for what no text file holds. */
function assertText(name: string, head: Buffer): void {
  const start = head.subarray(0, 8192);
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) {
    throw new InputError(`${name} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 ${name}.`);
  }
  if (!start.includes(0)) return;
  throw new InputError(`${name} is a binary file; expected text (UTF-8), or text in gzip.`);
}
