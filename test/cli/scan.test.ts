import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ScanReportJson } from '#lib/cli/scan/report-json.ts';
import { callCli } from '#test/support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'healer-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLES = join(import.meta.dirname, '../corpus/samples');
const samples = readdirSync(SAMPLES).map((file) => join(SAMPLES, file));

function aFile(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function scanJson(args: readonly string[], stdin?: string | Buffer) {
  const answer = await callCli(['scan', '--json', ...args], stdin === undefined ? {} : { stdin });
  return { ...answer, report: ScanReportJson.parse(JSON.parse(answer.stdout)) };
}

const PANIC = "thread 'main' panicked at src/main.rs:1:1: boom";
const stamped = (seconds: number, text: string) =>
  `2026-01-08T16:04:${String(seconds).padStart(2, '0')}.000000000Z ${text}`;

describe('scan', () => {
  it('tells incidents, most severe first, then what was read and what cannot be seen', async () => {
    const { code, stdout } = await callCli(['scan', ...samples]);
    expect(code).toBe(1);
    const severities = [...stdout.matchAll(/^(CRITICAL|HIGH|MEDIUM|LOW) /gm)].map(([, severity]) => severity);
    expect(severities.length).toBeGreaterThan(3);
    const order = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
    expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a ?? '') - order.indexOf(b ?? '')));
    for (const label of ['agent', 'seen', 'cause', 'evidence', 'remedy', 'goes to'])
      expect(stdout).toContain(`\n  ${label} `);
    expect(stdout.indexOf('\nRead\n')).toBeGreaterThan(stdout.lastIndexOf('goes to'));
    expect(stdout).toContain('A12 cannot be seen for codex without RUST_LOG=warn');
  });

  it('is 80 columns wide, apart from commands that are there to be pasted', async () => {
    const { stdout } = await callCli(['scan', ...samples.map((path) => path.replace(`${process.cwd()}/`, ''))]);
    const wide = stdout.split('\n').filter((line) => line.length > 80);
    expect(wide.filter((line) => !/^ {15}(?:kubectl|jq|git|curl)/.test(line))).toEqual([]);
  });

  it.each([
    ['a pipe', {}, false],
    ['a terminal', { columns: 80 }, true],
    ['a terminal with NO_COLOR', { columns: 80, env: { NO_COLOR: '1' } }, false],
  ])('colours on %s', async (_where, call, expected) => {
    const { stdout } = await callCli(['scan', aFile('panic.log', `${PANIC}\n`)], call);
    expect(stdout.includes('\u001b[')).toBe(expected);
  });

  it('shows progress on a terminal only', async () => {
    const path = aFile('panic.log', `${PANIC}\n`);
    expect((await callCli(['scan', path])).stderr).toBe('');
    expect((await callCli(['scan', path], { columns: 80 })).stderr).toContain('1 line, ');
  });

  it('finds nothing in an ordinary log and says what that does not prove', async () => {
    const { code, stdout } = await callCli(['scan', aFile('fine.log', 'starting\nlistening on 8080\n')]);
    expect([code, stdout.startsWith('Nothing found')]).toEqual([0, true]);
    expect(stdout).toContain('no proof');
  });

  it('prints no secret', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`;
    const path = aFile(
      'secret.log',
      `git: fatal: Authentication failed for 'https://x:${secret}@github.com/a/b'\n${PANIC} ${secret}\n`,
    );
    const [text, json] = [await callCli(['scan', path]), await callCli(['scan', '--json', path])];
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout + json.stdout).not.toContain(secret);
  });

  it('lets no terminal sequence of a log through', async () => {
    const { stdout } = await callCli([
      'scan',
      aFile('hostile.log', `\u001b]0;title\u0007${PANIC} \u001b[2J\u009b31m\n`),
    ]);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('stops at Ctrl-C and prints what is known so far', async () => {
    const controller = new AbortController();
    controller.abort();
    const { code, stderr } = await callCli(['scan', aFile('panic.log', `${PANIC}\n`)], { signal: controller.signal });
    expect([code, stderr]).toEqual([2, 'healer: Stopped by Ctrl-C: only a part was read.\n']);
  });
});

it('Ctrl-C while input is waited for: prints what is known so far', async () => {
  const controller = new AbortController();
  const stdin = new PassThrough();
  const answer = callCli(['scan', '-'], { stdin, signal: controller.signal });
  stdin.write(`${PANIC}\nstill at work\n`);
  await vi.waitUntil(() => stdin.readableLength === 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  controller.abort();
  const { code, stdout, stderr } = await answer;
  expect([code, stdout.includes('panicked at'), stderr]).toEqual([
    2,
    true,
    'healer: Stopped by Ctrl-C: only a part was read.\n',
  ]);
});

describe('formats', () => {
  const lines = ['starting', 'still starting', PANIC];
  const loki = (values: readonly (readonly [string, string])[]) => ({
    status: 'success',
    data: { resultType: 'streams', result: [{ stream: { pod: 'play-1-rex-abc12', container: 'agent' }, values }] },
  });
  const ns = (i: number) => `17678882${51 + i}000000000`;
  const answers = loki(lines.map((line, i) => [ns(i), line] as const).toReversed());
  const CONTENTS: Readonly<Record<string, string | Buffer>> = {
    plain: lines.join('\n'),
    kubectl: lines.map((line, i) => stamped(i + 11, line)).join('\n'),
    'kubectl prefix': lines.map((line, i) => `[pod/play-1-rex-abc12/agent] ${stamped(i + 11, line)}`).join('\n'),
    jsonl: lines
      .map((line, i) =>
        JSON.stringify({ time: `2026-01-08T16:04:${11 + i}Z`, pod: 'play-1-rex-abc12', container: 'agent', line }),
      )
      .join('\n'),
    loki: JSON.stringify(answers),
    'loki, set out': JSON.stringify(answers, null, 2),
    'loki, two answers': `${JSON.stringify(loki([[ns(0), 'starting']]))}\n${JSON.stringify(loki([[ns(2), PANIC]]))}\n`,
  };

  it.each(Object.keys(CONTENTS))('%s is known by its content, packed or not', async (name) => {
    const content = CONTENTS[name] ?? '';
    const path = aFile('some.log', content);
    const packed = aFile('some.log.gz', gzipSync(content));
    for (const args of [[path], [packed], ['-']]) {
      const { code, report } = await scanJson(args, args[0] === '-' ? content : undefined);
      const [incident] = report.incidents;
      expect([code, incident?.pattern, incident?.evidence[0]?.text]).toEqual([1, 'crash.panic', PANIC]);
      if (name !== 'plain') expect(incident?.first_seen).toBe('2026-01-08T16:04:13.000Z');
      if (/prefix|jsonl|loki/.test(name)) {
        expect([incident?.pods, incident?.agents, incident?.plays]).toEqual([
          ['play-1-rex-abc12'],
          ['rex'],
          ['play-1'],
        ]);
      }
    }
  });

  it('tells file and line of the evidence', async () => {
    const { report } = await scanJson([aFile('rex.log', CONTENTS['kubectl'] ?? '')]);
    expect(report.incidents[0]?.evidence[0]).toMatchObject({
      file: join(folder, 'rex.log'),
      line: 3,
      at: '2026-01-08T16:04:13.000000000Z',
    });
  });

  it('insists on a format: the line that does not have it is named', async () => {
    const { code, stderr } = await callCli(['scan', '--format', 'jsonl', aFile('bad.log', '{"line":"x"}\noops\n')]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(folder, 'bad.log')}, line 2 is not in the format jsonl; expected {"time"`);
  });

  it('puts the lines of several files in the order of time, so that a retry in one is lifted by success in it alone', async () => {
    const retry = stamped(10, 'ERROR: Reconnecting... 1/5 (error sending request)');
    const one = aFile('play-2-rex-abc12.log', `${retry}\n${stamped(20, 'Reconnected, request succeeded')}\n`);
    const other = aFile('play-2-cleo-abc12.log', `${stamped(12, PANIC)}\n`);
    const { report } = await scanJson([one, other]);
    expect(report.incidents.map(({ pods }) => pods)).toEqual([['play-2-cleo-abc12']]);
    expect(report.coverage.pods.map(({ pod, play, agent }) => [pod, play, agent])).toEqual([
      ['play-2-rex-abc12', 'play-2', 'rex'],
      ['play-2-cleo-abc12', 'play-2', 'cleo'],
    ]);
  });
});

