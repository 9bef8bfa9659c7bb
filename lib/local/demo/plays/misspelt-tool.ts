import { type DemoPlay, event, ofPod } from '../play.ts';

const PLAY = 'play-widgets-m8k3t';
const POD = `${PLAY}-rex-claude-5c8d7b9f4`;
const SESSION = '0c4d8a77-95c1-4b1e-8f5e-2d9b7f3a6c20';
/** The configuration declares `github_create_brnch`; the tools server offers `github_create_branch`. */
const DECLARED = ['docs_lookup', 'github_create_brnch', 'github_create_pull_request'];
const OFFERED = ['docs_lookup', 'github_create_branch', 'github_create_pull_request'];

/** An agent that starts without a tool that was declared for it, under a misspelt name. */
export const misspeltToolPlay: DemoPlay = {
  name: 'a play with a misspelt tool',
  announcement: {
    play_id: PLAY,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: {
      agents: {
        rex: {
          githubApp: 'Acme-Rex',
          cli: 'claude',
          model: 'some-model',
          tools: { remote: DECLARED, localServers: {} },
        },
      },
    },
    tasks: [{ id: '42', title: 'Rename the gadget endpoint', dependencies: [] }],
  },
  lines: ofPod(
    POD,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [3, 'INFO entrypoint: configuration loaded, 1 agent'],
    [
      5,
      event({
        type: 'system',
        subtype: 'init',
        session_id: SESSION,
        cwd: '/workspace/widgets',
        tools: ['Bash', 'Read', 'Edit', 'Write', ...OFFERED.map((tool) => `mcp__tools__${tool}`)],
        mcp_servers: [{ name: 'tools', status: 'connected' }],
        model: 'some-model',
      }),
    ],
    [6, `WARN tool inventory mismatch - declared tools: [${DECLARED.join(', ')}] - missing: [github_create_brnch]`],
    [
      12,
      event({
        type: 'assistant',
        session_id: SESSION,
        message: { role: 'assistant', content: [{ type: 'text', text: 'I rename the endpoint, then make a branch.' }] },
      }),
    ],
    [
      95,
      event({
        type: 'result',
        subtype: 'success',
        is_error: false,
        session_id: SESSION,
        num_turns: 4,
        result: 'The change is in the working tree; I had no tool to create a branch.',
      }),
    ],
  ),
  end: { at: 100, status: 'completed' },
  expected: { code: 'A10', severity: 'high', names: 'github_create_brnch' },
};
