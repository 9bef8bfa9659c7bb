import { type DemoPlay, event, ofPod } from '../play.ts';

const PLAY = 'play-widgets-h4x2p';
const POD = `${PLAY}-rex-claude-7d9f4c6b5`;
const SESSION = '7b1f2c9e-4a40-4f43-9d0b-6c1f0a9d2e11';
const REMOTE = ['docs_lookup', 'github_create_branch', 'github_create_pull_request'];
const OFFERED = ['Bash', 'Read', 'Edit', 'Write', 'Grep', ...REMOTE.map((tool) => `mcp__tools__${tool}`)];

const said = (text: string) =>
  event({ type: 'assistant', session_id: SESSION, message: { role: 'assistant', content: [{ type: 'text', text }] } });

const used = (id: string, name: string, input: object) =>
  event({
    type: 'assistant',
    session_id: SESSION,
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  });

const got = (id: string, content: string, isError = false) =>
  event({
    type: 'user',
    session_id: SESSION,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content }] },
  });

/** An agent at its ordinary work: it speaks of errors, meets a passing one, and delivers. Nothing may be told. */
export const healthyPlay: DemoPlay = {
  name: 'a healthy play',
  announcement: {
    play_id: PLAY,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: {
      agents: {
        rex: { githubApp: 'Acme-Rex', cli: 'claude', model: 'some-model', tools: { remote: REMOTE, localServers: {} } },
      },
    },
    tasks: [{ id: '41', title: 'Answer 404 for unknown widgets', dependencies: [] }],
  },
  lines: ofPod(
    POD,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [3, 'INFO entrypoint: configuration loaded, 1 agent'],
    [
      6,
      event({
        type: 'system',
        subtype: 'init',
        session_id: SESSION,
        cwd: '/workspace/widgets',
        tools: OFFERED,
        mcp_servers: [{ name: 'tools', status: 'connected' }],
        model: 'some-model',
      }),
    ],
    [9, said('I look at how the handler reports a missing widget: it throws "fatal error: widget missing".')],
    [11, used('toolu_01', 'Bash', { command: 'npm test -- widgets' })],
    [19, got('toolu_01', 'FAIL test/widgets.test.ts > GET /widgets/404\n  expected 404, received 500', true)],
    [23, used('toolu_02', 'Edit', { file_path: 'src/widgets.ts', new_string: "throw new NotFound('panicked at')" })],
    [24, got('toolu_02', 'The file src/widgets.ts has been updated.')],
    [29, used('toolu_03', 'Bash', { command: 'npm test -- widgets' })],
    [37, got('toolu_03', 'Tests  14 passed (14)')],
    [41, used('toolu_04', 'mcp__tools__docs_lookup', { query: 'timeout of the upstream' })],
    [46, 'WARN tools-server: request timeout after 5000ms, retrying (attempt 1 of 3)'],
    [48, got('toolu_04', 'The upstream timeout is 30 s.')],
    [52, used('toolu_05', 'mcp__tools__github_create_pull_request', { title: 'Answer 404 for unknown widgets' })],
    [55, got('toolu_05', '{"number":88,"state":"open"}')],
    [
      58,
      event({
        type: 'result',
        subtype: 'success',
        is_error: false,
        session_id: SESSION,
        num_turns: 9,
        result: 'Opened pull request 88.',
      }),
    ],
  ),
  end: { at: 62, status: 'completed' },
  expected: null,
};
