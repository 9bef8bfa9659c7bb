import { request as httpRequest } from 'node:http';
import { parseJson } from './actors.ts';
import type { Answer } from './answer.ts';

/** What reaches the stateful emulator behind the front. */
export interface BackendCall {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body?: Buffer | string | undefined;
}

/** Headers of the emulator that the front does not pass on: Node writes its own. */
const DROPPED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

const toHeaders = (raw: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(raw)
      .filter(([name, value]) => value !== undefined && !DROPPED.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/**
 * Calls the emulator. `host` is the front's: the emulator builds its page links from it.
 * @param backend.adminToken of a user who may do everything
 */
export function backendClient(backend: { port: number; host: string; adminToken: string }) {
  /** Resolves to the emulator's answer; rejects when it is gone. */
  const call = ({ method, path, authorization, body }: BackendCall): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // GitHub takes a write without a body, the emulator does not.
      const sent = method === 'GET' || method === 'DELETE' || (body !== undefined && body.length > 0) ? body : '{}';
      const headers: Record<string, string> = { host: backend.host, 'content-type': 'application/json' };
      if (authorization !== undefined) headers.authorization = authorization;
      const outgoing = httpRequest({ host: '127.0.0.1', port: backend.port, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 500,
            headers: toHeaders(incoming.headers),
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(sent);
    });

  return {
    call,
    /** Asks with all rights; `data` is the parsed answer, undefined when it is not JSON. */
    async asAdmin(method: string, path: string, body?: unknown): Promise<{ status: number; data: unknown }> {
      const authorization = `token ${backend.adminToken}`;
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await call({ method, path, authorization, body: sent });
      return { status: answer.status, data: parseJson(answer.body.toString()) };
    },
  };
}

export type Backend = ReturnType<typeof backendClient>;
