import { describe, expect, it } from 'vitest';
import { says } from '#lib/domain/evaluation/quotes.ts';
import { anInit, aResult, aSaying, aToolResult, aToolUse } from '#test/domain/detection/support.ts';
import { anAgent } from '#test/support/builders/session.ts';
import { type Story, tellStory } from './tell-story.ts';

const tools = (...remote: string[]) => anAgent({ tools: { remote, localServers: {} } });

const STORIES: Readonly<Record<string, Story>> = {
  'misspelt-tool-and-its-consequence': {
    session: { agents: { rex: tools('docs_lookup', 'github_create_brnch'), cleo: tools('github_create_branch') } },
    lines: [
      [2, 'rex', anInit(['mcp__tools__docs_lookup', 'mcp__tools__github_create_branch'], { tools: 'connected' })],
      [9, 'rex', aSaying('I read the task first.')],
      [300, 'rex', aSaying('I cannot create the branch, so the work stays local.')],
      [310, 'rex', aResult(false, 'The work is committed locally.')],
      [320, 'cleo', anInit(['mcp__tools__github_create_branch'], { tools: 'connected' })],
      [330, 'cleo', aToolUse('t1', 'Bash', 'gh pr list --head agent/task-7')],
      [331, 'cleo', aToolResult('t1', 'no pull requests found for branch "agent/task-7"', true)],
      [340, 'cleo', aResult(false, 'Nothing to review, stopping here.')],
    ],
    others: [
      {
        kind: 'github',
        role: 'context',
        at: '2026-11-30T11:40:00Z',
        agent: null,
        pod: null,
        text: 'pull request #12 "Add the cart page" by acme-rex[bot], open, branch agent/task-6',
        distance: 30,
      },
    ],
  },
  'tools-server-down': {
    session: { agents: { rex: tools('docs_lookup'), cleo: tools('docs_lookup') } },
    lines: [
      [1, 'rex', 'entrypoint: starting claude'],
      [4, 'rex', 'ERROR tools-server unreachable: http://tools-server.cto.svc:3000/mcp (ECONNREFUSED)'],
      [70, 'rex', 'entrypoint: gave up waiting for the tools server'],
    ],
  },
  'credentials-refused': {
    session: { agents: { rex: anAgent(), cleo: anAgent() } },
    lines: [
      [100, 'rex', aSaying('Let me run the tests.')],
      [
        140,
        'rex',
        'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      ],
      [141, 'rex', aResult(true, 'API Error: 401 invalid x-api-key')],
    ],
  },
  panic: {
    session: { agents: { rex: anAgent() } },
    lines: [
      [600, 'rex', 'running step 14'],
      [601.2, 'rex', "thread 'main' panicked at src/session.rs:214:18:"],
      [601.2, 'rex', 'called `Option::unwrap()` on a `None` value'],
      [601.3, 'rex', 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'],
    ],
    others: [
      {
        kind: 'kubernetes',
        role: 'context',
        at: '2026-11-30T12:10:02Z',
        agent: 'rex',
        pod: 'play-7f3a-rex-x2k4q',
        text: 'Pod play-7f3a-rex-x2k4q container agent terminated: Error, exit code 101',
        distance: 1,
      },
    ],
  },
  'template-missing': {
    session: { agents: { rex: anAgent() } },
    lines: [
      [1, 'rex', 'entrypoint: rendering prompt'],
      [1.4, 'rex', 'ERROR template not found: /templates/agents/rex/coder.md.hbs'],
      [2, 'rex', 'entrypoint: starting claude without a prompt'],
    ],
  },
  'follows-from-another-agent': {
    session: { agents: { rex: anAgent(), cleo: anAgent() } },
    agent: 'cleo',
    lines: [
      [200, 'rex', '● Bash(git push origin HEAD)'],
      [201, 'rex', '  ⎿  remote: Permission to acme/widgets.git denied to acme-rex[bot].'],
      [230, 'rex', '● Finished. The work is committed locally.'],
      [260, 'cleo', 'waiting for the pull request of rex (1/3)'],
      [320, 'cleo', 'no pull request of rex, ending without a review'],
    ],
  },
};

describe.each(Object.entries(STORIES))('%s', (name, story) => {
  it('becomes the issue that stands in the golden file', async () => {
    const { issue } = await tellStory(story);
    const text = `# ${issue.title}\n\nLabels: ${issue.labels.join(', ')}\n\n${issue.body}\n`;
    await expect(text).toMatchFileSnapshot(`./${name}.md`);
  });

  it('says nothing that its evidence does not say', async () => {
    const { raw, diagnosis, pack } = await tellStory(story);
    expect(diagnosis).toEqual(raw);
    const known = new Map(pack.pieces.map((piece) => [piece.id, piece]));
    const claims = [...diagnosis.cause, ...diagnosis.chain, ...diagnosis.consequences];
    expect(claims.length).toBeGreaterThan(1);
    for (const { text, evidence } of claims) {
      const cited = evidence.map((id) => known.get(id));
      expect(cited.length).toBeGreaterThan(0);
      expect(cited).not.toContain(undefined);
      for (const [, word = ''] of text.matchAll(/`([^`]+)`/g)) {
        expect(cited.some((piece) => piece !== undefined && says(piece, word))).toBe(true);
      }
    }
  });

  it('has a remedy and a way to verify it', async () => {
    const { diagnosis } = await tellStory(story);
    expect(diagnosis.remedy.some(({ command }) => command !== undefined)).toBe(true);
    expect(diagnosis.verify.length).toBeGreaterThan(0);
  });
});

describe('a cause and its consequence', () => {
  it('are one incident', async () => {
    const { findings } = await tellStory(STORIES['misspelt-tool-and-its-consequence'] as Story);
    expect(findings.map(({ agent, code, cause }) => [agent, code, cause?.agent ?? null])).toEqual([
      ['rex', 'A10', null],
      ['cleo', null, 'rex'],
    ]);
  });
});
