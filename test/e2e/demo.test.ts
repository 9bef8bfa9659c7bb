import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

/** Packaging takes some seconds when the sources have changed; the demo itself about ten. */
const TIMEOUT_MS = 300_000;

/** `npm start -- --once …` without npm: the packaged artefact on embedded peers. */
async function demo(...args: string[]) {
  const child = spawn(process.execPath, ['lib/local/main.ts', '--once', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      LOKI_URL: 'http://loki.invalid',
      GITHUB_API_URL: 'http://github.invalid',
      GITHUB_TOKEN: 'x',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** One a failure, however many plays show it: the misspelt tool, the refused key, the killed pod, the crash. */
const ISSUES = 4;

const issuesIn = (output: string): readonly string[] =>
  [...output.matchAll(/^Issue #\d+ {2}(\S+)$/gm)].map(([, url = '']) => url);

describe('npm start -- --once', { timeout: TIMEOUT_MS }, () => {
  it('tells the way from log lines to the issues and back, whatever peers the environment names', async () => {
    const { code, output } = await demo();
    expect([code, issuesIn(output).length], output).toEqual([0, ISSUES]);
    for (const url of issuesIn(output)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    for (const arrow of [
      'MCP ─▶ session API',
      'Loki ─▶ detect',
      'detect ─▶ incident',
      '─▶ gather',
      '─▶ evaluate',
      '─▶ publish',
    ])
      expect(output).toContain(arrow);
    expect(output).toContain('github_create_brnch');
  });

  it.each(['deliver-twice', 'drop-once'])('ends with the same issues under --fault %s', async (fault) => {
    const { code, output } = await demo('--fault', fault);
    expect([code, issuesIn(output).length], output).toEqual([0, ISSUES]);
  });

  it('names the broken arrow and the reason under --fault loki-down', async () => {
    const { code, output } = await demo('--fault', 'loki-down');
    expect(code).toBe(1);
    expect(output).toMatch(/broken arrow: Loki ─▶ detect; the session is blind: .*Loki/);
  });

  it('refuses a fault that it does not know', async () => {
    const { code, output } = await demo('--fault', 'gremlins');
    expect([code, output]).toEqual([1, expect.stringContaining('there is no fault "gremlins"; known are')]);
  });
});
