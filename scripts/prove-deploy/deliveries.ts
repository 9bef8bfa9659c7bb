import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from './api.ts';

const PATH = '/api/v1/webhooks/github';
const HEADERS = ['content-type', 'x-github-event', 'x-github-delivery', 'x-hub-signature-256'];

/** Takes the events of the embedded GitHub, whatever address its webhook has, and hands them on to the API. */
export interface Deliveries {
  readonly url: string;
  /** What the API answered to each, in order. */
  readonly statuses: readonly number[];
  stop(): Promise<void>;
}

export async function openDeliveries(api: Api): Promise<Deliveries> {
  const statuses: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const status = await handOn(api, request).catch(() => 0);
    statuses.push(status);
    response.writeHead(status === 200 ? 200 : 502).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statuses, stop: () => stop(server) };
}

/** Body and signature stay as they came. */
async function handOn(api: Api, request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const answer = await fetch(api.address(PATH), {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body: new Uint8Array(Buffer.concat(chunks)),
  });
  await answer.body?.cancel();
  return answer.status;
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
