import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const START_MS = 60_000;
const STOP_MS = 8_000;
const POLL_MS = 200;

export const REGION = 'eu-central-1';

/** A running AWS emulator that enforces IAM and speaks TLS alone, on loopback. */
export interface Emulator {
  /** `https://127.0.0.1:<port>`, for all services. */
  readonly endpoint: string;
  /** Its own certificate, which callers must trust. */
  readonly certificate: string;
  /** Where it writes what it does. */
  readonly log: string;
}

/**
 * Starts MiniStack with a clean environment: its functions inherit that, so a variable that the template forgets stays
 * missing. Its temporary files, unpacked functions among them, lie below `folder`.
 * @param onLaunch is given, at once, what ends it and everything that it starts, and throws when something of it stays
 * @throws Error with the end of its log when it does not get ready
 */
export async function startEmulator(
  python: string,
  folder: string,
  onLaunch: (stop: () => Promise<void>) => void,
): Promise<Emulator> {
  const port = await findFreePort();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const log = join(folder, 'emulator.log');
  const child = launch(python, { port, folder, temporary, log });
  const endpoint = `https://127.0.0.1:${port}`;
  const certificate = join(temporary, 'ministack-tls', 'server.crt');
  onLaunch(() => stopGroup(child));
  try {
    await waitUntilReady(child, endpoint, certificate);
  } catch (error) {
    const tail = readFileSync(log, 'utf8').split('\n').slice(-15).join('\n');
    throw new Error(`the emulator did not start: ${(error as Error).message}\n${tail}`, { cause: error });
  }
  return { endpoint, certificate, log };
}

interface Place {
  readonly port: number;
  readonly folder: string;
  readonly temporary: string;
  readonly log: string;
}

function launch(python: string, { port, folder, temporary, log }: Place): ChildProcess {
  const output = openSync(log, 'a');
  // Its own entry point would also listen on port 443 of this machine, where it may.
  const server = ['-m', 'hypercorn', 'ministack.app:app', '--config', 'python:ministack.core.hypercorn_conf'];
  const child = spawn(python, [...server, '--bind', `127.0.0.1:${port}`, '--keep-alive', '75'], {
    cwd: folder,
    // A group of its own, so that the functions' processes end with it.
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      // Functions run on the `node` that is found first.
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      TMPDIR: temporary,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_REGION: REGION,
      USE_SSL: '1',
      AUTH: 'true',
    },
  });
  closeSync(output);
  return child;
}

/** Waits for an answer over TLS, and trusts the certificate from then on in this process. */
async function waitUntilReady(child: ChildProcess, endpoint: string, certificate: string): Promise<void> {
  const own = getCACertificates('default');
  for (const start = performance.now(); performance.now() - start < START_MS; await sleep(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    try {
      setDefaultCACertificates([...own, readFileSync(certificate, 'utf8')]);
      if ((await fetch(`${endpoint}/_ministack/health`)).ok) return;
    } catch {
      // It is still making its certificate or its port.
    }
  }
  throw new Error(`no answer within ${START_MS / 1000} s`);
}

async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.kill('SIGTERM');
  for (const start = performance.now(); performance.now() - start < STOP_MS; await sleep(POLL_MS)) {
    if (!hasGroup(pid)) return;
  }
  process.kill(-pid, 'SIGKILL');
  await sleep(POLL_MS);
  if (hasGroup(pid)) throw new Error(`processes of the emulator stay in the group ${pid}`);
}

/** Whether a process of the group is alive. */
function hasGroup(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port on 127.0.0.1');
  return address.port;
}
