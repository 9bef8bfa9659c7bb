import type { ServerResponse } from 'node:http';
import { vi } from 'vitest';
import { openQueueService, type QueueService } from '#lib/local/aws/queues.ts';
import { type Asked, aHttpPeer } from './http-peer.ts';

/** An answer of AWS; `body` is JSON, or XML where it is a text. */
export interface AwsReply {
  readonly status: number;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers by what is asked: the target of a JSON protocol (`AmazonSQS.SendMessage`), the action of a query protocol
 * (`ListStackResources`), or method and path of a REST protocol (`GET /schedules/sweep`).
 */
export type AwsActions = Readonly<Record<string, (input: Record<string, unknown>, asked: Asked) => AwsReply>>;

export const ok = (body: object | string = {}): AwsReply => ({ status: 200, body });
export const awsFault = (name: string, message = ''): AwsReply => ({ status: 400, body: { __type: name, message } });

const REGION = 'eu-central-1';

/**
 * AWS on loopback, to which the SDK of this process is pointed: queues as the local stack has them, and what `actions`
 * answer. Whatever else is asked is refused as unknown.
 */
export async function startAwsPeer(actions: AwsActions = {}) {
  const queues = await openQueueService(REGION, undefined);
  const refusals = new Map<string, string>();
  const peer = await aHttpPeer((response, asked) => {
    const { name, input } = toAction(asked);
    const refusal = refusals.get(name);
    const act = actions[name];
    if (refusal === undefined && act === undefined && name.startsWith('AmazonSQS.')) {
      void handOn(queues, asked, response);
      return;
    }
    const reply =
      refusal === undefined ? (act?.(input, asked) ?? awsFault('UnknownOperationException')) : awsFault(refusal);
    const isXml = typeof reply.body === 'string';
    const type = isXml ? 'text/xml' : 'application/json';
    const fault = (reply.body as { __type?: string }).__type;
    response
      .writeHead(reply.status, {
        'content-type': type,
        ...reply.headers,
        ...(fault !== undefined && { 'x-amzn-errortype': fault }),
      })
      .end(isXml ? reply.body : JSON.stringify(reply.body));
  });
  const settings = { AWS_ENDPOINT_URL: peer.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return {
    url: peer.url,
    asked: peer.asked,
    store: queues.store,
    /** What was asked, in order and in the words of {@link AwsActions}. */
    names: () => peer.asked.map((asked) => toAction(asked).name),
    /** An action fails with that error from then on; undefined takes it back. */
    refuse(action: string, error: string | undefined) {
      if (error === undefined) refusals.delete(action);
      else refusals.set(action, error);
    },
    async stop() {
      vi.unstubAllEnvs();
      await peer.stop();
      await queues.stop();
    },
  };
}

async function handOn(queues: QueueService, { headers, body }: Asked, response: ServerResponse): Promise<void> {
  const answer = await queues.handle({ headers, body: Buffer.from(body) });
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

export type AwsPeer = Awaited<ReturnType<typeof startAwsPeer>>;

function toAction({ method, path, headers, body }: Asked): { name: string; input: Record<string, unknown> } {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return { name: target, input: JSON.parse(body) as Record<string, unknown> };
  if (String(headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
    const input = Object.fromEntries(new URLSearchParams(body));
    return { name: input['Action'] ?? '', input };
  }
  const [name = ''] = path.split('?');
  return { name: `${method} ${name}`, input: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>) };
}
