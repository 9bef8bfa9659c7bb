import { toWindow, type Window } from '#lib/domain/time.ts';
import type { LogRead, LogSource } from './ports.ts';

/**
 * Reads a range of any length, each read beginning where the last one proved to end: nothing is lost and nothing is read
 * twice. @throws SourceError when a read proves nothing, and the signal's reason when it is aborted.
 */
export async function* pullWindows(
  logs: LogSource,
  selector: string,
  range: Window,
  signal: AbortSignal,
): AsyncGenerator<LogRead> {
  let at = range.since;
  while (at < range.until) {
    signal.throwIfAborted();
    const read = await logs.read({ selector, window: toWindow(at, range.until) });
    yield read;
    at = read.proven.until;
  }
}
