import { type ChildProcess, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** What the package is made of, below the project's root. */
const SOURCES =
  'functions lib infra patterns scripts serverless.yml package.json package-lock.json tsconfig.json'.split(' ');
const STAMP = 'source-hash';

/**
 * Packages the service into `.healer/package`, unless what lies there was made from the same sources. A copy of the
 * sources is packaged, since the bundler works inside the folder it is given: two runs do not meet in it.
 * @returns the folder, and whether it was made anew
 * @throws Error with the Serverless Framework's own words when it fails
 */
export async function packageService(
  root: string,
  signal?: AbortSignal,
): Promise<{ directory: string; isFresh: boolean }> {
  const directory = join(root, '.healer', 'package');
  const hash = hashFiles(SOURCES.flatMap((source) => filesBelow(join(root, source))));
  const stamp = join(directory, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return { directory, isFresh: false };
  const draft = `${directory}-${process.pid}`;
  try {
    const copy = join(draft, 'service');
    copySources(root, copy);
    await serverlessPackage(copy, join(draft, 'package'), signal);
    writeFileSync(join(draft, 'package', STAMP), hash);
    rmSync(directory, { recursive: true, force: true });
    renameSync(join(draft, 'package'), directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return { directory, isFresh: true };
}

/** Copies what the package is made of, so that the framework works in a folder of its own. */
export function copySources(root: string, copy: string): void {
  for (const source of SOURCES.filter((each) => existsSync(join(root, each)))) {
    cpSync(join(root, source), join(copy, source), { recursive: true });
  }
}

/** Far longer than packaging takes. */
const TIMEOUT_MS = 120_000;
/** How long the framework may take to end after it has printed an error. */
const GRACE_MS = 500;

/**
 * Runs `serverless package`, which needs no network and no account; the host's AWS settings are kept from it.
 * @throws Error with the Serverless Framework's own words when it fails
 */
export async function serverlessPackage(service: string, outDirectory: string, signal?: AbortSignal): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('serverless/package.json')), 'bin', 'serverless.js');
  const own = Object.entries(process.env).filter(([name]) => !/^(AWS|SLS|SERVERLESS|NODE)_/.test(name));
  const env = { ...Object.fromEntries(own), SLS_TELEMETRY_DISABLED: '1' };
  const options = { cwd: service, env, signal, timeout: TIMEOUT_MS };
  const running = promisify(execFile)(process.execPath, [cli, 'package', '--package', outDirectory], options);
  endAfterError(running.child);
  try {
    await running;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`serverless package failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** After a bundling error the framework does not end by itself; a line with the address of its pages closes its report. */
function endAfterError(child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer | string) => {
      if (/^Docs:\s/m.test(chunk.toString())) setTimeout(() => child.kill(), GRACE_MS).unref();
    });
  }
}

/** The file itself, or all files below a folder; nothing when it does not exist. */
export function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A hash of names and contents. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
