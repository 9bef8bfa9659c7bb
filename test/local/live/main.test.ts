import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** `npm start -- --live …` without npm, with this environment and no other peer. */
async function startLive(env: Readonly<Record<string, string>>, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'healer-test-'));
  const child = spawn(process.execPath, ['lib/local/main.ts', '--live', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  rmSync(home, { recursive: true, force: true });
  return { code, output };
}

describe('npm start -- --live', () => {
  it('says what is missing before it does anything', async () => {
    const { code, output } = await startLive({ GITHUB_TOKEN: 'secret-of-github' });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^healer: The configuration has 2 fault\(s\): LOKI_URL must be .*ALLOWED_REPOSITORIES must be/,
    );
    expect(output).not.toContain('secret-of');
  });

  it('does not play the demo on real peers', async () => {
    const { code, output } = await startLive({}, '--once');
    expect([code, output]).toEqual([1, 'healer: --once and --fault belong to the demo, not to --live\n']);
  });
});
