import { describe, expect, it } from 'vitest';
import { detectLines } from './support.ts';

type Step = readonly [number, string];

const tu = (id: string, cmd: string) =>
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: cmd } }] },
  });
const tr = (id: string, text: string, err = false) =>
  JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: err }] },
  });
const say = (text: string) => JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const ok = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, num_turns: 5, result: 'Done.' });
const cx = (cmd: string, out: string, code: number) =>
  JSON.stringify({
    type: 'item.completed',
    item: {
      id: 'i',
      type: 'command_execution',
      command: `/bin/bash -lc '${cmd}'`,
      aggregated_output: out,
      exit_code: code,
      status: code ? 'failed' : 'completed',
    },
  });

/** What happens, number of findings, and the lines with their seconds after 100 s of the run. */
const STORIES: readonly (readonly [string, number, readonly Step[]])[] = [
  [
    'script without x bit, then chmod',
    0,
    [
      [5, tu('a', './build.sh')],
      [6, tr('a', '/bin/bash: line 1: ./build.sh: Permission denied', true)],
      [8, tu('b', 'chmod +x build.sh && ./build.sh')],
      [10, tr('b', 'built')],
      [20, ok],
    ],
  ],
  [
    'find permission denied',
    0,
    [
      [5, tu('a', 'find / -name x')],
      [6, tr('a', "find: '/root': Permission denied\nfind: '/proc/1': Permission denied", true)],
      [20, ok],
    ],
  ],
  [
    'push non-ff then pull rebase push',
    0,
    [
      [5, tu('a', 'git push')],
      [6, tr('a', ' ! [rejected] main -> main (fetch first)\nerror: failed to push some refs', true)],
      [9, tu('b', 'git pull --rebase && git push')],
      [12, tr('b', 'To https://x\n a..b main -> main')],
      [20, ok],
    ],
  ],
  [
    'push refused for good',
    1,
    [
      [5, tu('a', 'git push')],
      [6, tr('a', 'remote: Write access to repository not granted.\nfatal: unable to access', true)],
      [9, say('I could not push.')],
      [20, ok],
    ],
  ],
  [
    'npm install dns then ok',
    0,
    [
      [5, tu('a', 'npm ci')],
      [
        6,
        tr(
          'a',
          'npm error code EAI_AGAIN\nnpm error request to https://registry failed, reason: getaddrinfo EAI_AGAIN',
          true,
        ),
      ],
      [30, tu('b', 'npm ci')],
      [60, tr('b', 'added 12 packages')],
      [70, ok],
    ],
  ],
  [
    'api retry events',
    0,
    [
      [5, JSON.stringify({ type: 'system', subtype: 'api_retry', error: 'overloaded', attempt: 1 })],
      [9, say('Next I read the file.')],
      [20, ok],
    ],
  ],
  [
    'server in tests refuses',
    0,
    [
      [5, cx('npm test', 'Error: connect ECONNREFUSED 127.0.0.1:5432', 1)],
      [9, cx('docker compose up -d db && npm test', 'ok', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'curl to own server',
    0,
    [
      [5, cx('curl -s localhost:3000', 'curl: (7) Failed to connect to localhost port 3000: Connection refused', 7)],
      [9, cx('npm start & sleep 2; curl -s localhost:3000', 'hi', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'psql not there',
    0,
    [
      [5, cx('psql -c "select 1"', 'psql: error: connection to server on socket failed: Connection refused', 2)],
      [9, cx('node -e 1', 'ok', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'python traceback in tool',
    0,
    [
      [5, cx('python app.py', 'Traceback (most recent call last):\n  File "a"\nValueError: x', 1)],
      [9, cx('python app.py', 'ok', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'rust panic in tool',
    0,
    [
      [5, cx('cargo run', "thread 'main' panicked at src/main.rs:3:5:\nboom", 101)],
      [9, cx('cargo run', 'ok', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'gemini 429 then prose',
    0,
    [
      [5, 'Attempt 1 failed with status 429. Retrying with backoff... GaxiosError: rateLimitExceeded'],
      [9, 'Attempt 2 failed with status 429. Retrying with backoff... GaxiosError: rateLimitExceeded'],
      [20, 'I have updated the readme and the tests pass.'],
    ],
  ],
  [
    'pod scheduling',
    0,
    [
      [
        1,
        '{"ts":"x","type":"Warning","reason":"FailedScheduling","object":"Pod/play-1-rex","message":"0/3 nodes are available: 3 Insufficient cpu."}',
      ],
      [
        60,
        '{"ts":"x","type":"Normal","reason":"Scheduled","object":"Pod/play-1-rex","message":"Successfully assigned"}',
      ],
    ],
  ],
  [
    'scheduling never',
    1,
    [
      [
        1,
        '{"ts":"x","type":"Warning","reason":"FailedScheduling","object":"Pod/play-1-rex","message":"0/3 nodes are available: 3 Insufficient cpu."}',
      ],
      [
        60,
        '{"ts":"x","type":"Warning","reason":"FailedScheduling","object":"Pod/play-1-rex","message":"0/3 nodes are available: 3 Insufficient cpu."}',
      ],
    ],
  ],
  [
    'mcp reconnect text',
    0,
    [
      [1, 'MCP server "docs" failed to start: timeout, will retry'],
      [5, 'MCP server "docs" connected'],
    ],
  ],
  [
    'mcp fails text',
    1,
    [
      [1, 'MCP server "docs" failed to start: timeout'],
      [5, 'MCP server "web" connected'],
    ],
  ],
  [
    'needs-auth then tool answers',
    0,
    [
      [
        1,
        JSON.stringify({
          type: 'system',
          subtype: 'init',
          tools: ['Bash'],
          mcp_servers: [{ name: 'a', status: 'needs-auth' }],
        }),
      ],
      [20, ok],
    ],
  ],
  [
    'model auth failing twice and end',
    1,
    [
      [5, 'ERROR: unexpected status 403 Forbidden'],
      [6, 'agent exited with code 1'],
    ],
  ],
  [
    'set -x trace and success',
    0,
    [
      [1, '+ set -e'],
      [1, '+ test -f prompt.md'],
      [1, '+ [[ -z missing ]]'],
      [2, '+ exec claude -p'],
    ],
  ],
  [
    'entrypoint optional',
    0,
    [
      [1, 'No custom template found, using default'],
      [1, 'AGENTS.md not found (optional)'],
      [2, '✓ prompt.md'],
    ],
  ],
  [
    'sidecar health probe',
    0,
    [
      [1, 'WARN waiting for tools-server: connection refused'],
      [3, 'WARN waiting for tools-server: connection refused'],
      [5, 'INFO tools-server is ready'],
    ],
  ],
  [
    'claude result with max turns',
    1,
    [
      [5, say('a')],
      [20, JSON.stringify({ type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 30 })],
    ],
  ],
  [
    'deprecated notes',
    0,
    [
      [1, '(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
      [1, '(Use `node --trace-deprecation ...` to show where the warning was created)'],
      [2, 'npm warn EBADENGINE Unsupported engine'],
    ],
  ],
  [
    'docker build fail in loop',
    0,
    [
      [
        5,
        cx(
          'docker build .',
          'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
          1,
        ),
      ],
      [9, cx('docker build .', 'ok', 0)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'kubectl forbidden in tool',
    0,
    [
      [5, cx('kubectl get pods', 'Error from server (Forbidden): pods is forbidden', 1)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'gh without auth',
    1,
    [
      [5, cx('gh pr create', 'To get started with GitHub CLI, please run:  gh auth login', 4)],
      [20, '{"type":"turn.completed","usage":{}}'],
    ],
  ],
  [
    'opencode tool error then ok',
    0,
    [
      [
        5,
        '{"type":"tool_use","sessionID":"s","part":{"tool":"edit","state":{"status":"error","input":{},"error":"oldString not found in content"}}}',
      ],
      [9, '{"type":"step_finish","sessionID":"s","part":{"reason":"stop"}}'],
    ],
  ],
  [
    'disk full',
    1,
    [
      [5, cx('npm ci', 'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', 1)],
      [9, say('x')],
    ],
  ],
  [
    'json app log error line from a tool server',
    1,
    [[5, '{"level":"error","msg":"upstream failed: connect ECONNREFUSED","service":"tools"}']],
  ],
  [
    'recovered app log',
    0,
    [
      [5, '{"level":"warn","msg":"db connection lost, reconnecting"}'],
      [7, '{"level":"info","msg":"db connection restored"}'],
    ],
  ],
  [
    'aider edit failed',
    0,
    [
      [5, 'The LLM did not conform to the edit format.'],
      [6, 'Applied edit to a.py'],
      [7, 'Commit abc1234 fix: x'],
    ],
  ],
  [
    'killed agent',
    1,
    [
      [5, say('a')],
      [9, '/entrypoint.sh: line 12: 33 Killed claude -p "$PROMPT"'],
    ],
  ],
  [
    'terminated on completion',
    0,
    [
      [5, ok],
      [9, 'received SIGTERM, shutting down'],
      [10, 'exit status 143'],
    ],
  ],
  [
    'warn about missing optional env',
    0,
    [
      [1, 'WARN SENTRY_DSN is not set, error reporting is off'],
      [3, '▶ starting claude'],
    ],
  ],
  [
    'TUI grep result',
    0,
    [
      [5, '● Bash(grep -rn "unauthorized" src)'],
      [5, '  ⎿  src/a.ts:3: throw new Error("unauthorized")'],
      [6, '     src/b.ts:9: // permission denied'],
      [9, '● Two places.'],
    ],
  ],
  [
    'codex text test failing',
    0,
    [
      [1, 'OpenAI Codex v0.9'],
      [2, 'exec'],
      [2, "bash -lc 'pytest -q' in /w"],
      [3, ' exited 1 in 2s:'],
      [3, 'E   ConnectionRefusedError: [Errno 111] Connection refused'],
      [3, 'FAILED t.py::x - timeout'],
      [4, 'codex'],
      [4, 'I fix the fixture.'],
    ],
  ],
  [
    'OpenHands shows what a command printed',
    0,
    [
      [5, '14:07:19 - ACTION'],
      [5, '**CmdRunAction (source=AgentSource)**'],
      [5, 'COMMAND: python -m pytest'],
      [6, '14:07:20 - OBSERVATION'],
      [6, '**CmdOutputObservation (source=EnvironmentSource, exit code=1)**'],
      [6, 'E   ConnectionRefusedError: [Errno 111] Connection refused'],
      [6, 'RuntimeError: unauthorized'],
      [
        9,
        '14:07:23 - openhands:INFO: agent_controller.py:465 - Setting agent state from AgentState.RUNNING to AgentState.FINISHED',
      ],
    ],
  ],
  [
    'Codex’s screen shows a refused push',
    1,
    [
      [5, '• Ran git push origin HEAD'],
      [5, '  └ remote: Permission to acme/app.git denied to agent-bot.'],
      [5, "    fatal: unable to access 'https://git.example.com/acme/app.git/': The requested URL returned error: 403"],
      [9, '• The branch stays in the workspace.'],
    ],
  ],
  [
    'Claude Code on a terminal searches for words of trouble',
    0,
    [
      [5, '⏺ Bash(grep -rn "unauthorized" src)'],
      [5, '  ⎿  src/a.ts: fatal error: unauthorized'],
      [9, '⏺ Two places say that the connection was refused.'],
    ],
  ],
];

describe('what recovers is no failure, what does not is one', () => {
  it.each(STORIES)('%s: %d', (_, count, steps) => {
    const later = steps.flatMap(([seconds, text]) => text.split('\n').map((line): Step => [seconds + 100, line]));
    expect(detectLines(...later).findings).toHaveLength(count);
  });
});
