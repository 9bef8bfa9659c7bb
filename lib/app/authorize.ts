import { isUsable, toTokenParts } from '#lib/domain/token.ts';
import type { Clock, TokenStore } from './ports.ts';

export interface AuthorizePorts {
  readonly tokens: Pick<TokenStore, 'find'>;
  readonly clock: Clock;
}

/** Whom a request comes from. The reason is for the log; callers learn only that they were refused. */
export type Authorization =
  | { readonly isAuthorized: true; readonly tokenId: string; readonly tokenName: string }
  | { readonly isAuthorized: false; readonly reason: 'malformed' | 'unknown' | 'unusable' };

/** Checks the `Authorization` header. A header without a well-formed token is refused without asking the table. */
export async function authorize({ tokens, clock }: AuthorizePorts, header: string | undefined): Promise<Authorization> {
  const parts = toTokenParts(header);
  if (parts === undefined) return { isAuthorized: false, reason: 'malformed' };
  const record = await tokens.find(parts.id);
  if (record === undefined) return { isAuthorized: false, reason: 'unknown' };
  if (!isUsable(record, parts.secret, clock.now())) return { isAuthorized: false, reason: 'unusable' };
  return { isAuthorized: true, tokenId: record.id, tokenName: record.name };
}
