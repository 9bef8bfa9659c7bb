import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { copySources } from '#lib/local/package-service.ts';
import type { Deployer } from './deployer.ts';
import type { Emulator } from './emulator.ts';

const FRAMEWORK = join(
  dirname(createRequire(import.meta.url).resolve('serverless/package.json')),
  'bin',
  'serverless.js',
);

/** Far longer than a deployment to the emulator takes. */
const TIMEOUT_MS = 240_000;
/** How long the framework may take to end after it has printed an error. */
const GRACE_MS = 1_000;

/** The stage that is deployed; names and the secrets' path follow from it. */
export const STAGE = 'prove';

/** A copy of the service, and the framework that deploys it as an operator does. */
export interface Service {
  /** The copy: the framework writes into the service's folder, and a check may change a file of it. */
  readonly folder: string;
  /** `npx serverless deploy --stage prove`; returns what it printed. @throws Error with its words */
  deploy(): Promise<string>;
  remove(): Promise<string>;
  /** `npx healer <words> --stage prove`, with the operator's settings; returns what it printed to stdout. */
  healer(...words: readonly string[]): Promise<string>;
  /** The same, with `input` by stdin. */
  tell(input: string, ...words: readonly string[]): Promise<string>;
  /** `npx healer <words>`, too, while `watch` is told each time what is printed so far. */
  follow(watch: (printed: string) => void, ...words: readonly string[]): Promise<string>;
  /** Log lines of a function as `npx serverless logs` shows them; empty while there are none. */
  logs(functionName: string): Promise<string>;
  /** Ends what is still running of it. */
  stop(): Promise<void>;
}

/** Copies the sources below `root` into `folder`. */
export function openService(root: string, folder: string, emulator: Emulator, deployer: Deployer): Service {
  copySources(root, folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const temporary = join(dirname(folder), 'framework-tmp');
  mkdirSync(temporary, { recursive: true });
  const env = toEnvironment(emulator, deployer, temporary);
  const stage = ['--stage', STAGE];
  const running = new Set<ChildProcess>();
  const runHere = (args: readonly string[], input = '', watch?: (printed: string) => void) =>
    run([...args, ...stage], { cwd: folder, env, input, watch }, running);
  const serverless = async (args: readonly string[]) =>
    stripVTControlCharacters((await runHere([FRAMEWORK, ...args])).all);
  const command = join('lib', 'cli', 'main.ts');
  return {
    folder,
    deploy: () => serverless(['deploy']),
    remove: () => serverless(['remove']),
    healer: async (...words) => (await runHere([command, ...words])).stdout,
    tell: async (input, ...words) => (await runHere([command, ...words], input)).stdout,
    follow: async (watch, ...words) => (await runHere([command, ...words], '', watch)).stdout,
    async stop() {
      const ends = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
    },
    logs: async (functionName) => {
      const since = ['--startTime', '1h'];
      return serverless(['logs', '--function', functionName, ...since]).catch(() => '');
    },
  };
}

/** The settings of an operator whose account is the emulator; nothing of the host's account gets in. */
function toEnvironment(
  { endpoint, certificate }: Emulator,
  { accessKeyId, secretAccessKey }: Deployer,
  temporary: string,
): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: temporary,
    TMPDIR: temporary,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_NO_WARNINGS: '1',
    SLS_TELEMETRY_DISABLED: '1',
    SLS_NOTIFICATIONS_MODE: 'off',
  };
}

/** What a program printed: to stdout, and altogether. */
interface Printed {
  stdout: string;
  all: string;
}

interface Run {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Given to it by stdin. */
  readonly input: string;
  /** Told each time what it has printed to stdout so far. */
  readonly watch?: ((printed: string) => void) | undefined;
}

/** Runs a program of Node. @throws Error with everything that it printed when it fails */
async function run(
  args: readonly string[],
  { input, watch, ...place }: Run,
  running: Set<ChildProcess>,
): Promise<Printed> {
  const child = spawn(process.execPath, args, { ...place, stdio: 'pipe', timeout: TIMEOUT_MS });
  // A program that does not read its input may end before it has taken it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const printed = collect(child);
  child.stdout.on('data', () => watch?.(printed.stdout));
  running.add(child);
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  running.delete(child);
  if (code === 0) return printed;
  throw new Error(`${args[1]} ended with ${code ?? 'a signal'}:\n${stripVTControlCharacters(printed.all).trim()}`);
}

function collect(child: ChildProcess): Printed {
  const printed: Printed = { stdout: '', all: '' };
  const take = (chunk: Buffer) => {
    printed.all += chunk.toString();
    // After a bundling error the framework does not end by itself; this line closes its report.
    if (/^Docs:\s/m.test(printed.all)) setTimeout(() => child.kill(), GRACE_MS).unref();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    printed.stdout += chunk.toString();
    take(chunk);
  });
  child.stderr?.on('data', take);
  return printed;
}
