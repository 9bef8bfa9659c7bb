import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { authorize } from '#lib/app/authorize.ts';
import { readConfig, required } from '#lib/config.ts';
import { logger } from '#lib/logger.ts';

const settings = { tokensTable: required('TOKENS_TABLE', 'the name of the tokens table') };

/** @throws ConfigError at cold start: Lambda logs it, and API Gateway lets nobody in. */
export function wireAuthorize() {
  const { tokensTable } = readConfig(settings);
  const tokens = tokenStore({ client: toDocumentClient(), table: tokensTable }, systemRandom);
  const ports = {
    tokens,
    clock: systemClock,
    onNoteFault: (error: unknown) => logger.warn('last use of a token not noted', { error: error as Error }),
  };
  return { authorize: (header: string | undefined) => authorize(ports, header) };
}
