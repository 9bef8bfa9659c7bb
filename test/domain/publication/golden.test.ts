import { describe, expect, it } from 'vitest';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import { incidentId } from '#lib/domain/incident/identity.ts';
import type { Occurrence } from '#lib/domain/incident/incident.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { aFinding, anEntryRef } from '#test/support/builders/a-finding.ts';
import { aDeclaration, anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { parseStrictly } from './strict-markdown.ts';

const REX =
  'agents.rex = {"cli":"claude","model":"some-model","tools":{"remote":["docs_lookup","github_create_brnch"],"localServers":{"filesystem":{"enabled":true,"tools":["read_file","write_file"]}}}}';
const CLEO =
  'agents.cleo = {"cli":"claude","model":"some-model","tools":{"remote":["docs_lookup","github_create_branch"],"localServers":{}}}';

interface Example {
  readonly finding: Finding;
  readonly pieces: EvidencePack['pieces'];
  readonly target: string;
  readonly gaps?: readonly string[];
  readonly latest?: readonly Occurrence[];
  readonly isPublic?: boolean;
}

const cleo = { agent: 'cleo', pod: 'play-7f3a-cleo-9mzq2' } as const;

const misspelt: Example = {
  target: 'acme/platform',
  finding: aFinding({ pattern: 'check.tools', severity: 'high' }),
  pieces: [
    aPiece({
      id: 'L1',
      role: 'context',
      text: 'entrypoint: starting claude for task 7',
      at: '2026-01-08T16:04:08.020Z',
    }),
    aPiece({
      id: 'L2',
      text: '{"type":"system","subtype":"init","cwd":"/workspace/repo","tools":["Bash","Edit","Read","mcp__tools__docs_lookup","mcp__tools__github_create_branch","mcp__filesystem__read_file","mcp__filesystem__write_file"],"mcp_servers":[{"name":"tools","status":"connected"},{"name":"filesystem","status":"connected"}]}',
    }),
    aPiece({ id: 'L3', role: 'context', text: 'I will look at the repository first.', at: '2026-01-08T16:04:15.733Z' }),
    aDeclaration(REX),
    aDeclaration(CLEO, 'C2'),
  ],
};

const EXAMPLES: Readonly<Record<string, Example>> = {
  'a10-misspelt-tool': misspelt,
  'a10-misspelt-tool-public': { ...misspelt, isPublic: true },
  'a12-tools-server-down': {
    target: 'acme/platform',
    finding: aFinding({
      pattern: 'mcp.tools-server',
      code: 'A12',
      severity: 'critical',
      identity: {},
      summary: 'the tools server is down',
      count: 6,
      fingerprint: 'v1:77aa0c21b9e4d350',
    }),
    pieces: [
      aPiece({ id: 'L1', role: 'context', text: 'INFO connecting to tools-server', at: '2026-01-08T16:04:09.900Z' }),
      aPiece({ id: 'L2', text: 'ERROR: tools-server unreachable: dial tcp 10.0.0.31:3000: connect: no route to host' }),
      aPiece({
        id: 'L3',
        text: 'ERROR: tools-server unreachable: dial tcp 10.0.0.31:3000: connect: no route to host',
        at: '2026-01-08T16:04:21.448Z',
      }),
      aPiece({
        id: 'L4',
        role: 'context',
        ...cleo,
        text: '[ERROR] no pull request of rex, ending without a review: failed',
        at: '2026-01-08T16:09:40.002Z',
      }),
      aPiece({
        id: 'K1',
        kind: 'kubernetes',
        role: 'context',
        text: 'Pod play-7f3a-rex-x2k4q: container agent terminated, reason Error, exit code 1',
        at: '2026-01-08T16:04:24Z',
      }),
      aDeclaration(REX),
    ],
    latest: ['play-7f3a', 'play-7f2e', 'play-7f1c'].map((playId, index) =>
      anOccurrence({
        playId,
        finding: aFinding({
          pod: `${playId}-rex-x2k4q`,
          count: 6 - index,
          firstNs: 1_767_888_251_123_000_000n - BigInt(index) * 600_000_000_000n,
        }),
      }),
    ),
  },
  'runtime-panic': {
    target: 'acme/widgets',
    finding: aFinding({
      pattern: 'crash.panic',
      code: null,
      category: 'runtime',
      severity: 'critical',
      identity: {},
      summary: 'the process panicked',
      fingerprint: 'v1:c4d1e0f35a6b7788',
    }),
    pieces: [
      aPiece({
        id: 'L1',
        role: 'context',
        text: '{"type":"item.completed","item":{"type":"command_execution","command":"cargo test","exit_code":0}}',
        at: '2026-01-08T16:21:02.118Z',
      }),
      aPiece({
        id: 'L2',
        text: "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 7', src/planner.rs:42:17",
        at: '2026-01-08T16:21:03.402Z',
      }),
      aPiece({
        id: 'L3',
        text: 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
        at: '2026-01-08T16:21:03.402Z',
      }),
      aPiece({
        id: 'K1',
        kind: 'kubernetes',
        role: 'context',
        text: 'Pod play-7f3a-rex-x2k4q: container agent terminated, reason Error, exit code 101',
        at: '2026-01-08T16:21:04Z',
      }),
    ],
  },
  'runtime-unauthorized': {
    target: 'acme/platform',
    finding: aFinding({
      pattern: 'api.credentials',
      code: null,
      category: 'runtime',
      severity: 'critical',
      identity: {},
      summary: 'credentials of the model or a service are refused',
      count: 5,
      fingerprint: 'v1:19be77d0c3a2f465',
    }),
    pieces: ['16:31:10.004', '16:31:12.611', '16:31:17.090'].map((time, index) =>
      aPiece({
        id: `L${index + 1}`,
        text: 'unexpected status 401 Unauthorized: {"detail":"Unauthorized"}, url: https://llm.example.com/v1/responses',
        at: `2026-01-08T${time}Z`,
      }),
    ),
    gaps: ['Kubernetes is not configured: how the pod ended is not known.'],
  },
  'lifecycle-template-missing': {
    target: 'acme/widgets',
    finding: aFinding({
      pattern: 'instructions.template',
      code: null,
      category: 'lifecycle',
      severity: 'high',
      identity: {},
      summary: 'the prompt template is missing',
      fingerprint: 'v1:aa02bb13cc24dd35',
    }),
    pieces: [
      aPiece({
        id: 'L1',
        text: '{"level":"error","ts":"2026-01-08T16:04:07.306Z","msg":"Template not found","path":"agents/rex/identity.md.hbs"}',
        at: '2026-01-08T16:04:07.306Z',
      }),
      aPiece({
        id: 'L2',
        role: 'context',
        text: 'entrypoint: continuing with the default prompt',
        at: '2026-01-08T16:04:07.410Z',
      }),
    ],
  },
};

describe.each(Object.entries(EXAMPLES))('the issue of %s', (name, example) => {
  const { finding, pieces, target, gaps = [], latest = [], isPublic = false } = example;
  const id = incidentId(target, finding.fingerprint);
  const at = { ...finding, anchor: anEntryRef({ pod: finding.pod }) };
  const pack = anEvidencePack({
    incidentId: id,
    finding: at,
    pieces,
    gaps,
    occurrences: { count: Math.max(latest.length, 1), plays: [...new Set(latest.map((one) => one.playId))] },
  });
  const incident = anIncident({
    id,
    target,
    title: finding.summary,
    fingerprint: finding.fingerprint,
    category: finding.category,
    code: finding.code,
    severity: finding.severity,
    pattern: finding.pattern,
  });
  const draft = renderIssue({
    incident,
    pack,
    diagnosis: diagnose(pack),
    repository: { isPublic, showEvidence: false },
    occurrences: { total: Math.max(latest.length, 1), latest },
  });

  it('reads as its golden file', async () => {
    const text = [`Title: ${draft.title}`, `Labels: ${draft.labels.join(', ')}`, '', draft.body, ''].join('\n');
    await expect(text).toMatchFileSnapshot(`golden/${name}.md`);
  });

  it('is safe Markdown', () => {
    expect(() => parseStrictly(draft.body)).not.toThrow();
  });
});
