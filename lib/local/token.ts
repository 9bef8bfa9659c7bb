import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import { RUNNER_TOKEN_NAME } from '#lib/domain/token.ts';
import type { ServiceAccess } from './stack-options.ts';

/**
 * Makes the token that the runner adds to requests which carry none. It goes through the store that every token goes
 * through, so the authorizer runs unchanged. What an earlier run with `--keep` left is revoked.
 */
export async function makeRunnerToken({ endpoint, region, credentials, ref }: ServiceAccess): Promise<string> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const store = tokenStore({ client, table: ref('TokensTable') }, systemRandom);
  const now = Date.now();
  const earlier = (await store.list()).filter(
    ({ name, revokedAt }) => name === RUNNER_TOKEN_NAME && revokedAt === null,
  );
  await Promise.all(earlier.map(({ id }) => store.revoke(id, now)));
  const { token } = await store.create({ name: RUNNER_TOKEN_NAME, now });
  return token;
}
