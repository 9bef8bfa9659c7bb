import { describe, expect, it } from 'vitest';
import type { AgentFacts } from '#lib/domain/detection/detection.ts';
import { findExposure } from '#lib/domain/remediation/exposure.ts';
import { freshRemediation } from '#lib/domain/remediation/remediation.ts';
import { toIso } from '#lib/domain/time.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';

const MERGED = 1_800_000_000_000;

interface Case {
  readonly incident?: Parameters<typeof anIncident>[0];
  readonly identity?: Readonly<Record<string, string>>;
  readonly expects?: { readonly tool: string } | null;
  readonly facts?: Partial<AgentFacts>;
  readonly startedAt?: number;
  readonly repository?: string;
  readonly hasFinding?: boolean;
}

function exposureOf({
  incident = {},
  identity = { tool: 'github_create_brnch' },
  expects = null,
  facts = {},
  startedAt = MERGED + 1,
  repository = 'acme/shop',
  hasFinding = false,
}: Case) {
  const head = anIncident({ target: 'acme/platform', state: 'verifying', ...incident });
  const fresh = freshRemediation(head, { repository: 'acme/shop', finding: aFinding({ identity }) }, MERGED);
  const tools = { remote: ['docs_lookup', 'github_create_branch'], localServers: {} };
  return findExposure(
    head,
    { ...fresh, mergedAt: MERGED, expects },
    {
      session: aSession({ repository, startedAt: toIso(startedAt), agents: { rex: anAgent({ tools }) } }),
      repository,
      agents: [
        {
          agent: 'Rex',
          pod: 'p',
          cli: 'claude-code',
          startNs: 0n,
          lastNs: 1n,
          tools: null,
          servers: null,
          result: null,
          ...facts,
        },
      ],
      findings: hasFinding ? [aFinding({ fingerprint: head.fingerprint })] : [],
      at: MERGED + 2,
    },
  );
}

const ALL = { tools: ['docs_lookup', 'mcp__tools__github_create_branch'] };
const A12 = { incident: { code: 'A12' }, identity: { server: 'github' } } as const;
const RUNTIME = { incident: { code: null, category: 'runtime' } } as const;

describe('an exposure', () => {
  it.each<[string, Case]>([
    ['A10: the corrected tool is offered', { expects: { tool: 'github_create_branch' }, facts: ALL }],
    ['A10: all that is declared is offered', { facts: ALL }],
    ['A12: the server is connected', { ...A12, facts: { servers: { github: 'connected' } } }],
    ['A11: the start event came', { incident: { code: 'A11' }, facts: { tools: [] } }],
    ['lifecycle: the start event came', { incident: { code: null, category: 'lifecycle' }, facts: { tools: [] } }],
    ['runtime: the closing event says no error', { ...RUNTIME, facts: { result: 'ok' } }],
    ['in the target repository itself', { repository: 'acme/platform', facts: ALL }],
  ])('%s', (_what, of) => {
    expect(exposureOf(of)).toMatchObject({ agent: 'Rex', proof: expect.stringMatching(/\w/) });
  });

  it.each<[string, Case]>([
    ['another repository', { repository: 'acme/other', facts: ALL }],
    ['a play that began before the merge', { startedAt: MERGED - 1, facts: ALL }],
    ['a play that shows the failure', { hasFinding: true, facts: ALL }],
    ['another agent', { incident: { agent: 'cleo' }, facts: ALL }],
    ['A10 without a list of tools', { facts: { tools: null } }],
    [
      'A10 with a list that lacks the tool',
      { expects: { tool: 'github_create_branch' }, facts: { tools: ['docs_lookup'] } },
    ],
    ['A12 with a server that failed', { ...A12, facts: { servers: { github: 'failed' } } }],
    ['A12 with other servers only', { ...A12, facts: { servers: { docs: 'connected' } } }],
    ['A11 with prose only', { incident: { code: 'A11' }, facts: { cli: null } }],
    ['runtime with an error', { ...RUNTIME, facts: { result: 'error' } }],
    ['runtime that goes on', { ...RUNTIME, facts: { result: null } }],
  ])('is not %s', (_what, of) => {
    expect(exposureOf(of)).toBeUndefined();
  });
});
