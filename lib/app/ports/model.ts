import type * as z from 'zod';
import type { BudgetScope, ModelPrices, ModelUsage, Spend } from '#lib/domain/model/spend.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { CallLimits } from './system.ts';

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ModelRequest<T> {
  /** What Healer asks for; holds no data from outside. */
  readonly instructions: string;
  /** The conversation, from the first message to the one that is to be answered. */
  readonly messages: readonly ModelMessage[];
  /** Shape of the answer: an object; optional properties are asked for as nullable. `name` is letters, digits, `_`, `-`. */
  readonly answer: { readonly name: string; readonly schema: z.ZodType<T> };
  /** Tokens that the answer, and what is thought before it, may take. */
  readonly maxOutputTokens: number;
}

export interface ModelAnswer<T> {
  readonly value: T;
  /** The answer as it came, for hashing and for the conversation that goes on. */
  readonly text: string;
  readonly usage: ModelUsage;
  /** The model that answered, as the endpoint names it. */
  readonly model: string;
}

/**
 * A language model. An answer that is no answer (refused, cut off, filtered, not JSON, not of the schema, too long) is a
 * ModelAnswerError with raw text and usage; an endpoint that does not answer is a SourceError of source `openai`, whose
 * `status` is set when it answered with an error, and then nothing was used.
 */
export interface Model {
  readonly name: string;
  readonly prices: ModelPrices;
  ask<T>(request: ModelRequest<T>, limits: CallLimits): Promise<ModelAnswer<T>>;
}

/** What one call may use at most, held for it before it is made. */
export interface Reservation {
  /** Unique; reserving or settling it twice does it once. */
  readonly id: string;
  readonly incident: string;
  readonly play: string;
  readonly at: Millis;
  readonly most: Spend;
}

/** What models may use per incident, per play and per day (UTC), in tokens and money. */
export interface BudgetStore {
  /** Holds `most` in all three budgets or in none; a budget without that much room refuses. */
  reserve(reservation: Reservation): Promise<{ granted: true } | { granted: false; scope: BudgetScope }>;
  /**
   * Puts what was really used in the place of what was held. Returns the share of the day's budget that is used then, 1 for
   * all of it; undefined when the reservation had been settled before.
   */
  settle(reservation: Reservation, used: Spend): Promise<number | undefined>;
}
