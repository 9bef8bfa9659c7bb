import { describe, expect, it } from 'vitest';
import {
  decideFollowUp,
  type Facts,
  type FollowUp,
  UNEXERCISED_MS,
  VERIFY_MS,
} from '#lib/domain/remediation/follow-up.ts';
import { modeOf, needsApproval, parseModes } from '#lib/domain/remediation/modes.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import { freshRemediation, type Remediation, toBranch } from '#lib/domain/remediation/remediation.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';

const NOW = 1_800_000_000_000;
const SHA = 'a'.repeat(40);
const OPEN = { isOpen: true, reason: null } as const;
const PULL = { isOpen: true, mergedAt: null, head: SHA };
const EXPOSURE = { incidentId: 'i', playId: 'p', agent: 'rex', at: NOW, proof: 'it works' };
const PROPOSAL: Proposal = {
  title: 't',
  why: 'w',
  edits: [{ path: 'src/a.ts', search: 'a', replace: 'b' }],
  verify: [],
  source: 'model',
  declaredIn: [],
  expects: null,
};
const PATCH = { kind: 'proposal', proposal: PROPOSAL, failure: null } as const;

const aRemediation = (change: Partial<Remediation> = {}): Remediation => ({
  ...freshRemediation(anIncident(), { repository: 'acme/shop', finding: aFinding() }, NOW - 3_600_000),
  ...change,
});
const DONE = aRemediation({
  attempts: [{ proposal: 'p', parent: SHA, sha: SHA }],
  pull: { number: 2, url: 'u' },
});

const facts = (change: Partial<Facts> = {}): Facts => ({
  issue: OPEN,
  pull: null,
  checks: null,
  approvedBy: null,
  ...change,
});
const followUp = (change: Partial<FollowUp> = {}): FollowUp => ({
  state: 'reported',
  remediation: aRemediation(),
  outcome: undefined,
  needsApproval: false,
  asks: 'at once',
  exposures: [],
  now: NOW,
  ...change,
});
const PROPOSED = { state: 'proposed', remediation: DONE } as const;
const verifying = (sinceMerge: number) => ({
  state: 'verifying' as const,
  remediation: { ...DONE, mergedAt: NOW - sinceMerge },
});

