import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScanReportJson } from '#lib/cli/scan/report-json.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';
import { callCli } from '#test/support/run-cli.ts';

const PANIC = "thread 'main' panicked at src/main.rs:1:1: boom";

let loki: EmbeddedLoki;
beforeAll(async () => {
  loki = await startLoki({ tenants: true });
  const ago = (seconds: number): string => String(BigInt(Date.now() - seconds * 1000) * 1_000_000n);
  const filler = Array.from({ length: 7000 }, (_, i) => [ago(600 - i / 20), `step ${i}`] as const);
  const stream = (pod: string, values: readonly (readonly [string, string])[]) => ({
    stream: { namespace: 'cto', pod, container: 'agent' },
    values: values.map(([ns, line]): [string, string] => [ns, line]),
  });
  loki.push(
    [
      stream('play-1-rex-abc12', [
        [ago(500), 'starting'],
        [ago(400), PANIC],
      ]),
      stream('play-2-rex-abc12', [[ago(300), PANIC]]),
      stream('play-3-cleo-abc12', filler),
      stream('play-4-tess-abc12', [[ago(5), 'ERROR: Reconnecting... 1/5 (error sending request)']]),
      { stream: { namespace: 'cto', pod: 'promtail-x2x4z' }, values: [[ago(200), PANIC]] },
    ],
    'team',
  );
});
afterAll(() => loki.stop());

async function scan(args: readonly string[], call = {}) {
  const answer = await callCli(['scan', '--json', '--loki', ...args], call);
  return { ...answer, report: ScanReportJson.parse(JSON.parse(answer.stdout)) };
}

describe('scan --loki', () => {
  it('pulls all lines, groups them by play, and waits for what may still recover', async () => {
    const { code, report } = await scan([loki.url, '--tenant', 'team', '--since', '1h']);
    expect([code, report.incidents.length, report.faults]).toEqual([1, 1, []]);
    expect(report.incidents[0]).toMatchObject({ plays: ['play-1', 'play-2'], agents: ['rex'], occurrences: 2 });
    expect(report.coverage.lines).toBe(7005);
    expect(report.coverage.pods.map(({ play }) => play).toSorted()).toEqual(['play-1', 'play-2', 'play-3', 'play-4']);
    expect(report.coverage.notes).toContainEqual(expect.stringContaining("1 line of Healer's own pods"));
  });

  it('takes the tenant from the environment, and a selector', async () => {
    const { report } = await scan([loki.url, '--selector', '{pod=~"play-2.*"}'], { env: { LOKI_ORG_ID: 'team' } });
    expect(report.incidents.map(({ plays }) => plays)).toEqual([['play-2']]);
  });

  it('says when nothing matches: that is blind, not quiet', async () => {
    const { code, report } = await scan([loki.url, '--tenant', 'team', '--namespace', 'elsewhere']);
    expect(code).toBe(0);
    expect(report.coverage.gaps[0]).toMatch(/^No line matches \{namespace="elsewhere"\} between/);
  });

  it('a Loki that refuses: exit 2 with its reason and advice', async () => {
    const gone = await startLoki();
    await gone.stop();
    const { code, stderr } = await callCli(['scan', '--loki', gone.url]);
    expect([code, stderr.startsWith('healer: Nothing listens at the Loki address (127.0.0.1:')]).toEqual([2, true]);
  });

  it('sends user and password from the environment, and prints neither', async () => {
    const peer = await aHttpPeer((response) => response.writeHead(401).end('no'));
    const env = { LOKI_USERNAME: 'reader', LOKI_PASSWORD: 'hunter2-secret' };
    const { code, stdout, stderr } = await callCli(['scan', '--loki', peer.url], { env });
    await peer.stop();
    expect(code).toBe(2);
    expect(peer.asked[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('reader:hunter2-secret').toString('base64')}`,
    );
    expect(stdout + stderr).not.toContain('hunter2');
    const noPassword = await callCli(['scan', '--loki', peer.url, '--user', 'reader']);
    expect(noPassword.stderr).toContain('set LOKI_PASSWORD');
  });

  it('Ctrl-C while Loki does not answer: prints what is known so far', async () => {
    const controller = new AbortController();
    const peer = await aHttpPeer(() => controller.abort());
    const { code, stderr } = await callCli(['scan', '--loki', peer.url], { signal: controller.signal });
    await peer.stop();
    expect([code, stderr.startsWith('healer: Stopped by Ctrl-C: the logs are read until ')]).toEqual([2, true]);
  });
});
