import * as z from 'zod';
import type { RepositoryToken } from '#lib/app/ports.ts';
import { HealerError, InputError, SourceError } from '#lib/domain/errors.ts';

/** What the token broker and its callers say to each other: the payload and the answer of a Lambda invocation. */

const BrokerRequest = z.object({ target: z.string().min(1).max(200) });

/** @throws InputError; a payload may name a target and nothing else that counts, the permissions least of all. */
export function parseTarget(event: unknown): string {
  const parsed = BrokerRequest.safeParse(event);
  if (parsed.success) return parsed.data.target;
  throw new InputError('the payload must be {"target": "owner/name"}');
}

const Granted = z.object({
  token: z.string().min(1),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  installationId: z.string().min(1),
  author: z.string().min(1),
});

const Refused = z.object({
  error: z.object({
    source: z.string(),
    message: z.string(),
    advice: z.string(),
    retryable: z.boolean(),
    status: z.number().optional(),
    retryAfterMs: z.number().optional(),
  }),
});

export const BrokerAnswer = z.union([Granted, Refused]);
export type BrokerAnswer = z.infer<typeof BrokerAnswer>;

export const toGranted = (token: RepositoryToken): BrokerAnswer => ({ ...token });

/**
 * A refusal as data: a thrown error would reach the caller as a name and a message, without what decides about a retry.
 * Errors that are not Healer's own are thrown again.
 */
export function toRefused(error: unknown): BrokerAnswer {
  if (!(error instanceof HealerError)) throw error;
  const fault = error instanceof SourceError ? error : undefined;
  return {
    error: {
      source: fault?.source ?? 'github-token',
      message: error.message,
      advice: fault?.advice ?? 'The message says what would be right.',
      retryable: error.retryable,
      ...(fault?.status === undefined ? {} : { status: fault.status }),
      ...(fault?.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs }),
    },
  };
}
