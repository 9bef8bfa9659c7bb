import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How a peer fails: the connection breaks, 429, 500, a proxy's page with status 200, bytes that are no JSON, half of the
 * right answer and then a broken connection, the right answer late.
 */
export const OUTAGES = ['down', '429', '500', 'html', 'garbage', 'cut', 'slow'] as const;
export type Outage = (typeof OUTAGES)[number];

/** A request on its way to the peer. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What happens to a request: an outage, or a worker that dies before it takes effect or afterwards. */
export interface Fate {
  readonly outage?: Outage | undefined;
  readonly kill?: { readonly when: 'before' | 'after'; readonly die: () => Promise<void> } | undefined;
}

export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Real milliseconds by which a slow answer is late. */
const SLOW_MS = 400;

/** Stands between the functions and a peer on 127.0.0.1. */
export async function startProxy(target: string, fateOf: (request: PassingRequest) => Fate): Promise<Proxy> {
  const server = createServer((request, response) => {
    pass(target, fateOf, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(
  target: string,
  fateOf: (request: PassingRequest) => Fate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(request);
  const { method = 'GET', url: path = '/' } = request;
  const { outage, kill } = fateOf({ method, path, body: body.toString('utf8') });
  if (outage !== undefined && failsAtOnce(outage, response)) return;
  if (kill?.when === 'before') return die(kill.die, response);
  const answer = await forward(target, request, body);
  if (kill?.when === 'after') return die(kill.die, response);
  if (outage === 'slow') await sleep(SLOW_MS);
  response.writeHead(answer.status, answer.headers);
  if (outage !== 'cut') return void response.end(answer.body);
  response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2)), () => response.destroy());
}

async function die(kill: () => Promise<void>, response: ServerResponse): Promise<void> {
  await kill();
  response.destroy();
}

const REFUSALS: Partial<Record<Outage, { readonly status: number; readonly type: string; readonly text: string }>> = {
  '429': { status: 429, type: 'text/plain', text: 'too many requests\n' },
  '500': { status: 500, type: 'text/plain', text: 'internal error\n' },
  html: {
    status: 200,
    type: 'text/html',
    text: '<!DOCTYPE html><title>Sign in</title><p>The proxy asks you to sign in.',
  },
  garbage: { status: 200, type: 'application/json', text: '\u0000{"]]%%%' },
};

/** True when the outage answers without the peer. */
function failsAtOnce(outage: Outage, response: ServerResponse): boolean {
  if (outage === 'down') {
    response.destroy();
    return true;
  }
  const refusal = REFUSALS[outage];
  if (refusal === undefined) return false;
  response.writeHead(refusal.status, { 'content-type': refusal.type }).end(refusal.text);
  return true;
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forward(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const passed = ask(new URL(url ?? '/', target), { method, headers }, (answer) => {
      const { 'transfer-encoding': _, ...kept } = answer.headers;
      const whole = readAll(answer).then((bytes) => ({
        status: answer.statusCode ?? 502,
        headers: kept,
        body: bytes,
      }));
      resolve(whole);
    });
    passed.on('error', reject).end(body);
  });
}
