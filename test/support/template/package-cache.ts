import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The repository's root, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

const CACHE = join(tmpdir(), `healer-packages-${userInfo().username}`);
const POLL_MS = 100;
const PACKAGING_MS = 120_000;
const KEPT_MS = 24 * 3_600_000;

/** What `serverless package` reads. Every path is relative to `root`, a file or a folder. */
export interface PackageInput {
  readonly root: string;
  /** Copied to where the packaging runs, and part of the hash. */
  readonly copied: readonly string[];
  /** Part of the hash only: what the copied files depend on. */
  readonly hashed: readonly string[];
  /** Further files, by path: what they hold. */
  readonly written?: Readonly<Record<string, string>>;
}

async function filesBelow(root: string, path: string): Promise<string[]> {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if ((await stat(full)).isFile()) return [path];
  const entries = await readdir(full, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).toSorted();
}

/** SHA-256 over names and contents, hex. A file that does not exist counts as absent. */
async function hashOf(input: PackageInput): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(input.written ?? {}));
  for (const path of [...input.copied, ...input.hashed]) {
    for (const file of await filesBelow(input.root, path)) {
      const content = await readFile(join(input.root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex').slice(0, 32);
}

/** Runs the deploy tool of this repository in `cwd`. @throws Error with what the tool printed. */
async function runServerless(cwd: string, out: string): Promise<void> {
  const script = join(ROOT, 'node_modules', 'serverless', 'bin', 'serverless.js');
  // What the host's environment holds (profiles, regions, parameters) must not reach the package.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SLS_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, [script, 'package', '--package', out], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`serverless package ended with code ${code}:\n${printed}`);
}

/**
 * Packages a snapshot. The tool builds in a fixed folder inside the service, so that two runs there disturb each other;
 * a snapshot of its own also keeps the result true to the hash while sources are being edited.
 */
async function packageSnapshot(input: PackageInput, target: string): Promise<void> {
  const work = `${target}.${randomUUID()}`;
  const service = join(work, 'service');
  try {
    await mkdir(service, { recursive: true });
    for (const path of input.copied) {
      const from = join(input.root, path);
      if (!existsSync(from)) continue;
      await mkdir(dirname(join(service, path)), { recursive: true });
      await cp(from, join(service, path), { recursive: true });
    }
    for (const [path, content] of Object.entries(input.written ?? {})) await writeFile(join(service, path), content);
    await symlink(join(ROOT, 'node_modules'), join(service, 'node_modules'), 'dir');
    await runServerless(service, join(work, 'out'));
    // Another process may have finished first, after it took over the lock of one that ended: the same content.
    await rename(join(work, 'out'), target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** True when this process holds the lock; a lock whose holder is gone is taken over. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes packages of earlier sources; the folder would grow with every edit. */
async function pruneCache(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Packages a service once per content: the folder with the template and the zips, shared by all test files and workers.
 * Treat it as read-only.
 *
 * @throws Error with the tool's output when packaging fails, or when another process's packaging does not end.
 */
export async function packageOnce(name: string, input: PackageInput): Promise<string> {
  const target = join(CACHE, `${name}-${await hashOf(input)}`);
  const lock = `${target}.lock`;
  await mkdir(CACHE, { recursive: true, mode: 0o700 });
  for (const started = Date.now(); Date.now() - started < PACKAGING_MS; await sleep(POLL_MS)) {
    if (existsSync(target)) return target;
    if (!(await takeLock(lock))) continue;
    try {
      if (!existsSync(target)) await packageSnapshot(input, target);
      await pruneCache();
      return target;
    } finally {
      await rm(lock, { force: true });
    }
  }
  throw new Error(`another process holds ${lock} and does not finish; remove it and run again`);
}
