import { HealerError, SourceError } from '#lib/domain/errors.ts';

/** `unknown`: it could not be asked, or it is too early to say. */
export type FindingState = 'ok' | 'wrong' | 'unknown';

/** One line of `healer doctor`. */
export interface Finding {
  /** What was looked at, one or two words. */
  readonly check: string;
  readonly state: FindingState;
  /** What was seen. */
  readonly seen: string;
  /** What to do, or could be done where all is well; null when nothing is. */
  readonly advice: string | null;
}

export const ok = (check: string, seen: string): Finding => ({ check, state: 'ok', seen, advice: null });
/** Well as it is, and something that a stage can do without is not there. */
export const hint = (check: string, seen: string, advice: string): Finding => ({ check, state: 'ok', seen, advice });
export const wrong = (check: string, seen: string, advice: string): Finding => ({
  check,
  state: 'wrong',
  seen,
  advice,
});
export const unknown = (check: string, seen: string, advice: string): Finding => ({
  check,
  state: 'unknown',
  seen,
  advice,
});

/** Thrown by a check that meets what is wrong on its way to what it looks for. */
export class FoundWrong extends HealerError {
  override readonly name = 'FoundWrong';
  readonly retryable = false;
  readonly advice: string;

  constructor(seen: string, advice: string) {
    super(seen);
    this.advice = advice;
  }
}

/** A check that could not be made is a finding of its own, so that the others are told all the same. */
export async function attempt(check: string, work: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HealerError)) throw error;
    if (error instanceof FoundWrong) return [wrong(check, error.message, error.advice)];
    const advice =
      error instanceof SourceError
        ? error.advice
        : 'Mend that and ask again; docs/operate.md#doctor names the policies with all the rights that this takes.';
    return [unknown(check, error.message, advice)];
  }
}

/** 0: all is well; 1: something is wrong; 2: nothing is known to be wrong, but not all could be said. */
export function toExitCode(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ state }) => state === 'wrong')) return 1;
  return findings.some(({ state }) => state === 'unknown') ? 2 : 0;
}

const WORDS: Readonly<Record<FindingState, string>> = { ok: 'ok', wrong: 'WRONG', unknown: 'unknown' };
const INDENT = ' '.repeat(25);

/** A line a finding, and under it what to do. */
export const toDoctorLines = (findings: readonly Finding[]): string =>
  findings
    .flatMap(({ check, state, seen, advice }) => [
      `${WORDS[state].padEnd(8)} ${check.padEnd(15)} ${seen}`,
      ...(advice === null ? [] : [`${INDENT}${advice}`]),
    ])
    .join('\n');
