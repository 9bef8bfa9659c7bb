#!/usr/bin/env node
// `npm start`, `npm test` and the other scripts come through here. Plain JavaScript without dependencies, because it runs
// on whatever Node (20 or newer) the machine has, before anything is installed: it installs when `node_modules` is
// missing or stale, finds a Node that the project's tools need, and hands over to it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './find-node.cjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.healer-lock-hash');
/** `healer scan` reads logs of any size in at most 200 MB: a small nursery, and garbage is collected before it piles up. */
const SMALL = ['--max-semi-space-size=2', '--heap-growing-percent=10', '--optimize-for-size'];
/** For the same end: freed memory goes back at once, and sources are not stripped of their types at every start. */
const SMALL_ENV = { MALLOC_TRIM_THRESHOLD_: '131072', NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };

const TARGETS = {
  start: ['lib/local/main.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  e2e: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.e2e.config.ts'],
  healer: [...SMALL, join(root, 'lib/cli/main.ts')],
};

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash();

function fail(message) {
  process.stderr.write(`healer: ${message}\n`);
  process.exit(1);
}

/** Shows that the installation is alive: a counter on a terminal, one line in a pipe. */
function progress(label) {
  const started = Date.now();
  process.stderr.write(`${label} …`);
  const timer = setInterval(() => {
    if (process.stderr.isTTY) process.stderr.write(`\r${label} … ${Math.round((Date.now() - started) / 1000)} s`);
  }, 1000);
  return (end) => {
    clearInterval(timer);
    process.stderr.write(` ${end} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  };
}

async function install() {
  const done = progress('Installing dependencies with npm ci');
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    npm.on('error', () => resolve(127));
    npm.on('close', resolve);
  });
  done(code === 0 ? 'done' : 'failed');
  if (code === 127) fail('npm was not found; it comes with Node.js, install Node.js 20 or newer');
  if (code !== 0) fail(`npm ci failed with code ${code}:\n${output}`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lockHash());
}

function chooseNode() {
  try {
    return findNode();
  } catch (error) {
    return fail(error.message);
  }
}

/** Scripts of the project run in its folder; files that are named to `healer` lie where the person stands. */
const isCommand = process.argv[2] === 'healer';
const cwd = isCommand ? process.cwd() : root;

function handOver(node, args) {
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(node, args, {
    cwd,
    stdio: 'inherit',
    env: {
      ...(isCommand ? SMALL_ENV : {}),
      ...process.env,
      PATH: [dirname(node), bin, process.env.PATH].join(delimiter),
    },
  });
  // The terminal sends Ctrl-C to the whole group; the child decides when it has cleaned up, and this process waits.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const [name = '', ...rest] = process.argv.slice(2);
const target = TARGETS[name] ?? (name.endsWith('.ts') ? [name] : undefined);
if (target === undefined) fail(`unknown script "${name}"; known: ${Object.keys(TARGETS).join(', ')}, or a .ts file`);
if (!isInstalled()) await install();
handOver(chooseNode(), [...target, ...rest]);
