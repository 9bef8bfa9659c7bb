import { createHash, timingSafeEqual } from 'node:crypto';
import type { Millis } from './time.ts';

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
}

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

/** Compares in constant time, so that answers do not tell how much of a guess was right. */
export function isUsable(record: TokenRecord, secret: string, now: Millis): boolean {
  const matches = timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(record.secretHash, 'hex'));
  const isLive = record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now);
  return matches && isLive;
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
