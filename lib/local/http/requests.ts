import type { IncomingMessage } from 'node:http';

/** Reads a request's body. `aborted` when the caller hung up, `too large` when it has more than `limit` bytes. */
export async function readBody(message: IncomingMessage, limit: number): Promise<Buffer | 'aborted' | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Read to the end, so that the caller is there to hear the answer.
      if (size <= limit) chunks.push(chunk);
    }
  } catch {
    return 'aborted';
  }
  return size > limit ? 'too large' : Buffer.concat(chunks);
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Whether a `Host` header names this machine. A web page that points its own name here (DNS rebinding) does not pass. */
export const isLoopbackHost = (host: string | undefined): boolean => host !== undefined && LOOPBACK.test(host);

/** Whether a request comes from a program, or from a page of this machine; a foreign page's request names its origin. */
export const isLoopbackOrigin = (origin: string | undefined): boolean =>
  origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//, ''));
