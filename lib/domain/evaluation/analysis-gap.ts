import type { HealerError } from '../errors.ts';
import type { AnswerFault } from '../model/model-errors.ts';
import { BudgetError, ModelAnswerError } from '../model/model-errors.ts';

export const UNPROVED_GAP =
  'A model was asked as well; nothing that it said is proved by the evidence, so it was left out.';

const ANSWERS: Readonly<Record<AnswerFault, string>> = {
  refused: 'it declined to answer',
  truncated: 'its answer was cut off',
  filtered: 'a content filter stopped its answer',
  malformed: 'its answer could not be read',
  mismatched: 'its answer did not have the shape that was asked for',
  huge: 'its answer was too long to read',
};

const SCOPES = { incident: 'this incident', play: 'this play', day: 'the day' } as const;

/** Why the issue holds no model's analysis, as a sentence for its readers; operators find more in the log. */
export function toAnalysisGap(error: HealerError | undefined): string {
  if (error instanceof BudgetError) return `No model was asked: the budget of ${SCOPES[error.scope]} is used up.`;
  const reason = error instanceof ModelAnswerError ? ANSWERS[error.fault] : 'it could not be asked';
  return `A model was to be asked as well, but ${reason}; this diagnosis is by fixed rules alone.`;
}
