import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { findLocalServices } from './local-services.ts';
import { type AwsRequest, answerOf } from './stage/aws-advice.ts';
import { type Stage, stackOf } from './stage/stage.ts';

/** Which deployment's tokens. */
export interface TokenTableWish {
  readonly stage: Stage;
  /** The stack that runs on this machine, in the place of AWS. */
  readonly isLocal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The emulator takes any; the SDK does not go without. */
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/**
 * Opens the tokens of a deployment with the operator's own AWS credentials, as the SDK finds them, or those of the local
 * stack. Failures are told as ConfigError, in the words of an operator.
 */
export async function openTokenTable(wish: TokenTableWish): Promise<TokenStore> {
  const { stage, isLocal, env } = wish;
  const table = `${stackOf(stage)}-tokens`;
  const endpoint = env['HEALER_ENDPOINT'] || (isLocal ? await findLocalServices(env) : undefined);
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  const client = toDocumentClient({ region: stage.region, ...local });
  return told(tokenStore({ client, table }, systemRandom), {
    thing: `the table ${table}`,
    place: endpoint ?? stage.region,
    rights: 'dynamodb:GetItem, PutItem, UpdateItem and Scan on it',
    otherwise: 'use --local for the local stack',
  });
}

/** The store with other words for what goes wrong. */
function told(store: TokenStore, request: AwsRequest): TokenStore {
  const saying = <T>(work: Promise<T>): Promise<T> => answerOf(work, request);
  return {
    create: (token) => saying(store.create(token)),
    find: (id) => saying(store.find(id)),
    list: () => saying(store.list()),
    noteUse: (id, hour) => saying(store.noteUse(id, hour)),
    revoke: (id, now) => saying(store.revoke(id, now)),
  };
}
