import type { CallLimits, Clock, Model, ModelAnswer, ModelRequest, Secrets } from '#lib/app/ports.ts';
import { ModelAnswerError } from '#lib/domain/model/model-errors.ts';
import { estimateTokens, type ModelPrices } from '#lib/domain/model/spend.ts';
import { boundedFetch, HugeBodyError } from './bounded-fetch.ts';
import { toEndpointError, toLateError, toNoTimeError, toUnreachableError } from './model-fault.ts';
import { notACompletion, readAnswer } from './read-answer.ts';
import { toStrictSchema } from './strict-schema.ts';

export interface OpenAiDeps {
  readonly secrets: Secrets;
  /** Name of the secret that holds the key, e.g. `openai-key-evaluation`. */
  readonly secret: string;
  /** e.g. `https://api.openai.com/v1`, or any endpoint that serves chat completions alike. */
  readonly baseUrl: string;
  readonly model: string;
  readonly prices: ModelPrices;
  readonly clock: Clock;
}

/** What a use case needs after the call, to store and publish. */
const RESERVE_MS = 15_000;
/** No answer takes longer; one that does is a hang. */
const LONGEST_MS = 150_000;
/** With less time than this a call cannot end well, and is not begun. */
const SHORTEST_MS = 2_000;
/** A call that the endpoint refused for the moment is repeated within the invocation when there is time for it. */
const REPEAT_FROM_MS = 30_000;

/**
 * A model behind OpenAI's chat completions, with structured output. Neither the request nor the answer nor the key is
 * logged. The SDK is loaded with the first call: a deployment without a model does not pay for it.
 * @throws SourceError and ModelAnswerError from `ask`, as the port tells; SourceError of source `secrets` without a key.
 */
export function openAiModel(deps: OpenAiDeps): Model {
  return {
    name: deps.model,
    prices: deps.prices,
    ask: async (request, limits) => {
      const key = await deps.secrets.get(deps.secret);
      const ms = Math.min(LONGEST_MS, limits.remainingMs() - RESERVE_MS);
      if (ms < SHORTEST_MS) throw toNoTimeError();
      return call(deps, key, request, limits, ms);
    },
  };
}

async function call<T>(
  deps: OpenAiDeps,
  key: string,
  request: ModelRequest<T>,
  limits: CallLimits,
  ms: number,
): Promise<ModelAnswer<T>> {
  const [{ OpenAI }, { APIError }] = await Promise.all([import('openai/client'), import('openai/core/error')]);
  const broken = new AbortController();
  const late = AbortSignal.timeout(ms);
  const client = new OpenAI({
    ...UNSET,
    apiKey: key,
    baseURL: deps.baseUrl,
    // The signal ends the call; the SDK's own limit comes later and only makes sure.
    timeout: ms + 1_000,
    maxRetries: ms >= REPEAT_FROM_MS ? 1 : 0,
    fetch: boundedFetch((error) => broken.abort(error)),
  });
  try {
    const signal = AbortSignal.any([limits.signal, late, broken.signal]);
    return readAnswer(request, await client.chat.completions.create(toBody(deps.model, request), { signal }));
  } catch (error) {
    if (late.aborted || limits.signal.aborted) throw toLateError(ms);
    if (broken.signal.aborted) throw toUnreachableError(broken.signal.reason);
    if (error instanceof HugeBodyError) throw toHuge(request);
    if (error instanceof SyntaxError) throw notACompletion();
    if (!(error instanceof APIError)) throw error;
    const { status, code, headers } = error;
    throw status === undefined ? toUnreachableError(error) : toEndpointError({ status, code, headers }, deps);
  }
}

/** What the SDK would otherwise take from the environment, or print. */
const UNSET = { organization: null, project: null, adminAPIKey: null, webhookSecret: null, logLevel: 'off' } as const;

const toBody = (model: string, { instructions, messages, answer, maxOutputTokens }: ModelRequest<unknown>) => ({
  model,
  messages: [
    { role: 'system' as const, content: instructions },
    ...messages.map(({ role, text }) => ({ role, content: text })),
  ],
  max_completion_tokens: maxOutputTokens,
  response_format: {
    type: 'json_schema' as const,
    json_schema: { name: answer.name, strict: true, schema: { ...toStrictSchema(answer.schema) } },
  },
});

const toHuge = (request: ModelRequest<unknown>): ModelAnswerError =>
  new ModelAnswerError('huge', 'The answer is longer than is read.', {
    raw: '',
    usage: {
      inputTokens: estimateTokens([request.instructions, ...request.messages.map(({ text }) => text)].join('\n')),
      outputTokens: request.maxOutputTokens,
      isReported: false,
    },
  });
