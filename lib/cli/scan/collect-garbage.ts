import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above this the collector is asked to work: V8 by itself lets garbage grow with the memory of the machine. */
const HIGH_BYTES = 150_000_000;
/** Bytes of input between two requests, so that a scan that needs its memory is not slowed down. */
const BETWEEN_BYTES = 1_500_000;

/** Keeps a long scan within its memory. Returns a function to be told of the bytes read so far. */
export function memoryKeeper(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  let last = 0;
  return (bytes) => {
    if (typeof collect !== 'function' || bytes - last < BETWEEN_BYTES) return;
    last = bytes;
    if (process.memoryUsage.rss() > HIGH_BYTES) collect();
  };
}
