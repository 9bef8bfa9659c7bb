import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { authorize } from '#lib/app/authorize.ts';
import { readConfig, required } from '#lib/config.ts';

const settings = { tokensTable: required('TOKENS_TABLE', 'the name of the tokens table') };

/** @throws ConfigError at cold start: Lambda logs it, and API Gateway lets nobody in. */
export function wireAuthorize() {
  const { tokensTable } = readConfig(settings);
  const tokens = tokenStore({ client: toDocumentClient(), table: tokensTable }, systemRandom);
  return { authorize: (header: string | undefined) => authorize({ tokens, clock: systemClock }, header) };
}
