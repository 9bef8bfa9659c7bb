import type { LocalStack } from './stack.ts';

/** One thing that a run shows: it does something with the running stack and checks the answer. */
export interface Stage {
  readonly name: string;
  /** Returns a detail for the line that is printed. @throws Error saying what was wrong with the answer */
  run(stack: LocalStack): Promise<string | undefined>;
}

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

/** Runs the stages one after the other. @throws StageError of the first that fails */
export async function runStages(stages: readonly Stage[], stack: LocalStack): Promise<void> {
  for (const stage of stages) {
    await timed(
      stage.name,
      () => stage.run(stack),
      (detail) => detail,
    );
  }
}

const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(2)} s`.padStart(9);
