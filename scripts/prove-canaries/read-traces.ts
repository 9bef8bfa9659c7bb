import { gunzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../prove-outages/world.ts';
import type { PlantedRun } from './plant.ts';

/** Where Healer leaves texts: what it asks tables and queues, what it says, and whom it tells. */
type Place = 'request' | 'issue' | 'log' | 'metric' | 'figures' | 'answer' | 'notification' | 'terminal';

/** One text that Healer left somewhere. */
export interface Trace {
  readonly place: Place | `table ${string}`;
  readonly text: string;
}

const TABLES = ['SessionsTable', 'WindowsTable', 'IncidentsTable', 'EvidenceTable', 'BudgetsTable', 'TokensTable'];

/** Everything that Healer wrote: tables, issues, what functions printed (metrics and figures among it), answers of the API. */
export async function readTraces(world: World, runs: readonly PlantedRun[]): Promise<readonly Trace[]> {
  const { stack } = world;
  const logs = stack.logs.lines().map(({ text }) => ({ place: toPlace(text), text }));
  const traces: Trace[] = [...logs, ...(await readTables(world))];
  for (const run of runs) {
    traces.push(...(await readRepository(world, run)), ...(await readAnswers(stack.url, run)));
  }
  return traces;
}

function toPlace(printed: string): Place {
  if (printed.includes('"_aws"')) return 'metric';
  return printed.startsWith('{"message":"figures"') ? 'figures' : 'log';
}

async function readTables({ stack }: World): Promise<readonly Trace[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(stack));
  const traces: Trace[] = [];
  for (const id of TABLES) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({ TableName: stack.ref(id), ExclusiveStartKey }),
      );
      traces.push(...Items.map((item) => ({ place: `table ${id}`, text: toText(item) }) as const));
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  }
  return traces;
}

/** Packed values are unpacked. */
const toText = (item: object): string =>
  JSON.stringify(item, (_, value: unknown) => (value instanceof Uint8Array ? unpack(value) : value));

const unpack = (bytes: Uint8Array): string => {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
};

/** Issues, pull requests and comments by Healer; what the play's own pull request says is not its doing. */
async function readRepository({ github }: World, { place }: PlantedRun): Promise<readonly Trace[]> {
  const list = async (path: string) => {
    const { data } = await github.asAdmin('GET', `/repos/${place.repository}/${path}`);
    return data as readonly { readonly number: number; readonly user: { readonly login: string } }[];
  };
  const issues = await list('issues?state=all&per_page=100');
  const comments = await Promise.all(issues.map(({ number }) => list(`issues/${number}/comments?per_page=100`)));
  return [...issues, ...comments.flat()]
    .filter(({ user }) => user.login === github.author)
    .map((entry) => ({ place: 'issue', text: JSON.stringify(entry) }));
}

async function readAnswers(url: string, { place }: PlantedRun): Promise<readonly Trace[]> {
  const ask = async (path: string) => (await fetch(`${url}${path}`)).text();
  const session = await ask(`/api/v1/session/${place.playId}`);
  const { healer } = JSON.parse(session) as { healer: { incidents: readonly { readonly id: string }[] } };
  const incidents = await Promise.all(healer.incidents.map(({ id }) => ask(`/api/v1/incidents/${id}`)));
  return [session, ...incidents].map((text) => ({ place: 'answer', text }));
}
