import { type DemoPlay, declares, ofPod, stream, together } from '../play.ts';

/** The configuration declares `github_create_brnch`; the tools server offers `github_create_branch`. */
const DECLARED = ['docs_lookup', 'github_create_brnch', 'github_create_pull_request'];
const OFFERED = ['docs_lookup', 'github_create_branch', 'github_create_pull_request'];

/** A start without a declared tool, as the CLI's start event and the controller tell it. */
const startsWithout = (pod: string, session: string) =>
  ofPod(
    pod,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [3, 'INFO entrypoint: configuration loaded'],
    [5, stream(session).init(OFFERED)],
    [6, `WARN tool inventory mismatch - declared tools: [${DECLARED.join(', ')}] - missing: [github_create_brnch]`],
    [12, stream(session).says('I rename the endpoint, then make a branch.')],
    [80, stream(session).ends('The change is in the working tree; I had no tool to create a branch.')],
  );

const FIRST = 'play-widgets-m8k3t';

/** An agent that starts without a tool that was declared for it, under a misspelt name. */
export const misspeltToolPlay: DemoPlay = {
  name: 'a play with a misspelt tool',
  announcement: {
    play_id: FIRST,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: { agents: { rex: declares('Acme-Rex', DECLARED) } },
    tasks: [{ id: '42', title: 'Rename the gadget endpoint', dependencies: [] }],
  },
  lines: startsWithout(`${FIRST}-rex-claude-5c8d7b9f4`, '0c4d8a77-95c1-4b1e-8f5e-2d9b7f3a6c20'),
  end: { at: 100, status: 'completed' },
  expected: { code: 'A10', severity: 'high', words: ['github_create_brnch', 'agents.rex.tools.remote'] },
};

const THIRD = 'play-widgets-v7n4c';
const RIGHT = ['docs_lookup', 'github_create_branch', 'github_create_pull_request'];
const healed = stream('6e3b0c2d-8f40-4d71-b2c9-01d5e8f70623');

/** The same agent after the correction was merged: it passes the point at which it failed. */
export const correctedPlay: DemoPlay = {
  name: 'a play after the correction',
  announcement: {
    play_id: THIRD,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: { agents: { rex: declares('Acme-Rex', RIGHT) } },
    tasks: [{ id: '45', title: 'Rename the gadget endpoint', dependencies: [] }],
  },
  lines: ofPod(
    `${THIRD}-rex-claude-2b3c4d5e6`,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [5, healed.init(RIGHT)],
    [12, healed.uses('toolu_41', 'mcp__tools__github_create_branch', { name: 'task-45' })],
    [14, healed.gets('toolu_41', '{"ref":"refs/heads/task-45"}')],
    [50, healed.ends('Opened pull request 91.')],
  ),
  end: { at: 60, status: 'completed' },
  expected: null,
};

const SECOND = 'play-widgets-q2v9d';
const cleo = stream('5d2a9b1c-7e3f-4c60-a1b8-90c4d7e6f512');

/** The same again, and what follows from it: the reviewer finds nothing to review. It is the one incident once more. */
export const consequencePlay: DemoPlay = {
  name: 'the same misspelt tool again, and what follows from it in a second agent',
  announcement: {
    play_id: SECOND,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: { agents: { rex: declares('Acme-Rex', DECLARED), cleo: declares('Acme-Cleo', ['docs_lookup']) } },
    tasks: [{ id: '43', title: 'Rename the gizmo endpoint', dependencies: [] }],
  },
  lines: together(
    startsWithout(`${SECOND}-rex-claude-6b7c8d9e0`, '1e5f9b88-a6d2-4c2f-9060-3eac804b7d31'),
    ofPod(
      `${SECOND}-cleo-claude-9f8e7d6c5`,
      [95, 'INFO entrypoint: repository acme/widgets checked out at main'],
      [97, cleo.init(['docs_lookup'])],
      [104, cleo.uses('toolu_11', 'Bash', { command: 'gh pr view --json number' })],
      [108, cleo.gets('toolu_11', 'no pull requests found for branch "task-43"', true)],
      [116, cleo.ends('There is no pull request for task-43: agent rex delivered none. I cannot review.', true)],
    ),
  ),
  end: { at: 125, status: 'failed' },
  expected: { code: 'A10', severity: 'high', words: ['github_create_brnch', 'cleo'] },
};
