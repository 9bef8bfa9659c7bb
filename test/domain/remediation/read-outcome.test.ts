import { describe, expect, it } from 'vitest';
import { readOutcome } from '#lib/domain/remediation/read-outcome.ts';

const edits = [{ path: 'a.md', search: null, replace: 'x' }];
const PROPOSAL = { title: 't', why: 'w', edits, verify: [], source: 'model', declaredIn: [], expects: null };
const FAILURE = { signature: 's', checks: ['test'], log: ['FAIL'] };

describe('a stored outcome', () => {
  it.each([
    { kind: 'proposal', proposal: PROPOSAL, failure: FAILURE },
    { kind: 'refused', proposal: PROPOSAL, rule: 'patch path', failure: null },
    { kind: 'handover', reason: 'CI fails.', failure: FAILURE },
    { kind: 'none', reason: 'no rule knows a fix.', failure: null },
  ])('$kind is read as it was written', (outcome) => {
    expect(readOutcome(outcome)).toEqual(outcome);
  });

  it('that is not there stays so', () => expect(readOutcome(undefined)).toBeUndefined());

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['of a kind that nobody knows', { kind: 'merge', proposal: PROPOSAL }],
    ['with a proposal of another form', { kind: 'proposal', proposal: { title: 1, edits: 'x' } }],
    ['with more than a proposal has', { kind: 'proposal', proposal: { ...PROPOSAL, mode: '120000' } }],
    ['without a proposal', { kind: 'refused', rule: 'tests', failure: null }],
  ])('%s is refused, and nothing of it is told', (_name, stored) => {
    const outcome = readOutcome(stored);
    expect(outcome).toMatchObject({ kind: 'refused', rule: 'proposal', proposal: { title: 'not legible', edits: [] } });
  });

  it.each([
    ['rule', { kind: 'refused', proposal: PROPOSAL, rule: '![x](https://evil.example)', failure: null }, 'unknown'],
    ['reason', { kind: 'none', reason: 'x'.repeat(501), failure: null }, 'the reason is not legible.'],
    ['failure', { kind: 'none', reason: 'r', failure: { ...FAILURE, log: ['x'.repeat(501)] } }, null],
  ])('loses a %s that Healer cannot have written', (key, stored, instead) => {
    expect(readOutcome(stored)).toMatchObject({ [key]: instead });
  });
});
