import * as z from 'zod';
import type { ModelAnswer, ModelRequest } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { ModelAnswerError } from '#lib/domain/model/model-errors.ts';
import { estimateTokens, type ModelUsage } from '#lib/domain/model/spend.ts';
import { dropAbsent } from './strict-schema.ts';

const Count = z.int().nonnegative().max(100_000_000);

/** A chat completion, as far as it is read; compatible endpoints leave out much of the rest. */
const Completion = z.object({
  model: z.string().optional(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

const Usage = z.object({ prompt_tokens: Count, completion_tokens: Count });

/**
 * What the model answered, checked against the schema.
 * @throws ModelAnswerError for an answer that is none; SourceError when it is no chat completion at all.
 */
export function readAnswer<T>(request: ModelRequest<T>, body: unknown): ModelAnswer<T> {
  const parsed = Completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) throw notACompletion();
  const text = choice.message.content ?? '';
  const usage = toUsage(parsed.data.usage, request, text);
  const refuse = (fault: ModelAnswerError['fault'], message: string): ModelAnswerError =>
    new ModelAnswerError(fault, message, { raw: text === '' ? (choice.message.refusal ?? '') : text, usage });
  if (choice.message.refusal) throw refuse('refused', 'The model declined to answer.');
  if (choice.finish_reason === 'content_filter') throw refuse('filtered', 'A content filter stopped the answer.');
  if (choice.finish_reason === 'length') throw refuse('truncated', 'The answer was cut off at its limit of tokens.');
  const json = parseJson(text);
  if (json === undefined) throw refuse('malformed', 'The answer is not JSON.');
  const value = request.answer.schema.safeParse(dropAbsent(request.answer.schema, json.value));
  if (!value.success) throw refuse('mismatched', `The answer does not have the shape of ${request.answer.name}.`);
  return { value: value.data, text, usage, model: parsed.data.model ?? '' };
}

/** Figures that no call can have are no figures: then the account holds an estimate, on the high side. */
function toUsage(reported: unknown, request: ModelRequest<unknown>, text: string): ModelUsage {
  const usage = Usage.safeParse(reported);
  if (usage.success && usage.data.prompt_tokens > 0) {
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage.data;
    return { inputTokens, outputTokens, isReported: true };
  }
  const asked = [request.instructions, ...request.messages.map((message) => message.text)].join('\n');
  const outputTokens = Math.max(estimateTokens(text), request.maxOutputTokens);
  return { inputTokens: estimateTokens(asked), outputTokens, isReported: false };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export const notACompletion = (): SourceError =>
  new SourceError({
    source: 'openai',
    message: 'The endpoint answered with something other than a chat completion.',
    retryable: false,
    advice: 'Check OPENAI_BASE_URL: it must end where /chat/completions follows, e.g. https://api.openai.com/v1.',
  });
