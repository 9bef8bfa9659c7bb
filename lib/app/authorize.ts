import { isUsable, toHour, toTokenParts } from '#lib/domain/token.ts';
import type { Clock, TokenStore } from './ports.ts';

export interface AuthorizePorts {
  readonly tokens: Pick<TokenStore, 'find' | 'noteUse'>;
  readonly clock: Clock;
  /** Told when the last use could not be noted: that refuses nobody. */
  readonly onNoteFault: (error: unknown) => void;
}

/** Whom a request comes from. The reason is for the log; callers learn only that they were refused. */
export type Authorization =
  | { readonly isAuthorized: true; readonly tokenId: string; readonly tokenName: string }
  | { readonly isAuthorized: false; readonly reason: 'malformed' | 'unknown' | 'unusable' };

/** Checks the `Authorization` header. A header without a well-formed token is refused without asking the table. */
export async function authorize(ports: AuthorizePorts, header: string | undefined): Promise<Authorization> {
  const { tokens, clock, onNoteFault } = ports;
  const parts = toTokenParts(header);
  if (parts === undefined) return { isAuthorized: false, reason: 'malformed' };
  const record = await tokens.find(parts.id);
  if (record === undefined) return { isAuthorized: false, reason: 'unknown' };
  const now = clock.now();
  if (!isUsable(record, parts.secret, now)) return { isAuthorized: false, reason: 'unusable' };
  const hour = toHour(now);
  if (record.lastUsedAt === null || record.lastUsedAt < hour) await tokens.noteUse(record.id, hour).catch(onNoteFault);
  return { isAuthorized: true, tokenId: record.id, tokenName: record.name };
}