describe('bad input', () => {
  const truncated = gzipSync('a line\n'.repeat(5000)).subarray(0, 60);

  it.each([
    ['a missing file', () => join(folder, 'none.log'), /none\.log does not exist; give the path of a log file/],
    ['a directory', () => folder, /is a directory; name the files in it/],
    ['an empty file', () => aFile('empty.log', ''), /empty\.log is empty; expected at least one line/],
    [
      'a binary file',
      () => aFile('binary.log', Buffer.from([0x7f, 0x45, 0, 1, 2])),
      /binary\.log is a binary file; expected text/,
    ],
    [
      'UTF-16',
      () => aFile('wide.log', Buffer.from('\ufeffline', 'utf16le')),
      /wide\.log is UTF-16; convert it first: iconv/,
    ],
    ['truncated gzip', () => aFile('cut.log.gz', truncated), /cut\.log\.gz ends in the middle of its gzip data/],
    [
      'unsound gzip',
      () => aFile('odd.log.gz', Buffer.from('1f8b0800000000000003ffffffff', 'hex')),
      /odd\.log\.gz is not sound gzip data/,
    ],
    [
      'a broken answer of Loki',
      () => aFile('loki.json', '{"status":"success","data":{"resultType":"matrix","result":[]}}'),
      /line 1 \(answer 1\) is not a sound answer/,
    ],
    [
      'an answer that breaks off',
      () => aFile('loki2.json', '{"status":"success","data":{"resultType":"streams","result":['),
      /ends in the middle; expected its closing brace/,
    ],
    [
      'labelled cases',
      () => aFile('cases.jsonl', '{"id":"c1","start":"2026-01-08T16:04:11Z","lines":[{"t":1,"pod":"p","line":"x"}]}\n'),
      /holds labelled cases; read it with --cases/,
    ],
  ])('%s: exit 2 and a sentence', async (_name, path, sentence) => {
    const { code, stderr, stdout } = await callCli(['scan', path()]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  it.skipIf(process.getuid?.() === 0)('an unreadable file: exit 2 and a sentence', async () => {
    const path = aFile('secret.txt', 'x');
    chmodSync(path, 0);
    expect((await callCli(['scan', path])).stderr).toContain('cannot be read: permission denied');
  });

  it.skipIf(process.platform !== 'linux')('a file whose content cannot be read: exit 2 and a sentence', async () => {
    const { code, stderr } = await callCli(['scan', '/proc/self/mem']);
    expect([code, stderr.startsWith('healer: /proc/self/mem cannot be read: ')]).toEqual([2, true]);
  });

  it('a file that fails leaves what the others show', async () => {
    const { code, report, stderr } = await scanJson([join(folder, 'none.log'), aFile('panic.log', `${PANIC}\n`)]);
    expect([code, report.complete, report.incidents.length]).toEqual([2, false, 1]);
    expect(stderr).toContain('none.log does not exist');
  });

  it('bytes that are no UTF-8 are read as a mark, and the first such line is named', async () => {
    const content = Buffer.concat([
      Buffer.from('fine\nodd '),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(`\n${PANIC}\n`),
    ]);
    const { code, report } = await scanJson([aFile('latin.log', content)]);
    expect([code, report.incidents.length]).toEqual([1, 1]);
    expect(report.coverage.notes).toContainEqual(expect.stringMatching(/latin\.log: line 2 is not valid UTF-8/));
  });

  it('of a line of 20 MB the beginning is read, and it is said', async () => {
    const { code, report } = await scanJson([aFile('long.log', `${'x'.repeat(20_000_000)}\n${PANIC}\n`)]);
    expect([code, report.incidents[0]?.evidence[0]?.line]).toEqual([1, 2]);
    expect(report.coverage.notes).toContainEqual(
      expect.stringMatching(/long\.log: line 1 has 20\.0 MB; only the beginning/),
    );
  });

  it.each([
    [[], 'name the log files to scan'],
    [['x.log', '--loki', 'http://127.0.0.1:1'], 'not several of them'],
    [['x.log', '--namespace', 'cto'], '--namespace goes with --loki URL only'],
    [['x.log', '--format', 'xml'], '--format must be one of plain, kubectl, jsonl, loki'],
    [['x.log', '--severity', 'bad'], '--severity must be one of critical, high, medium, low'],
    [['x.log', '--since', 'yesterday'], '--since must be a time span before now such as 24h'],
    [['x.log', '--since', '1h', '--until', '2h'], '--since must lie before --until'],
    [['x.log', '--repository', 'https://evil.example'], '--repository must be owner/name'],
    [['x.log', '--wat'], "Unknown option '--wat'"],
  ])('%j is refused with a sentence', async (args, sentence) => {
    const { code, stderr } = await callCli(['scan', ...args]);
    expect([code, stderr.includes(sentence), stderr.includes('see: healer scan --help')]).toEqual([2, true, true]);
  });

  it.each([
    ['{"play_id":\n oops', /is not JSON, line 2; expected the body of POST/],
    ['{"play_id":"p"}', /is not a session: repository is required: a string/],
    ['{"play_id":"p","repository":"nowhere"}', /is not a session: repository must be "owner\/name"/],
  ])('session file %j', async (content, sentence) => {
    const { code, stderr } = await callCli([
      'scan',
      '--session',
      aFile('session.json', content),
      aFile('a.log', 'x\n'),
    ]);
    expect([code, sentence.test(stderr)]).toEqual([2, true]);
  });

  it('times are asked for and the log tells none', async () => {
    const { code, stderr } = await callCli(['scan', '--since', '1h', aFile('a.log', 'x\n')]);
    expect([code, stderr.includes('tells no times, so --since')]).toEqual([2, true]);
  });
});

describe('options', () => {
  const init = (tools: readonly string[]) =>
    JSON.stringify({ type: 'system', subtype: 'init', tools, mcp_servers: [{ name: 'tools', status: 'connected' }] });
  const end = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done' });
  const session = JSON.stringify({
    play_id: 'play-7',
    repository: 'acme/shop',
    cto_config: { agents: { rex: { cli: 'claude', tools: { remote: ['web_search'] } } } },
  });

  it('--session compares what is declared with what is offered, and names the repository', async () => {
    const path = aFile('rex.log', `${stamped(1, init(['Bash']))}\n${stamped(2, end)}\n`);
    expect((await scanJson([path])).code).toBe(0);
    const { report } = await scanJson([
      '--session',
      aFile('session.json', session),
      '--platform-repository',
      'acme/platform',
      path,
    ]);
    expect(report.incidents.map(({ code, agents, target }) => [code, agents, target])).toEqual([
      ['A10', ['rex'], 'acme/platform'],
    ]);
  });

  it('a run without its closing event was cut off, unless the pod still runs', async () => {
    const work = JSON.stringify({
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'I read the code.' }] },
    });
    const path = aFile('cut.log', `${stamped(1, init(['Bash']))}\n${stamped(2, work)}\n`);
    expect((await scanJson([path])).report.incidents.map(({ pattern }) => pattern)).toEqual(['check.killed-run']);
    expect((await scanJson(['--running', path])).code).toBe(0);
  });

  it('--severity hides what is less severe, and says how many', async () => {
    const path = aFile(
      'two.log',
      `${stamped(1, PANIC)}\n${stamped(40, 'ERROR template not found: agents/rex/coder.md.hbs')}\n`,
    );
    const { report } = await scanJson(['--severity', 'critical', path]);
    expect([report.incidents.map(({ severity }) => severity), report.hidden]).toEqual([['critical'], 1]);
  });

  it('--since and --until cut the range out', async () => {
    const path = aFile('range.log', `${stamped(1, PANIC)}\n${stamped(40, 'fine')}\n`);
    expect((await scanJson(['--since', '2026-01-08T16:04:20Z', path])).report).toMatchObject({
      incidents: [],
      coverage: { lines: 1 },
    });
    expect((await scanJson(['--until', '2026-01-08T16:04:20Z', path])).report.incidents).toHaveLength(1);
  });
});