describe('what follows', () => {
  it.each<[string, Partial<Facts>, Partial<FollowUp>, string]>([
    ['a filed issue', {}, {}, 'ask'],
    ['a filed issue, mode off', {}, { asks: 'never' }, 'wait'],
    ['a filed issue, mode label', {}, { asks: 'with label' }, 'wait'],
    ['a labelled issue, mode label', { approvedBy: 'mia' }, { asks: 'with label' }, 'ask'],
    ['a proposal', {}, { outcome: PATCH }, 'propose'],
    ['a proposal that needs approval', {}, { outcome: PATCH, needsApproval: true }, 'hold'],
    ['an approved proposal', { approvedBy: 'mia' }, { outcome: PATCH, needsApproval: true }, 'propose'],
    ['no remedy', {}, { outcome: { kind: 'none', reason: '', failure: null } }, 'wait'],
    ['a refused proposal', {}, { outcome: { ...PATCH, kind: 'refused', rule: 'patch path' } }, 'describe'],
    ['an issue closed as not planned', { issue: { isOpen: false, reason: 'not_planned' } }, {}, 'dismiss'],
    ['an issue closed as completed', { issue: { isOpen: false, reason: 'completed' } }, {}, 'accept'],
    ['a pull request without checks', { pull: PULL, checks: 'none' }, PROPOSED, 'wait'],
    ['a green pull request', { pull: PULL, checks: 'green' }, PROPOSED, 'wait'],
    ['a pending pull request', { pull: PULL, checks: 'pending' }, PROPOSED, 'wait'],
    ['a red pull request', { pull: PULL, checks: 'red' }, PROPOSED, 'ask'],
    [
      'a red pull request with another patch',
      { pull: PULL, checks: 'red' },
      { ...PROPOSED, outcome: PATCH },
      'propose',
    ],
    [
      'a red pull request without another patch',
      { pull: PULL, checks: 'red' },
      { ...PROPOSED, outcome: { kind: 'none', reason: '', failure: null } },
      'hand-over',
    ],
    [
      'the third red commit',
      { pull: PULL, checks: 'red' },
      {
        state: 'proposed',
        remediation: { ...DONE, attempts: [...DONE.attempts, ...DONE.attempts, ...DONE.attempts] },
        outcome: PATCH,
      },
      'hand-over',
    ],
    [
      'a policy breach after the first patch',
      { pull: PULL, checks: 'red' },
      { ...PROPOSED, outcome: { ...PATCH, kind: 'refused', rule: 'tests' } },
      'hand-over',
    ],
    ['a pull request closed by a person', { pull: { ...PULL, isOpen: false } }, PROPOSED, 'end'],
    ['a branch somebody pushed to', { pull: { ...PULL, head: 'b'.repeat(40) } }, PROPOSED, 'end'],
    ['a merge', { pull: { ...PULL, isOpen: false, mergedAt: NOW } }, PROPOSED, 'verify'],
    [
      'a merge after the branch was taken over',
      { pull: { ...PULL, isOpen: false, mergedAt: NOW, head: 'b' } },
      { state: 'proposed', remediation: { ...DONE, ended: 'taken-over' } },
      'verify',
    ],
    [
      'a merge that closed the issue',
      { issue: { isOpen: false, reason: 'completed' }, pull: { ...PULL, mergedAt: NOW } },
      PROPOSED,
      'verify',
    ],
    ['a merge without exposure', {}, verifying(VERIFY_MS * 2), 'wait'],
    ['an exposure before 24 h', {}, { ...verifying(VERIFY_MS - 1), exposures: [EXPOSURE] }, 'wait'],
    ['an exposure and 24 h', {}, { ...verifying(VERIFY_MS), exposures: [EXPOSURE] }, 'resolve'],
    ['14 days without an exposure', {}, verifying(UNEXERCISED_MS), 'close-unexercised'],
    ['a dismissal while verifying', { issue: { isOpen: false, reason: 'not_planned' } }, verifying(1), 'dismiss'],
    ['ended attempts', {}, { remediation: aRemediation({ ended: 'pull-closed' }) }, 'wait'],
  ])('from %s', (_what, given, of, expected) => {
    expect(decideFollowUp(facts(given), followUp(of)).kind).toBe(expected);
  });

  it('looks again ever more rarely, and at the end of the verification', () => {
    const at = (changedAt: number, of: Partial<FollowUp> = {}) => {
      const decision = decideFollowUp(
        facts({ pull: PULL, checks: 'pending' }),
        followUp({ ...PROPOSED, ...of, remediation: { ...DONE, changedAt } }),
      );
      return decision.kind === 'wait' ? decision.until - NOW : undefined;
    };
    expect(at(NOW)).toBe(2 * 60_000);
    expect(at(NOW - 20 * 60_000)).toBe(10 * 60_000);
    expect(at(NOW - 30 * VERIFY_MS)).toBe(4 * 3_600_000);
    const last = decideFollowUp(facts(), followUp({ ...verifying(VERIFY_MS - 1_000), exposures: [EXPOSURE] }));
    expect(last).toEqual({ kind: 'wait', until: NOW + 1_000 });
  });
});

describe('branches', () => {
  it.each([
    ['v1:3f9c', 1, 'healer/v1-3f9c'],
    ['v1:3f9c', 2, 'healer/v1-3f9c-2'],
    ['../../main', 1, 'healer/main'],
    ['---', 1, 'healer/0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  ])('of %j in cycle %d', (fingerprint, cycle, branch) => {
    expect(toBranch({ fingerprint, id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9' }, cycle)).toBe(branch);
  });
});

describe('modes', () => {
  const rules = parseModes('acme/*=auto, acme/x=off,*=label');
  it.each([
    ['acme/shop', 'auto'],
    ['Acme/X', 'off'],
    ['other/y', 'label'],
  ])('of %s is %s', (repository, mode) => {
    expect(modeOf(rules, repository)).toBe(mode);
  });

  it('is guarded where nothing is said, and refuses what it does not know', () => {
    expect(modeOf(parseModes(''), 'acme/shop')).toBe('guarded');
    for (const text of ['acme=auto', 'acme/*=on', 'auto', 'acme/*/x=auto', '=auto']) {
      expect(() => parseModes(text)).toThrow(/mode/);
    }
  });

  it.each([
    ['auto', 'model', 'src/a.ts', false],
    ['guarded', 'rules', 'src/a.ts', false],
    ['guarded', 'model', 'docs/a.md', false],
    ['guarded', 'model', 'src/a.ts', true],
    ['label', 'rules', 'docs/a.md', true],
    ['off', 'rules', 'docs/a.md', true],
  ] as const)('%s: a patch of %s on %s waits: %s', (mode, source, path, waits) => {
    expect(needsApproval(mode, { source, edits: [{ path, search: null, replace: 'x' }] })).toBe(waits);
  });
});
