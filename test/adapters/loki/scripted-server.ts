import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came in. */
export interface Request {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export type Script = (request: Request, response: ServerResponse) => void;

/** An HTTP server on a free port that answers by script, for answers that no Loki gives on demand. */
export async function startScripted(script: Script) {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const request = { path: incoming.url ?? '', headers: incoming.headers, form };
      requests.push(request);
      script(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, stop };
}

export const reply =
  (status: number, body: string, headers: Record<string, string> = {}): Script =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);

export const replyJson = (value: unknown): Script =>
  reply(200, JSON.stringify(value), { 'content-type': 'application/json' });

export const streams = (...result: unknown[]) => ({ status: 'success', data: { resultType: 'streams', result } });
