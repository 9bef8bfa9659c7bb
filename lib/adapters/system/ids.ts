import { randomBytes, randomUUID } from 'node:crypto';
import type { Ids, Random } from '#lib/app/ports.ts';

/** Random ids from the machine's source of randomness. */
export const systemIds: Ids = { uuid: () => randomUUID() };

/** Cryptographically strong random bytes. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
