import { createHash } from 'node:crypto';

/** SHA-256 of a text, as 64 hex digits. */
export const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
