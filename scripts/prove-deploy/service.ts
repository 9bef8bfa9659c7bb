import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { copySources } from '#lib/local/package-service.ts';
import { type Emulator, REGION } from './emulator.ts';

const FRAMEWORK = join(
  dirname(createRequire(import.meta.url).resolve('serverless/package.json')),
  'bin',
  'serverless.js',
);

/** Far longer than a deployment to the emulator takes. */
const TIMEOUT_MS = 240_000;
/** How long the framework may take to end after it has printed an error. */
const GRACE_MS = 1_000;

/** Where the stage is; the secrets' path follows from it (infra/parameters.yml). */
export const STAGE = 'prove';

/** A copy of the service, and the framework that deploys it as an operator does. */
export interface Service {
  /** The copy: the framework writes into the service's folder, and a check may change a file of it. */
  readonly folder: string;
  /** `npx serverless deploy --stage prove --param …`; returns what it printed. @throws Error with its words */
  deploy(): Promise<string>;
  remove(): Promise<string>;
  /** `npx healer <words> --stage prove`, with the operator's settings; returns what it printed to stdout. */
  healer(...words: readonly string[]): Promise<string>;
  /** Log lines of a function as `npx serverless logs` shows them; empty while there are none. */
  logs(functionName: string): Promise<string>;
  /** Ends what is still running of it. */
  stop(): Promise<void>;
}

/** Copies the sources below `root` into `folder`. `parameters` become `--param` words of the deployment. */
export function openService(
  root: string,
  folder: string,
  emulator: Emulator,
  parameters: Readonly<Record<string, string>>,
): Service {
  copySources(root, folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const temporary = join(dirname(folder), 'framework-tmp');
  mkdirSync(temporary, { recursive: true });
  const env = toEnvironment(emulator, temporary);
  const words = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  const stage = ['--stage', STAGE, '--region', REGION];
  const running = new Set<ChildProcess>();
  const runIn = (cwd: string, args: readonly string[]) => run(cwd, args, env, running);
  const serverless = async (args: readonly string[]) =>
    stripVTControlCharacters((await runIn(folder, [FRAMEWORK, ...args, ...stage])).all);
  return {
    folder,
    deploy: () => serverless(['deploy', ...words]),
    remove: () => serverless(['remove', ...words]),
    healer: async (...own) => (await runIn(root, [join('lib', 'cli', 'main.ts'), ...own, ...stage])).stdout,
    async stop() {
      const ends = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
    },
    logs: async (functionName) => {
      const since = ['--startTime', '1h'];
      return serverless(['logs', '--function', functionName, ...since, ...words]).catch(() => '');
    },
  };
}

/** The settings of an operator whose account is the emulator; nothing of the host's account gets in. */
function toEnvironment({ endpoint, certificate }: Emulator, temporary: string): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: temporary,
    TMPDIR: temporary,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
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

/** Runs a program of Node. @throws Error with everything that it printed when it fails */
async function run(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  running: Set<ChildProcess>,
): Promise<Printed> {
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const printed = collect(child);
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
