import { expect, it } from 'vitest';
import { quoteEvidence } from '#lib/domain/evaluation/quote-evidence.ts';
import { toPublicDiagnosis } from '#lib/domain/publication/public-view.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { aDeclaration, anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';

const pack = anEvidencePack({
  pieces: [
    aPiece({ text: 'dial tcp to the billing host was refused by peer' }),
    aDeclaration('one two three four five six'),
  ],
});

it.each([
  [
    'The pod said dial tcp to the billing host was, then died.',
    'The pod said `dial tcp to the billing host` was, then died.',
  ],
  ['dial tcp to the billing host was refused by peer', '`dial tcp to the billing host was refused by peer`'],
  ['was refused by peer', 'was refused by peer'],
  ['`dial tcp to the billing host` twice', '`dial tcp to the billing host` twice'],
  ['it has one two three four five six', 'it has one two three four five six'],
  ['', ''],
])('%j is quoted as %j', (sentence, quoted) => {
  expect(quoteEvidence(sentence, pack)).toBe(quoted);
});

it('so that a public issue leaves out what a model copied without saying so', () => {
  const summary = quoteEvidence('It failed: dial tcp to the billing host was refused by peer', pack);
  const shown = toPublicDiagnosis(aDiagnosis({ source: 'model', summary }), pack);
  expect(shown.summary).toBe('It failed: (see L1)');
});
