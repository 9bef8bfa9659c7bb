import type { IncomingHttpHeaders } from 'node:http';
import { ACCOUNT, PARTITION } from '../resource-types.ts';

/** One kind of call that a function made, in the words of IAM. */
export interface Call {
  /** Name of the function in `serverless.yml`, or the access key id of another caller. */
  readonly function: string;
  readonly service: 'dynamodb' | 'sqs' | 'ssm' | 'lambda';
  /** E.g. `GetItem`; a batch of queue messages counts as the action that its entries need. */
  readonly action: string;
  /** ARN, of the index when an index was read. */
  readonly resource: string;
}

/** Remembers each distinct call once. */
export interface Calls {
  record(call: Call): void;
  /** In the order in which they were first made. */
  readonly list: () => readonly Call[];
}

export function createCalls(): Calls {
  const calls = new Map<string, Call>();
  return {
    record: (call) => void calls.set(Object.values(call).join(' '), call),
    list: () => [...calls.values()],
  };
}

/** The access key id of a signed request; `unsigned` without one. */
export function callerOf(headers: IncomingHttpHeaders): string {
  return /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? 'unsigned';
}

interface TableRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: { readonly [table: string]: unknown };
}

const arn = (service: string, region: string, rest: string) =>
  `arn:${PARTITION}:${service}:${region}:${ACCOUNT}:${rest}`;

/** ARNs of the tables, or of the index, that a DynamoDB request touches. */
export function tableResources(region: string, request: TableRequest): readonly string[] {
  const tables = request.RequestItems ? Object.keys(request.RequestItems) : [request.TableName ?? '*'];
  const index = request.IndexName === undefined ? '' : `/index/${request.IndexName}`;
  return tables.map((table) => arn('dynamodb', region, `table/${table}${index}`));
}

export const queueResource = (region: string, request: { QueueUrl?: string; QueueName?: string }): string =>
  arn('sqs', region, request.QueueUrl?.split('/').at(-1) ?? request.QueueName ?? '*');

export const parameterResource = (region: string, name: string): string =>
  arn('ssm', region, `parameter/${name.replace(/^\//, '')}`);

/** `SendMessageBatch` needs the right to `SendMessage`, and so on. */
export const queueAction = (action: string): string => action.replace(/Batch$/, '');
