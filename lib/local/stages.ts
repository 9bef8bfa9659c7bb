/** A stage that failed. */
class StageError extends Error {
  override readonly name = 'StageError';

  constructor(stage: string, cause: unknown) {
    super(`${stage}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Does the work and prints its name with the time it took. @throws StageError naming it when it fails */
export async function timed<T>(name: string, work: () => Promise<T>, detailOf?: (result: T) => string | undefined) {
  const start = performance.now();
  try {
    const result = await work();
    const detail = detailOf?.(result);
    console.log(`${seconds(start)}  ${name}${detail === undefined ? '' : `: ${detail}`}`);
    return result;
  } catch (error) {
    throw new StageError(name, error);
  }
}

const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(2)} s`.padStart(9);
