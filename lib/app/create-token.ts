import { ConflictError, InputError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import { isLive, MAX_LIVE_TOKENS, RUNNER_TOKEN_NAME, type TokenRecord } from '#lib/domain/token.ts';
import type { Clock, TokenStore } from './ports.ts';

export interface CreateTokenPorts {
  readonly tokens: Pick<TokenStore, 'create' | 'list' | 'revoke'>;
  readonly clock: Clock;
}

export interface TokenWish {
  /** What the operator calls it, e.g. the caller that will use it. */
  readonly name: string;
  /** Null: it does not expire. */
  readonly lifetime: Millis | null;
}

export interface CreatedToken {
  readonly id: string;
  /** Told here and never again. */
  readonly token: string;
  readonly name: string;
  readonly expiresAt: Millis | null;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,63}$/;

/**
 * Makes a bearer token while fewer than {@link MAX_LIVE_TOKENS} are live. Of operators who race past that check, those
 * whose token came last get none.
 *
 * @throws InputError for a name that is none, ConflictError that says which token to revoke.
 */
export async function createToken({ tokens, clock }: CreateTokenPorts, wish: TokenWish): Promise<CreatedToken> {
  const { name, lifetime } = wish;
  if (!NAME.test(name) || name === RUNNER_TOKEN_NAME)
    throw new InputError(
      'A token\'s name has 1 to 64 letters, digits, blanks, ".", "_", "@" and "-", and begins with a letter or digit.',
    );
  const now = clock.now();
  ensurePlace(liveOnes(await tokens.list(), now));
  const expiresAt = lifetime === null ? null : now + lifetime;
  const { id, token } = await tokens.create({ name, now, ...(expiresAt !== null && { expiresAt }) });
  const first = liveOnes(await tokens.list(), now).slice(0, MAX_LIVE_TOKENS);
  if (first.some((record) => record.id === id)) return { id, token, name, expiresAt };
  await tokens.revoke(id, now);
  ensurePlace(first);
  throw new ConflictError('The token was revoked while it was made; make another.');
}

/** In an order that all callers see alike. */
const liveOnes = (records: readonly TokenRecord[], now: Millis): readonly TokenRecord[] =>
  records
    .filter((record) => record.name !== RUNNER_TOKEN_NAME && isLive(record, now))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));

function ensurePlace(live: readonly TokenRecord[]): void {
  if (live.length < MAX_LIVE_TOKENS) return;
  const [oldest, ...others] = live;
  const known = others.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new ConflictError(
    `${MAX_LIVE_TOKENS} tokens are live, which is the limit. Revoke the one that no caller uses any more, usually the ` +
      `older: healer token revoke ${oldest?.id} (${oldest?.name}). Also live: ${known}.`,
  );
}
