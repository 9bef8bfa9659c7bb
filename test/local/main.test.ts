import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

/** Packaging takes some seconds when the sources have changed, the demo about half a minute. */
const WITH_PACKAGING_MS = 300_000;

let running: ChildProcess | undefined;
afterEach(() => {
  if (running?.exitCode === null) running.kill('SIGKILL');
  running = undefined;
});

/** `npm start` without npm: what it prints, and how it ends. */
function start(...args: string[]) {
  const child = spawn(process.execPath, ['lib/local/main.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, exit, output: () => output };
}

describe('npm start', () => {
  it('--help says what there is', async () => {
    const { exit, output } = start('--help');
    expect([await exit, output()]).toEqual([0, expect.stringContaining('npm start -- --once')]);
  });

  it('refuses an unknown flag with a sentence', async () => {
    const { exit, output } = start('--nonsense');
    expect(await exit).toBe(1);
    expect(output()).toBe("healer: Unknown option '--nonsense'; npm start -- --help lists what is known\n");
  });

  it('names a port that is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { exit, output } = start('--port', String(port));
    expect(await exit).toBe(1);
    expect(output()).toContain(
      `port ${port} is taken by another program; choose another one with --port or HEALER_PORT`,
    );
    server.close();
  });

  it('serves until Ctrl-C', { timeout: WITH_PACKAGING_MS }, async () => {
    const { child, exit, output } = start('--port', '0');
    const isUp = expect.poll(output, { timeout: WITH_PACKAGING_MS }).toContain('Ctrl-C ends it');
    await Promise.race([isUp, exit.then((code) => expect.fail(`it ended with ${code}: ${output()}`))]);
    const url = /curl (http:\S+)/.exec(output())?.[1] ?? '';
    const answer = (await (await fetch(url.replace('localhost', '127.0.0.1'))).json()) as { sessions: unknown[] };
    // The demo's plays have ended.
    expect(answer.sessions).toEqual([]);
    child.kill('SIGINT');
    expect(await exit).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
