import fc from 'fast-check';
import type { ScriptEntry } from '#lib/local/openai/script.ts';
import { aHostileAnswer } from '#test/support/injections/hostile-answers.ts';
import { INJECTIONS } from '#test/support/injections/injections.ts';
import { BYSTANDER, TARGETS, type Target } from './ground.ts';
import { aHostileText, hostileEdits } from './hostile-edits.ts';
import { aHostilePath } from './hostile-paths.ts';

type Reply = ScriptEntry['replies'][number];

/** One incident, and what both models answer about it. */
export interface HostileCase {
  readonly target: Target;
  /** What `evaluate` hears. */
  readonly analysis: Reply;
  /** What `remediate` hears, one a call; from the last on the same. */
  readonly steps: readonly Reply[];
  /** An outcome that stands in the store unjudged, as if `remediate` itself were in a stranger's hands. */
  readonly stored?: unknown;
  /** Whether CI fails for what is published, so that two more patches are asked for. */
  readonly isRed: boolean;
  /** Who sets the label by which a proposal that waits is let out: only a maintainer may. */
  readonly labelledBy: 'maintainer' | 'guest' | null;
}

const aProposal = fc.record({
  title: aHostileText(200),
  why: aHostileText(4_000),
  edits: hostileEdits,
  verify: fc.array(aHostileText(500), { maxLength: 3 }),
});

/** Rights, places and deeds that the answer's shape has no room for. */
const CLAIMS = [
  { mode: '120000' },
  { mode: '160000', type: 'commit' },
  { delete: true },
  { repository: BYSTANDER },
  { ref: 'refs/heads/main', force: true },
  { branch: 'main', draft: false, merge: true },
  { permissions: { contents: 'admin', workflows: 'write' } },
  { approved: true, approvedBy: 'admin', source: 'rules' },
  { base_tree: null, sha: null },
  { labels: ['healer:fix'], assignees: ['admin'] },
] as const;

const step = (json: object): Reply => ({
  json: { action: 'propose', path: null, text: null, proposal: null, ...json },
});

const aStep: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 12, arbitrary: aProposal.map((proposal) => step({ proposal })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(aProposal, fc.constantFrom(...CLAIMS))
      .map(([proposal, claim]) =>
        step({ ...claim, proposal: { ...proposal, edits: proposal.edits.map((edit) => ({ ...edit, ...claim })) } }),
      ),
  },
  { weight: 1, arbitrary: aHostileText(500).map((text) => step({ action: 'stop', text })) },
);

const aLook: fc.Arbitrary<Reply> = fc
  .record({ action: fc.constantFrom('list', 'read', 'search'), path: aHostilePath, text: aHostileText(100) })
  .map(step);

/** No answer of the shape that was asked for. */
const NONSENSE: readonly Reply[] = [
  { text: '' },
  { text: '{' },
  { text: 'null' },
  { text: '[]' },
  { text: '{"__proto__":{"admin":true}}' },
  { text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
  { text: 'x'.repeat(1_200_000) },
  { json: { tool_calls: [{ function: { name: 'merge_pull_request', arguments: '{}' } }] } },
  { json: { action: 'merge', path: 'main', text: null, proposal: null } },
  { refusal: 'no' },
];
const nonsense: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom(...NONSENSE),
  fc.constantFrom(...INJECTIONS).map((text) => ({ text })),
  aHostileText(4_000).map((text) => ({ text })),
);

const steps: fc.Arbitrary<readonly Reply[]> = fc.oneof(
  { weight: 16, arbitrary: aStep.map((one) => [one]) },
  { weight: 5, arbitrary: fc.tuple(aLook, aStep) },
  { weight: 2, arbitrary: fc.array(aStep, { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: aLook.map((one) => [one]) },
  { weight: 1, arbitrary: nonsense.map((one) => [one]) },
);

const storedProposal: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(aProposal, fc.constantFrom('rules', 'model'), fc.constantFrom(null, { tool: 'x' }))
      .map(([proposal, source, expects]) => ({ ...proposal, source, declaredIn: ['docs/shop.md'], expects })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(aProposal, fc.constantFrom(...CLAIMS)).map(([one, claim]) => ({ ...one, ...claim })),
  },
  { weight: 1, arbitrary: fc.constantFrom({}, { title: 1, edits: 'x' }, { edits: [null] }, 'text', null) },
);

const stored: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: storedProposal.map((proposal) => ({ kind: 'proposal', proposal, failure: null })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(storedProposal, aHostileText(200))
      .map(([proposal, rule]) => ({ kind: 'refused', proposal, rule, failure: null })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('handover', 'none'), aHostileText(400), aHostileText(200))
      .map(([kind, reason, log]) => ({ kind, reason, failure: { signature: log, checks: [log], log: [log] } })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({}, null, 'text', { kind: 'merge' }, { kind: 'handover', reason: 1, failure: [] }),
  },
);

export const aHostileCase: fc.Arbitrary<HostileCase> = fc
  .record({
    target: fc.oneof(...[4, 2, 4].map((weight, at) => ({ weight, arbitrary: fc.constant(TARGETS[at] ?? TARGETS[0]) }))),
    analysis: fc.oneof(
      { weight: 9, arbitrary: aHostileAnswer.map((json): Reply => ({ json })) },
      { weight: 1, arbitrary: nonsense },
    ),
    steps,
    isRed: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    labelledBy: fc.constantFrom('maintainer', 'maintainer', 'guest', null),
    kept: fc.option(stored, { freq: 4 }),
  })
  .map(({ kept, ...one }) => (kept === null ? one : { ...one, stored: kept }));
