import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { record } from '#test/support/template/template.ts';
import type { PackagedFunction } from './size-package.ts';

/** The clients that nearly every function has; what a function costs is told as a ratio to them alone. */
const TWO_CLIENTS = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
export const all = [DynamoDBClient, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand, SendMessageCommand, SQSClient];
`;

/** Prints how long the first import of a bundle takes in a process of its own, in ms. */
const TIMER = `
const start = process.hrtime.bigint();
require(process.argv[1]);
process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6), () => process.exit(0));
`;

/** Keys of `custom.esbuild` that are the plugin's own and not esbuild's. */
const PLUGIN_KEYS = ['outputFileExtension', 'concurrency'];

interface Candidate {
  readonly name: string;
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Median import times in ms, all measured in one run. */
export interface ColdTimes {
  readonly twoClients: number;
  readonly functions: ReadonlyMap<string, number>;
}

/** The settings with which the deploy tool bundles. */
async function bundleSettings(root: string): Promise<BuildOptions> {
  const config: unknown = parse(await readFile(join(root, 'serverless.yml'), 'utf8'), { logLevel: 'silent' });
  const settings = Object.entries(record(record(record(config)['custom'])['esbuild']));
  return Object.fromEntries(settings.filter(([key]) => !PLUGIN_KEYS.includes(key)));
}

async function bundleTwoClients(root: string, dir: string): Promise<Candidate> {
  const file = join(dir, 'two-clients', 'index.js');
  const stdin = { contents: TWO_CLIENTS, resolveDir: root, loader: 'ts' } as const;
  await build({ ...(await bundleSettings(root)), stdin, outfile: file, logLevel: 'error' });
  return { name: 'two clients', file, environment: {} };
}

async function unpack(dir: string, { name, zip, entry, environment }: PackagedFunction): Promise<Candidate> {
  for (const [path, content] of Object.entries(unzipSync(zip))) {
    await mkdir(dirname(join(dir, name, path)), { recursive: true });
    await writeFile(join(dir, name, path), content);
  }
  return { name, file: join(dir, name, entry), environment };
}

/** @throws Error with what the process printed when the bundle cannot be imported. */
async function timeImport({ name, file, environment }: Candidate): Promise<number> {
  const env = {
    NODE_OPTIONS: '--enable-source-maps',
    AWS_REGION: 'eu-central-1',
    AWS_LAMBDA_FUNCTION_NAME: name,
    ...environment,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', TIMER, file], { env });
  return Number(stdout.split('\n').at(-1));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Every candidate once a round, so that a busy moment of the machine touches all alike. */
async function timeRounds(candidates: readonly Candidate[], rounds: number): Promise<readonly number[]> {
  const times = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) times[index]?.push(await timeImport(candidate));
  }
  return times.map(median);
}

/** Imports each function's bundle, and a bundle of the two AWS clients alone, in fresh processes of this Node. */
export async function coldTimes(
  root: string,
  functions: readonly PackagedFunction[],
  rounds: number,
): Promise<ColdTimes> {
  const dir = await mkdtemp(join(tmpdir(), 'healer-size-'));
  try {
    await writeFile(join(dir, 'package.json'), '{"type":"commonjs"}');
    const unpacked = await Promise.all(functions.map((packaged) => unpack(dir, packaged)));
    const [twoClients = Number.NaN, ...times] = await timeRounds(
      [await bundleTwoClients(root, dir), ...unpacked],
      rounds,
    );
    return { twoClients, functions: new Map(functions.map(({ name }, index) => [name, times[index] ?? Number.NaN])) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
