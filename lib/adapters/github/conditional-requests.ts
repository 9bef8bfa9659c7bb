import type { Octokit } from '@octokit/rest';
import type { Clock } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { hasStatus } from './target-session.ts';

interface Kept {
  readonly etag: string;
  readonly answer: Answer;
}

export interface Answer {
  readonly data: unknown;
  readonly hasNext: boolean;
}

const MAX_KEPT = 200;
/** Readers leave this much of the hourly limit to the writer: evidence can do without GitHub, an issue cannot. */
const RESERVE = 500;

type Query = Readonly<Record<string, string | number>>;

/**
 * GET requests that are free when nothing changed: GitHub does not count an answer of 304 against the limit. What was
 * answered is kept in memory by its ETag, the oldest goes first. One for the life of a sandbox.
 * Source: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
export function conditionalRequests(clock: Clock) {
  const kept = new Map<string, Kept>();
  /** When reading may go on; set when an answer says that the limit is nearly used up. */
  let restUntil = 0;

  function watchLimit(headers: Readonly<Record<string, string | number | undefined>>): void {
    const remaining = Number(headers['x-ratelimit-remaining'] ?? Number.POSITIVE_INFINITY);
    const reset = Number(headers['x-ratelimit-reset'] ?? 0);
    if (remaining < RESERVE) restUntil = reset * 1000;
  }

  function refuseWhenLow(): void {
    if (clock.now() >= restUntil) return;
    throw new SourceError({
      source: 'github',
      message: 'the rate limit is nearly used up, and the rest is left to publishing',
      retryable: true,
      advice: 'Nothing to do: GitHub renews the limit each hour.',
      retryAfterMs: restUntil - clock.now(),
    });
  }

  /** @throws SourceError when the limit is nearly used up; else what Octokit throws */
  return async function get(octokit: Octokit, route: string, query: Query): Promise<Answer> {
    refuseWhenLow();
    const key = `${route} ${JSON.stringify(query)}`;
    const known = kept.get(key);
    const headers = known === undefined ? {} : { 'if-none-match': known.etag };
    try {
      const { data, headers: answered } = await octokit.request(`GET ${route}`, { ...query, headers });
      watchLimit(answered);
      const answer = { data: data as unknown, hasNext: /rel="next"/.test(answered.link ?? '') };
      if (answered.etag !== undefined) {
        kept.delete(key);
        kept.set(key, { etag: answered.etag, answer });
        const oldest = kept.size > MAX_KEPT ? kept.keys().next().value : undefined;
        if (oldest !== undefined) kept.delete(oldest);
      }
      return answer;
    } catch (error) {
      if (known !== undefined && hasStatus(error, 304)) return known.answer;
      throw error;
    }
  };
}

export type ConditionalGet = ReturnType<typeof conditionalRequests>;
