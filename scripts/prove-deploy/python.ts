import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the pinned packages need. */
const OLDEST = [3, 10] as const;
const NAMES = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const VERSION = 'import sys; print(sys.version_info[0], sys.version_info[1])';
const INSTALL_MS = 300_000;

const GET_PYTHON =
  `The emulator needs Python ${OLDEST.join('.')} or newer with its module venv, and none was found. ` +
  'Debian and Ubuntu: apt-get install python3 python3-venv; Fedora: dnf install python3; macOS: brew install python; ' +
  'else https://www.python.org/downloads. Only npm run prove:deploy needs it.';
const GET_OPENSSL =
  'The emulator makes its certificate with the command openssl, and that was not found. ' +
  'Debian and Ubuntu: apt-get install openssl; Fedora: dnf install openssl; macOS has it.';

/** A Python of its own with the emulator in it. */
export interface PythonEnvironment {
  readonly python: string;
  /** False when it lay there from an earlier run. */
  readonly isFresh: boolean;
}

/**
 * The environment below `folder` that holds exactly the requirements; made when it is not there. Its name is a hash of
 * them, so that other requirements get another one.
 * @throws Error that says how to get Python or openssl, or what pip said
 */
export async function ensurePython(folder: string, requirements: string): Promise<PythonEnvironment> {
  const base = await findPython();
  await run('openssl', ['version']).catch(() => fail(GET_OPENSSL));
  const hash = createHash('sha256').update(readFileSync(requirements)).update(base).digest('hex').slice(0, 16);
  const home = join(folder, `python-${hash}`);
  const python = join(home, 'bin', 'python');
  if (existsSync(python)) return { python, isFresh: false };
  mkdirSync(folder, { recursive: true });
  const draft = `${home}-${process.pid}`;
  try {
    await run(base, ['-m', 'venv', draft]).catch(() => fail(GET_PYTHON));
    await install(join(draft, 'bin', 'python'), requirements);
    if (!existsSync(home)) renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return { python, isFresh: true };
}

async function install(python: string, requirements: string): Promise<void> {
  const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  try {
    await run(python, ['-m', 'pip', 'install', ...options, '-r', requirements], { timeout: INSTALL_MS });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`pip could not install ${requirements}; it needs to reach a package index:\n${stderr}`, {
      cause: error,
    });
  }
}

/** @throws Error that says how to get one */
async function findPython(): Promise<string> {
  for (const name of NAMES) {
    const answer = await run(name, ['-c', VERSION]).catch(() => ({ stdout: '0 0' }));
    const [major = 0, minor = 0] = answer.stdout.trim().split(' ').map(Number);
    if (major === OLDEST[0] && minor >= OLDEST[1]) return name;
  }
  return fail(GET_PYTHON);
}

function fail(message: string): never {
  throw new Error(message);
}
