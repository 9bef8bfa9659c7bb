import { type DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Random, TokenStore } from '#lib/app/ports.ts';
import type { Millis } from '#lib/domain/time.ts';
import { hashSecret, TOKEN_ID_BYTES, TOKEN_SECRET_BYTES, type TokenRecord, toToken } from '#lib/domain/token.ts';
import { updateIf } from './conditional.ts';

interface TokenItem {
  readonly token_id: string;
  readonly name: string;
  readonly secret_hash: string;
  readonly created_at: Millis;
  readonly expires_at: Millis | null;
  readonly revoked_at: Millis | null;
  readonly last_used_at?: Millis;
}

interface TokenPlace {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** Bearer tokens in DynamoDB, one item a token, keyed by its id. */
export const tokenStore = (place: TokenPlace, random: Random): TokenStore => ({
  create: (token) => create(place, random, token),
  find: (id) => find(place, id),
  list: () => list(place),
  noteUse: (id, hour) => noteUse(place, id, hour),
  revoke: (id, now) => revoke(place, id, now),
});

async function create(
  { client, table }: TokenPlace,
  random: Random,
  { name, now, expiresAt }: { name: string; now: Millis; expiresAt?: Millis },
): Promise<{ id: string; token: string }> {
  const token = toToken(random.bytes(TOKEN_ID_BYTES), random.bytes(TOKEN_SECRET_BYTES));
  const [, id = '', secret = ''] = token.split('_');
  const item: TokenItem = {
    token_id: id,
    name,
    secret_hash: hashSecret(secret),
    created_at: now,
    expires_at: expiresAt ?? null,
    revoked_at: null,
  };
  await client.send(
    new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(token_id)' }),
  );
  return { id, token };
}

/** Reads consistently: a revoked token is refused by the next check. */
async function find({ client, table }: TokenPlace, id: string): Promise<TokenRecord | undefined> {
  const get = new GetCommand({ TableName: table, Key: { token_id: id }, ConsistentRead: true });
  const { Item } = await client.send(get);
  return Item && toRecord(Item as TokenItem);
}

/** Oldest first. A deployment has a handful of tokens, so the table is read whole. */
async function list({ client, table }: TokenPlace): Promise<readonly TokenRecord[]> {
  const records: TokenRecord[] = [];
  let position: Record<string, unknown> | undefined;
  do {
    const answer = await client.send(
      new ScanCommand({ TableName: table, ExclusiveStartKey: position, ConsistentRead: true }),
    );
    records.push(...((answer.Items ?? []) as TokenItem[]).map(toRecord));
    position = answer.LastEvaluatedKey;
  } while (position !== undefined);
  return records.sort((a, b) => a.createdAt - b.createdAt);
}

/** A note is no reason to keep a caller waiting. */
const NOTE_WITHIN_MS = 1_000;

async function noteUse({ client, table }: TokenPlace, id: string, hour: Millis): Promise<void> {
  const input = {
    TableName: table,
    Key: { token_id: id },
    UpdateExpression: 'SET last_used_at = :hour',
    ConditionExpression: 'attribute_exists(token_id) AND (attribute_not_exists(last_used_at) OR last_used_at < :hour)',
    ExpressionAttributeValues: { ':hour': hour },
  };
  await updateIf(client, input, AbortSignal.timeout(NOTE_WITHIN_MS));
}

async function revoke(place: TokenPlace, id: string, now: Millis): Promise<TokenRecord | undefined> {
  const revoked = await updateIf(place.client, {
    TableName: place.table,
    Key: { token_id: id },
    UpdateExpression: 'SET revoked_at = :now',
    ConditionExpression: 'revoked_at = :null',
    ExpressionAttributeValues: { ':now': now, ':null': null },
  });
  return revoked === undefined ? find(place, id) : toRecord(revoked as unknown as TokenItem);
}

const toRecord = (item: TokenItem): TokenRecord => ({
  id: item.token_id,
  name: item.name,
  secretHash: item.secret_hash,
  createdAt: item.created_at,
  expiresAt: item.expires_at,
  revokedAt: item.revoked_at,
  lastUsedAt: item.last_used_at ?? null,
});
