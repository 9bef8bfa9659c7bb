import * as z from 'zod';
import { openAiModel } from '#lib/adapters/openai/openai-model.ts';
import type { CallLimits, Model } from '#lib/app/ports.ts';

/** A model on which the contract is tried. */
export interface ModelPeer {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

const Capital = z.object({
  city: z.string(),
  /** Left out where there is none. */
  note: z.string().optional(),
  kind: z.enum(['city', 'town']),
});

export const aLimit = (remainingMs = 120_000, signal = new AbortController().signal): CallLimits => ({
  signal,
  remainingMs: () => remainingMs,
});

export const aModel = (peer: ModelPeer, change: Partial<ModelPeer> = {}): Model => {
  const { url, key, model } = { ...peer, ...change };
  return openAiModel({
    secrets: { get: async () => key },
    secret: 'openai-key-evaluation',
    baseUrl: url,
    model,
    prices: { inputUsd: 0.75, outputUsd: 4.5 },
    clock: { now: () => Date.now() },
  });
};

/** Asks for the capital of France. */
export const ask = (model: Model, limits: CallLimits = aLimit(), maxOutputTokens = 2_000) =>
  model.ask(
    {
      instructions: 'You answer questions about geography. Leave the note out (null).',
      messages: [{ role: 'user', text: 'Which city is the capital of France?' }],
      answer: { name: 'capital', schema: Capital },
      maxOutputTokens,
    },
    limits,
  );
