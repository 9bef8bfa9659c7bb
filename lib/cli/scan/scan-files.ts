import { stat } from 'node:fs/promises';
import { systemClock } from '#lib/adapters/system/clock.ts';
import type { Scan } from '#lib/app/scan-logs.ts';
import { InputError } from '#lib/domain/errors.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';
import type { CliIo } from '../command.ts';
import { mergeLogs } from './merge-logs.ts';
import type { ScanCall } from './options.ts';
import { Progress } from './progress.ts';
import { nameOf, readLog } from './read-log.ts';
import { count } from './style.ts';

/** Files that are open at once; more are read in groups of so many. */
const TOGETHER = 64;

/** What was read besides the entries. */
export interface FilesRead {
  readonly bytes: number;
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}

/** Feeds the files to the scan, those of a group in the order of time. A file that fails leaves the others as they are. */
export async function scanFiles(scan: Scan, call: ScanCall, io: CliIo): Promise<FilesRead> {
  const notes: string[] = [];
  const faults: string[] = [];
  const progress = new Progress(io.stderr, () => systemClock.now());
  const total = io.stderr.isTTY === true ? await sizeOf(call.files) : 0;
  let bytes = 0;
  let lines = 0;
  const open = (path: string) =>
    guarded(
      readLog({
        path,
        stdin: io.stdin,
        format: call.format,
        onBytes: (more) => (bytes += more),
        onNote: (note) => notes.push(note),
      }),
      faults,
      io.signal,
    );
  // What waits for input that may never come ends with Ctrl-C, so that what is known is printed.
  io.signal.addEventListener('abort', () => io.stdin.destroy(), { once: true });
  for (let at = 0; at < call.files.length && !io.signal.aborted; at += TOGETHER) {
    const group = call.files.slice(at, at + TOGETHER);
    for await (const entries of mergeLogs(group.map(open))) {
      await scan.add(within(entries, call, group));
      lines += entries.length;
      progress.show(() => toProgress({ bytes, total, lines, incidents: scan.incidents }));
      if (io.signal.aborted) break;
    }
  }
  progress.clear();
  if (io.signal.aborted) faults.push('Stopped by Ctrl-C: only a part was read.');
  return { bytes, notes, faults };
}

/** The entries of a log until it fails; the fault is kept. */
async function* guarded(
  log: AsyncIterable<readonly ScanEntry[]>,
  faults: string[],
  signal: AbortSignal,
): AsyncGenerator<readonly ScanEntry[]> {
  try {
    yield* log;
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof InputError)) throw error;
    faults.push(error.message);
  }
}

/** @throws InputError when moments are asked for and the lines tell none. */
function within(entries: readonly ScanEntry[], { since, until }: ScanCall, files: readonly string[]) {
  if (since === null && until === null) return entries;
  const untimed = entries.find((entry) => !entry.isTimed);
  if (untimed !== undefined) {
    const name = untimed.origin?.file ?? nameOf(files[0] ?? '-');
    throw new InputError(`${name} tells no times, so --since and --until cannot be applied; leave them out.`);
  }
  return entries.filter(({ ns }) => (since === null || ns >= since) && (until === null || ns < until));
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = files.map(async (path) =>
    path === '-' ? Number.NaN : ((await stat(path).catch(() => null))?.size ?? 0),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

interface Reached {
  readonly bytes: number;
  readonly total: number;
  readonly lines: number;
  readonly incidents: number;
}

function toProgress({ bytes, total, lines, incidents }: Reached): string {
  const share = total > 0 ? ` of ${megabytes(total)} (${Math.floor((100 * bytes) / total)} %)` : '';
  return `${megabytes(bytes)}${share}, ${count(lines, 'line')}, ${count(incidents, 'incident')}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
