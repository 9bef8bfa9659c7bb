import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anEntry,
  anInit,
  aResult,
  aSaying,
  aToolResult,
  aToolUse,
  at,
  detectIn,
  detectLines,
  entriesOf,
  labels,
  POD,
} from './support.ts';

const DENIED =
  'remote: Permission to acme/app.git denied to agent-bot[bot].\nfatal: unable to access: The requested URL returned error: 403';

describe('channels', () => {
  it.each([
    ['prose', aSaying('The worker panicked at src/main.rs:1:1 with connection refused; 401 Unauthorized.')],
    ['tool arguments', aToolUse('a', 'Bash', "echo 'fatal error: mcp failed to initialize'")],
    ['a file that was read', aToolResult('unknown', 'ok: 1')],
    ['a diff', '+    panic!("fatal error: tools-server unreachable")'],
    ['a table', '| `mcp.*failed to initialize` | A12 | server failed |'],
    ['a test report', 'test net::connection_refused_timeout ... ok'],
    ['a search result', 'src/app.rs:12: // panicked at'],
    ['a setting', 'HTTP_TIMEOUT=30'],
  ])('%s never alarms', (_, line) => {
    expect(labels(detectLines([5, line]))).toEqual([]);
  });

  it('content of a tool that shows files never alarms, a refused push does', () => {
    expect(labels(detectLines([5, aToolUse('a', 'Read')], [6, aToolResult('a', DENIED)]))).toEqual([]);
    expect(labels(detectLines([5, aToolUse('a', 'Bash', 'cat notes.md')], [6, aToolResult('a', DENIED)]))).toEqual([]);
    const push = detectLines(
      [5, aToolUse('a', 'Bash', 'git push')],
      [6, aToolResult('a', DENIED, true)],
      [9, aResult(false)],
    );
    expect(labels(push)).toEqual(['git.refused runtime critical']);
  });

  it('text that quotes an event is text', () => {
    const quoted = `I saw this: ${anInit([], { hub: 'failed' })}`;
    expect(labels(detectLines([5, quoted]))).toEqual([]);
  });

  it('a failing test of the working loop is none', () => {
    const lines = [
      [5, aToolUse('a', 'Bash', 'npm test')],
      [6, aToolResult('a', 'Error: connect ECONNREFUSED 127.0.0.1:5432', true)],
    ] as const;
    expect(labels(detectLines(...lines))).toEqual([]);
  });
});

describe('closing events', () => {
  it('is_error decides, whatever the subtype says', () => {
    expect(
      labels(detectLines([90, aResult(true, 'API Error: 401 {"error":{"type":"authentication_error"}}')])),
    ).toEqual(['api.credentials runtime critical']);
    expect(labels(detectLines([90, aResult(false)]))).toEqual([]);
  });

  it('an empty error result after a good one is none', () => {
    const spurious =
      '{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"errors":["x"]}';
    expect(labels(detectLines([90, aResult(false)], [91, spurious]))).toEqual([]);
    expect(labels(detectLines([91, spurious]))).toEqual(['run.failed runtime high']);
  });

  it('is told to callers with tools, servers and CLI', () => {
    const { agents } = detectLines([2, anInit(['mcp__hub__a'], { hub: 'connected' })], [90, aResult(false)]);
    expect(agents).toEqual([
      {
        agent: 'rex',
        pod: POD,
        cli: 'claude-code',
        startNs: at(0),
        lastNs: at(90),
        tools: ['Bash', 'Read', 'mcp__hub__a'],
        servers: { hub: 'connected' },
        result: 'ok',
      },
    ]);
  });
});

describe('pre-flight', () => {
  const line = 'ERROR: cto-config missing - cannot start agent';

  it.each([
    [0, 'config.cto A11 critical'],
    [60, 'config.cto A11 critical'],
    [60.001, 'config.cto runtime critical'],
  ])('ends 60 s after the start of the own pod (%s s)', (seconds, label) => {
    expect(labels(detectLines([seconds, line]))).toEqual([label]);
  });

  it('counts from the first line of a pod whose start is unknown', () => {
    const late = [anEntry(600, 'entrypoint rev 4'), anEntry(630, line)];
    expect(labels(detectIn(late, { podStarts: new Map() }))).toEqual(['config.cto A11 critical']);
  });
});

