import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';

const pack = anEvidencePack({
  pieces: [
    aPiece({ id: 'L1', text: 'missing from CLI: [github_create_brnch]' }),
    aPiece({ id: 'L2', text: '{"error":{"message":"token \\"abc\\" has expired"}}', role: 'context' }),
  ],
});

const verdict = (text: string, evidence: readonly string[]): boolean =>
  verifyClaims(aDiagnosis({ source: 'model', cause: [{ text, evidence }] }), pack).cause.length === 1;

describe('verifyClaims', () => {
  it.each([
    ['quotes what the piece says', 'It lacks `github_create_brnch`.', ['L1'], true],
    ['quotes nothing', 'It lacks a tool.', ['L1'], true],
    ['quotes JSON without its escapes', 'It says "token", and `token "abc" has expired`.', ['L2'], true],
    ['quotes with other white space', 'It says `missing  from CLI`.', ['L1'], true],
    ['names the agent of the piece', 'Agent `rex` lacks it.', ['L1'], true],
    ['quotes words of a piece that it does not cite', 'It lacks `github_create_brnch`.', ['L2'], false],
    ['quotes what nobody says', 'It lacks `web_search`.', ['L1', 'L2'], false],
    ['has one quote of two that nobody says', '`missing` and "invented"', ['L1'], false],
    ['cites a piece that does not exist', 'It lacks a tool.', ['L7'], false],
    ['cites one that exists and one that does not', 'It lacks a tool.', ['L1', 'L7'], false],
    ['cites nothing', 'It lacks a tool.', [], false],
    ['quotes in other letters', 'It lacks `GITHUB_create_brnch`.', ['L1'], false],
  ])('a claim that %s', (_, text, evidence, stays) => {
    expect(verdict(text, evidence)).toBe(stays);
  });

  it('says that nothing is provable once no claim is left', () => {
    const checked = verifyClaims(
      aDiagnosis({ source: 'model', summary: 'A solar flare did it.', cause: [{ text: 'x', evidence: ['L9'] }] }),
      pack,
    );
    expect(checked.confidence).toBe('not provable');
    expect(checked.summary).toMatch(/^The cause is not provable from the evidence at hand\./);
    expect(checked.summary).not.toContain('solar');
  });

  it('replaces a summary that quotes what no piece says', () => {
    const checked = verifyClaims(aDiagnosis({ source: 'model', summary: 'The tool `rm_everything` failed.' }), pack);
    expect(checked.summary).toBe('The log names `github_create_brnch`.');
  });

  it.each([
    ['a diagnosis without causes', { ...aDiagnosis(), cause: undefined }, pack],
    ['a claim without text', aDiagnosis({ cause: [{ text: '', evidence: [] }] }), pack],
    ['a confidence of its own', { ...aDiagnosis(), confidence: 'sure' }, pack],
    ['no pack', aDiagnosis(), undefined],
    ['pieces without text', aDiagnosis(), { ...pack, pieces: [{ id: 'L1' }] }],
    ['pieces that share an id', aDiagnosis(), { ...pack, pieces: [aPiece(), aPiece()] }],
  ])('refuses %s', (_, diagnosis, broken) => {
    expect(() => verifyClaims(diagnosis as Diagnosis, broken as EvidencePack)).toThrow(GuardError);
  });
});
