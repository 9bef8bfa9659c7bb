import { HealerCallError } from '#lib/client/index.ts';
import { ConfigError } from '#lib/domain/errors.ts';

const POLL_MS = 2_000;

/**
 * Asks until the answer is there. What AWS or the API refuse for good is not asked again.
 * @throws Error of the last asking when it is not in time, or when the signal ends it
 */
export async function until<T>(withinMs: number, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = error instanceof ConfigError || (error instanceof HealerCallError && !error.retryable);
      if (isFinal || signal.aborted) throw error;
      if (performance.now() > deadline) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`not within ${Math.round(withinMs / 1000)} s: ${message}`, { cause: error });
      }
      await pause(signal);
    }
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    signal.addEventListener('abort', end);
  });
