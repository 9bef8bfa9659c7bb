import { createHash, timingSafeEqual } from 'node:crypto';
import { MILLIS_PER_HOUR, type Millis } from './time.ts';

/** Bytes of randomness in an id and in a secret. */
export const TOKEN_ID_BYTES = 8;
export const TOKEN_SECRET_BYTES = 32;

const FORM = /^hlr_([0-9a-f]{16})_([0-9a-f]{64})$/;
const BEARER = /^bearer +(\S{1,200})$/i;

/**
 * What is stored of a token. The secret itself is shown once and never stored. Plain SHA-256 suffices: the secret has 256
 * random bits, so there is nothing to guess that a slow hash would protect, and each request pays for the hash.
 */
export interface TokenRecord {
  readonly id: string;
  /** What the operator calls it, e.g. the caller that uses it. */
  readonly name: string;
  readonly secretHash: string;
  readonly createdAt: Millis;
  /** Null: it does not expire. */
  readonly expiresAt: Millis | null;
  readonly revokedAt: Millis | null;
  /** The hour in which it last let a request in; null: it never did. */
  readonly lastUsedAt: Millis | null;
}

/** Live tokens of a deployment: the one in use, and the next one while callers change over to it. */
export const MAX_LIVE_TOKENS = 2;

/** The token that the local stack makes for itself at each start; it takes no place from the operator's. */
export const RUNNER_TOKEN_NAME = 'local runner';

/** A token in parts: `hlr_<id>_<secret>`, both in hexadecimal digits. */
export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

export const toToken = (id: Uint8Array, secret: Uint8Array): string => `hlr_${toHex(id)}_${toHex(secret)}`;

/** The token of an `Authorization: Bearer …` header; undefined when it has not the form of a Healer token. */
export function toTokenParts(header: string | undefined): TokenParts | undefined {
  const [, token = ''] = BEARER.exec(header?.trim() ?? '') ?? [];
  const [, id, secret] = FORM.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Neither revoked nor expired. */
export const isLive = ({ revokedAt, expiresAt }: TokenRecord, now: Millis): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The start of the hour: the last use is stored no finer, so that a busy token costs one write an hour. */
export const toHour = (at: Millis): Millis => at - (at % MILLIS_PER_HOUR);

/** Compares in constant time, so that answers do not tell how much of a guess was right. */
export function isUsable(record: TokenRecord, secret: string, now: Millis): boolean {
  const matches = timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(record.secretHash, 'hex'));
  return matches && isLive(record, now);
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
