/** Tokens of one call, as the endpoint counted them, or as they are estimated where it did not. */
export interface ModelUsage {
  readonly inputTokens: number;
  /** Includes what a model thinks before it answers. */
  readonly outputTokens: number;
  /** False: the endpoint told no usable figures. */
  readonly isReported: boolean;
}

/** Prices in USD per million tokens. Cached input counts at the full price, so an account is never too low. */
export interface ModelPrices {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** What a call uses up: tokens of both directions, and money in millionths of a USD. Whole numbers. */
export interface Spend {
  readonly tokens: number;
  readonly microUsd: number;
}

/** Whose budget it is; a day is one of UTC. */
export type BudgetScope = 'incident' | 'play' | 'day';

export type BudgetLimits = Readonly<Record<BudgetScope, Spend>>;

export const NOTHING: Spend = { tokens: 0, microUsd: 0 };

/** A dollar per million tokens is a millionth of a dollar per token. Rounded up. */
export const toSpend = (usage: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>, prices: ModelPrices): Spend => ({
  tokens: usage.inputTokens + usage.outputTokens,
  microUsd: Math.ceil(usage.inputTokens * prices.inputUsd + usage.outputTokens * prices.outputUsd),
});

/** Tokens that a chat's frame and the schema's rendering add, as an upper bound per message. */
const FRAME_TOKENS = 64;

/**
 * The most that a call can use: a token is at least one byte of UTF-8 in every byte-level vocabulary, so a text has no
 * more tokens than bytes.
 */
export function mostSpend(
  call: { readonly texts: readonly string[]; readonly maxOutputTokens: number },
  prices: ModelPrices,
): Spend {
  const inputTokens = call.texts.reduce((sum, text) => sum + Buffer.byteLength(text, 'utf8') + FRAME_TOKENS, 0);
  return toSpend({ inputTokens, outputTokens: call.maxOutputTokens }, prices);
}

/** Bytes of a token in text of logs and code, on the low side: 4 is usual for English prose. */
const BYTES_PER_TOKEN = 3;

/** About how many tokens a text has, for deciding what fits. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, 'utf8') / BYTES_PER_TOKEN);
