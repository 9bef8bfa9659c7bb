import { type DemoPlay, declares, ofPod, stream } from '../play.ts';

const PLAY = 'play-widgets-h4x2p';
const REMOTE = ['docs_lookup', 'github_create_branch', 'github_create_pull_request'];
const rex = stream('7b1f2c9e-4a40-4f43-9d0b-6c1f0a9d2e11');

/** An agent at its ordinary work: it speaks of errors, meets a passing one, and delivers. Nothing may be told. */
export const healthyPlay: DemoPlay = {
  name: 'a healthy play',
  announcement: {
    play_id: PLAY,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: { agents: { rex: declares('Acme-Rex', REMOTE) } },
    tasks: [{ id: '41', title: 'Answer 404 for unknown widgets', dependencies: [] }],
  },
  lines: ofPod(
    `${PLAY}-rex-claude-7d9f4c6b5`,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [3, 'INFO entrypoint: configuration loaded, 1 agent'],
    [6, rex.init(REMOTE)],
    [9, rex.says('The handler of a missing widget throws "fatal error: widget missing"; I look at its tests.')],
    [11, rex.uses('toolu_01', 'Bash', { command: 'npm test -- widgets' })],
    [19, rex.gets('toolu_01', 'FAIL test/widgets.test.ts > GET /widgets/404\n  expected 404, received 500', true)],
    [
      23,
      rex.uses('toolu_02', 'Edit', { file_path: 'src/widgets.ts', new_string: "throw new NotFound('panicked at')" }),
    ],
    [24, rex.gets('toolu_02', 'The file src/widgets.ts has been updated.')],
    [29, rex.uses('toolu_03', 'Bash', { command: 'npm test -- widgets' })],
    [37, rex.gets('toolu_03', 'Tests  14 passed (14)')],
    [41, rex.uses('toolu_04', 'mcp__tools__docs_lookup', { query: 'timeout of the upstream' })],
    [46, 'WARN tools-server: request timeout after 5000ms, retrying (attempt 1 of 3)'],
    [48, rex.gets('toolu_04', 'The upstream timeout is 30 s.')],
    [52, rex.uses('toolu_05', 'mcp__tools__github_create_pull_request', { title: 'Answer 404 for unknown widgets' })],
    [55, rex.gets('toolu_05', '{"number":88,"state":"open"}')],
    [58, rex.ends('Opened pull request 88.')],
  ),
  end: { at: 62, status: 'completed' },
  expected: null,
};
