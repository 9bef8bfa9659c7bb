import { HealerError } from '../errors.ts';
import type { BudgetScope, ModelUsage } from './spend.ts';

/**
 * How an answer of a model can be none. `refused`: it declines; `truncated`: it ran out of output tokens; `filtered`: the
 * endpoint's content filter; `malformed`: not JSON; `mismatched`: JSON of another shape; `huge`: longer than is read.
 */
export type AnswerFault = 'refused' | 'truncated' | 'filtered' | 'malformed' | 'mismatched' | 'huge';

/** Characters of an answer that are kept with its error. */
const MAX_RAW = 4_000;

/** A model answered, and used tokens, but not with what was asked for. The message holds nothing of the answer. */
export class ModelAnswerError extends HealerError {
  override readonly name = 'ModelAnswerError';
  readonly retryable = false;
  readonly fault: AnswerFault;
  readonly usage: ModelUsage;
  // Private, so that a logger that lists an error's properties does not find it.
  readonly #raw: string;

  constructor(fault: AnswerFault, message: string, answer: { readonly raw: string; readonly usage: ModelUsage }) {
    super(message);
    this.fault = fault;
    this.usage = answer.usage;
    this.#raw = answer.raw.slice(0, MAX_RAW);
  }

  /** First characters of what was answered. Hostile text: for tests and for hashing, never for a log. */
  get raw(): string {
    return this.#raw;
  }
}

/** A call was not made because a budget has no room for it. */
export class BudgetError extends HealerError {
  override readonly name = 'BudgetError';
  readonly retryable = false;
  readonly scope: BudgetScope;

  constructor(scope: BudgetScope) {
    super(`The budget of the ${scope} for models has no room for another call.`);
    this.scope = scope;
  }
}
