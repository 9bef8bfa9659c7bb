import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';

/**
 * As GitHub does: an answer carries a tag of its content, and a request that knows the tag is answered with 304, without
 * content and without costing a request of the limit.
 */
export function withEtag(answer: Answer, method: string, known: string | undefined): Answer {
  if (method !== 'GET' || answer.status !== 200) return answer;
  const etag = `W/"${createHash('sha256').update(answer.body).digest('hex')}"`;
  const headers = { ...answer.headers, etag };
  const isKnown = (known ?? '').split(/,\s*/).includes(etag);
  if (!isKnown) return { ...answer, headers };
  return { status: 304, headers: { etag }, body: '' };
}
