import { systemClock } from '#lib/adapters/system/clock.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { createHealerClient, HealerCallError, type HealerClient } from '#lib/client/index.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { findApiUrl } from '../stage/find-stack.ts';
import { type Stage, stackOf } from '../stage/stage.ts';
import { openTokenTable } from '../token-table.ts';
import type { SmokePlan } from './plan.ts';

/** What a smoke test holds while it runs, and gives back. */
export interface Hold {
  readonly url: string;
  readonly client: HealerClient;
  readonly told: string;
  /** Ends the session if it may stand, and revokes the token that was made. Returns what it did. */
  readonly giveBack: (mayStand: boolean) => Promise<string>;
}

/** A token of the test ends by itself, should the command be killed before it revokes it. */
const TOKEN_MS = 15 * 60_000;
const TOKEN_NAME = 'smoke';

/** @throws ConfigError in an operator's words, HealerCallError for an address that cannot be one */
export async function takeHold(
  plan: SmokePlan,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Hold> {
  const url = plan.url ?? (await findAddress(plan.stage));
  // An address that cannot be one is told before a token is made.
  createHealerClient({ url });
  const made = plan.token === undefined ? await makeToken(plan, env) : undefined;
  const token = plan.token ?? made?.token;
  return {
    url,
    client: createHealerClient({ url, token, signal }),
    told: made === undefined ? 'yours, from HEALER_TOKEN' : `${made.id}, for the time of the test`,
    giveBack: async (mayStand) => {
      // Ctrl-C has ended the calls of the other client.
      const ending = mayStand ? endSession(createHealerClient({ url, token }), plan.playId) : undefined;
      const outcomes = await Promise.allSettled([ending, made && revoke(made.tokens, made.id)]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      const did = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
      return did.join(', ') || 'nothing was left';
    },
  };
}

async function findAddress(stage: Stage): Promise<string> {
  const url = await findApiUrl(stage);
  if (url !== undefined) return url;
  throw new ConfigError(`there is no stack ${stackOf(stage)} in ${stage.region} that tells the address of its API`);
}

/** Beside those of the callers: it lives for minutes, so that their number is no limit for it. */
async function makeToken({ stage }: SmokePlan, env: Readonly<Record<string, string | undefined>>) {
  const tokens: TokenStore = await openTokenTable({ stage, isLocal: false, env });
  const now = systemClock.now();
  return { tokens, ...(await tokens.create({ name: TOKEN_NAME, now, expiresAt: now + TOKEN_MS })) };
}

/** A start whose answer was lost may stand; one that was refused does not, and is no fault here. */
async function endSession(client: HealerClient, playId: string): Promise<string | undefined> {
  try {
    await client.end(playId, 'cancelled');
    return 'the session is ended';
  } catch (error) {
    if (error instanceof HealerCallError && error.status === 404) return undefined;
    throw error;
  }
}

async function revoke(tokens: TokenStore, id: string): Promise<string> {
  await tokens.revoke(id, systemClock.now());
  return 'the token is revoked';
}
