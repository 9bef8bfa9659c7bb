import type { Message } from '#lib/domain/messages.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { QueueName } from '#lib/flow.ts';

export interface Clock {
  now(): Millis;
}

export interface Ids {
  uuid(): string;
}

/** Cryptographically strong randomness. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** One page of a list, newest first; `cursor` asks for the next page and is absent on the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Sends ids to a stage; delivery is at least once, order is not kept. */
export interface Queues {
  send<Q extends QueueName>(queue: Q, message: Message<Q>, delaySeconds?: number): Promise<void>;
}

/** Secrets by name, e.g. `github-app-key`. @throws SourceError naming the secret and how to store it. */
export interface Secrets {
  get(name: string): Promise<string>;
}

/** What a use case may use up of the invocation that it runs in. */
export interface CallLimits {
  /** Aborted shortly before the function is stopped. */
  readonly signal: AbortSignal;
  /** Milliseconds until the function is stopped. */
  readonly remainingMs: () => number;
}
