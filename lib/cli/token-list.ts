import { type Millis, toIso } from '#lib/domain/time.ts';
import { isLive, type TokenRecord } from '#lib/domain/token.ts';

const orNull = (at: Millis | null): string | null => (at === null ? null : toIso(at));

const stateOf = (record: TokenRecord, now: Millis) =>
  isLive(record, now) ? 'live' : record.revokedAt === null ? 'expired' : 'revoked';

/** What is told of a token: all but the hash of its secret. */
export const toTokenJson = (record: TokenRecord, now: Millis) => ({
  id: record.id,
  name: record.name,
  state: stateOf(record, now),
  created_at: toIso(record.createdAt),
  last_used_at: orNull(record.lastUsedAt),
  expires_at: orNull(record.expiresAt),
  revoked_at: orNull(record.revokedAt),
});

type TokenJson = ReturnType<typeof toTokenJson>;

const HEAD = ['ID', 'NAME', 'STATE', 'CREATED', 'LAST USED', 'EXPIRES'];
const minutes = (at: string | null, otherwise: string): string => at?.slice(0, 16).replace('T', ' ') ?? otherwise;
const hours = (at: string | null): string => at?.slice(0, 13).replace('T', ' ').concat('h') ?? 'never';

/** A table, in UTC; the last use is known to the hour. */
export function toTokenLines(tokens: readonly TokenJson[]): string {
  if (tokens.length === 0) return 'There is no live token; make one: healer token create';
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.state,
    minutes(token.created_at, ''),
    hours(token.last_used_at),
    minutes(token.expires_at, 'never'),
  ]);
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
