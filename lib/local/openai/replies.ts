import type { ModelFault } from './faults.ts';
import type { ScriptedReply } from './script.ts';

/** An HTTP answer: a JSON body, or a page. */
export interface ModelReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Asked {
  readonly id: string;
  readonly model: string;
  /** All messages, joined. */
  readonly text: string;
  /** Tokens that the answer may have. */
  readonly limit: number;
}

export const errorReply = (status: number, message: string, code: string | null = null): ModelReply => ({
  status,
  body: { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code } },
});

/** A chat completion as OpenAI writes it. The content is constructed: a person wrote it, no model did. */
export function completionReply(asked: Asked, reply: ScriptedReply): ModelReply {
  if ('refusal' in reply) return completion(asked, { content: null, refusal: reply.refusal }, 'stop');
  const whole = 'text' in reply ? reply.text : JSON.stringify(reply.json);
  const content = whole.slice(0, asked.limit * BYTES_PER_TOKEN);
  return completion(asked, { content, refusal: null }, content === whole ? 'stop' : 'length');
}

interface Content {
  readonly content: string | null;
  readonly refusal: string | null;
}

function completion(asked: Asked, content: Content, finish_reason: string): ModelReply {
  const prompt_tokens = countTokens(asked.text);
  const completion_tokens = countTokens(content.content ?? content.refusal ?? '');
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const message = { role: 'assistant', ...content, annotations: [] };
  const choices = [{ index: 0, message, logprobs: null, finish_reason }];
  const created = Math.floor(Date.now() / 1000);
  return {
    status: 200,
    body: { id: asked.id, object: 'chat.completion', created, model: asked.model, choices, usage },
  };
}

/** Near enough for accounts of a laptop. */
const BYTES_PER_TOKEN = 4;
const countTokens = (text: string): number => Math.max(1, Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN));

/** What a fault makes of an answer; undefined for those that never answer. */
export function faultyReply(asked: Asked, fault: ModelFault, good: ModelReply): ModelReply | undefined {
  switch (fault.kind) {
    case 'hang':
    case 'disconnect':
      return undefined;
    case 'status':
      return errorReply(fault.status, 'The server had an error.', fault.code ?? null);
    case 'rate-limit': {
      const headers = { 'retry-after': String(fault.retryAfterSeconds ?? 1) };
      return { ...errorReply(429, 'Rate limit reached.', 'rate_limit_exceeded'), headers };
    }
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sign in</title>' };
    case 'usage':
      return { ...good, body: { ...(good.body as object), usage: fault.usage } };
    default:
      return faultyCompletion(asked, fault);
  }
}

const NONSENSE = 'As a large lantern, I suggest that the moon restarts the pod {"root_cause": ';

function faultyCompletion(asked: Asked, fault: ModelFault): ModelReply {
  const say = (content: string, reason = 'stop') => completion(asked, { content, refusal: null }, reason);
  switch (fault.kind) {
    case 'refuse':
      return completion(asked, { content: null, refusal: "I'm sorry, I can't help with that." }, 'stop');
    case 'filter':
      return say('', 'content_filter');
    case 'truncate':
      return say('{"summary": "The agent fai', 'length');
    case 'nonsense':
      return say(NONSENSE);
    case 'wrong-schema':
      return say(JSON.stringify({ answer: 42, summary: ['not', 'a', 'text'] }));
    default:
      return say('x'.repeat('bytes' in fault ? (fault.bytes ?? HUGE) : HUGE));
  }
}

const HUGE = 4 * 1024 * 1024;