describe('settling', () => {
  const retry = '{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized)"}';
  const final = '{"type":"error","message":"unexpected status 401 Unauthorized: Incorrect API key"}';
  const completed = '{"type":"turn.completed","usage":{}}';
  const spoke = '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"All done."}}';
  const running = { ended: {} };

  it('a retry that works is none', () => {
    expect(labels(detectLines([5, retry], [9, spoke], [10, completed]))).toEqual([]);
  });

  it('retries before the final failure are its evidence', () => {
    const { findings } = detectLines(
      [5, retry],
      [9, final],
      [9, '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}'],
      [10, 'codex exited with status 1'],
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      pattern: 'api.credentials',
      severity: 'critical',
      count: 4,
      firstNs: at(5),
      lastNs: at(10),
    });
  });

  it('what may recover is held until the proven range has passed its deadline', () => {
    const entries = entriesOf([5, retry]);
    const early = detectIn(entries, { ...running, until: at(20) });
    expect(early.findings).toEqual([]);
    expect(early.held.map(({ deadline }) => deadline)).toEqual([at(175)]);
    expect(detectIn(entries, { ...running, until: at(176) }).findings).toHaveLength(1);
  });

  it('a recovery after the deadline lifts nothing', () => {
    expect(labels(detectLines([5, retry], [400, spoke]))).toEqual(['api.credentials runtime critical']);
  });

  it('is settled at once when the pod or the session has ended', () => {
    const entries = entriesOf([5, retry]);
    expect(detectIn(entries, { ended: { pods: new Set([POD]) }, until: at(6) }).findings).toHaveLength(1);
    expect(detectIn(entries, { ended: { session: true }, until: at(6) }).findings).toHaveLength(1);
  });

  it('a push that works later lifts the refusal, words do not', () => {
    const refused = [
      [5, aToolUse('a', 'Bash', 'git push')],
      [6, aToolResult('a', 'error: failed to push some refs to x', true)],
    ] as const;
    const pushed = [
      [9, aToolUse('b', 'Bash', 'git pull --rebase && git push')],
      [12, aToolResult('b', 'To https://git.example.com/x')],
    ] as const;
    expect(labels(detectLines(...refused, ...pushed))).toEqual([]);
    expect(labels(detectLines(...refused, [9, aSaying('The push is done.')], [12, aResult(false)]))).toEqual([
      'git.not-delivered runtime high',
    ]);
  });

  it('a Kubernetes object lifts its own trouble only', () => {
    const event = (type: string, reason: string, object: string) =>
      JSON.stringify({ type, reason, object, message: 'Failed to pull image "x"' });
    const failed = [5, event('Warning', 'Failed', 'Pod/a')] as const;
    expect(labels(detectLines(failed, [30, event('Normal', 'Started', 'Pod/a')]))).toEqual([]);
    expect(labels(detectLines(failed, [30, event('Normal', 'Started', 'Pod/b')]))).toEqual([
      'kubernetes.image runtime critical',
    ]);
  });
});

describe('folding', () => {
  it('repeats are counts', () => {
    const lines = [10, 40, 80].map(
      (seconds) => [seconds, 'ERROR: tools-server unreachable: no route to host'] as const,
    );
    expect(detectLines(...lines).findings).toMatchObject([{ count: 3, also: [{ ns: at(40) }, { ns: at(80) }] }]);
  });

  it('a trace is one finding', () => {
    const lines = [
      "thread 'main' panicked at src/main.rs:88:31:",
      'called `Option::unwrap()` on a `None` value',
      'note: run with `RUST_BACKTRACE=1`',
      '❌ CLI execution failed with exit code: 101',
    ];
    expect(labels(detectLines(...lines.map((line) => [70, line] as const)))).toEqual(['crash.panic runtime critical']);
  });

  it('two servers are two failures, also in one moment', () => {
    const lines = ["ERROR: MCP server 'git' failed to initialize", "ERROR: MCP server 'web' failed to initialize"];
    expect(detectLines(...lines.map((line) => [5, line] as const)).findings.map(({ identity }) => identity)).toEqual([
      { server: 'git' },
      { server: 'web' },
    ]);
  });

  it('an exit code alone is a finding, after its cause it is evidence', () => {
    expect(labels(detectLines([90, 'agent exited with code 3']))).toEqual(['run.exit-code runtime high']);
    expect(labels(detectLines([90, 'exit 0']))).toEqual([]);
  });
});

describe('detect', () => {
  const lines = [
    [2, anInit([], { hub: 'failed' })],
    [70, 'ERROR: Quota exceeded. Check your plan.'],
    [80, 'FATAL ERROR: heap limit - JavaScript heap out of memory'],
    [80, 'agent exited with code 134'],
  ] as const;

  it('gives the same for entries in any order', () => {
    const entries = entriesOf(...lines.slice(0, 3));
    const expected = detectIn(entries).findings;
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        expect(detectIn(shuffled).findings).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('returns only findings from the boundary on; what lies before is context', () => {
    const entries = entriesOf(...lines);
    const all = detectIn(entries).findings;
    expect(all).toHaveLength(3);
    expect(detectIn(entries, { emitFrom: at(70) }).findings).toEqual(all.slice(1));
  });

  it('gives the same ids when the same range is read again with more behind it', () => {
    const ids = (count: number) => detectIn(entriesOf(...lines.slice(0, count))).findings.map(({ id }) => id);
    expect(ids(3).slice(0, 2)).toEqual(ids(2));
    expect(new Set(ids(4)).size).toBe(3);
  });

  it('writes a summary without a word of the line that is not an identity token', () => {
    const [finding] = detectLines([
      5,
      "ERROR: MCP server 'git' failed to initialize: token ghp_secret /home/u",
    ]).findings;
    expect(finding?.summary).toBe('rex: MCP server git did not start');
  });

  it.each(['role ', 'mcp failed ', 'ERROR timeout ', '\u001b[31m', '()', '"\\'])(
    'reads a hostile line of %j to its end',
    (part) => {
      const line = `● Bash(${part.repeat(262_144 / part.length)}`;
      expect(detectLines([5, line], [6, 'FATAL ERROR: heap limit']).findings).toHaveLength(1);
    },
  );

  it('never throws, whatever the lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.json(), fc.constant('{"type":"user"}'))),
        (texts) => {
          expect(() => detectLines(...texts.map((text, index) => [index, text] as const))).not.toThrow();
        },
      ),
      { numRuns: 200 },
    );
  });
});
