import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { ConfigError, SourceError } from '#lib/domain/errors.ts';
import { findLocalServices } from './local-services.ts';

/** Which deployment's tokens. */
export interface TokenTableWish {
  readonly stage: string;
  readonly region: string;
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
  const table = `healer-${wish.stage}-tokens`;
  const endpoint = wish.env['HEALER_ENDPOINT'] || (wish.isLocal ? await findLocalServices(wish.env) : undefined);
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  const client = toDocumentClient({ region: wish.region, ...local });
  const place = endpoint ?? wish.region;
  return told(tokenStore({ client, table }, systemRandom), (error) => toAdvice(error, { table, place }));
}

/** The store with other words for what goes wrong. */
function told(store: TokenStore, say: (error: unknown) => unknown): TokenStore {
  const saying = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw say(error);
    }
  };
  return {
    create: (token) => saying(store.create(token)),
    find: (id) => saying(store.find(id)),
    list: () => saying(store.list()),
    noteUse: (id, hour) => saying(store.noteUse(id, hour)),
    revoke: (id, now) => saying(store.revoke(id, now)),
  };
}

function toAdvice(error: unknown, { table, place }: { table: string; place: string }): unknown {
  if (!(error instanceof SourceError)) return error;
  const name = error.cause instanceof Error ? error.cause.name : '';
  return new ConfigError(adviceOn(name, table, place), { cause: error });
}

function adviceOn(name: string, table: string, place: string): string {
  if (name === 'ResourceNotFoundException')
    return `there is no table ${table} in ${place}: name the deployment with --stage and --region, or use --local`;
  if (name === 'AccessDeniedException')
    return `the AWS credentials may not use ${table}: they need dynamodb:GetItem, PutItem, UpdateItem and Scan on it`;
  if (name.startsWith('Credentials') || name === 'UnrecognizedClientException' || name === 'ExpiredTokenException')
    return 'AWS took no credentials: set AWS_PROFILE, or log in (aws sso login); use --local for the local stack';
  return `${table} in ${place} did not answer (${name || 'no reason given'}); send the command again`;
}
