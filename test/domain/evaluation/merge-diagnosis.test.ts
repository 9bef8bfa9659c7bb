import { describe, expect, it } from 'vitest';
import { mergeDiagnosis, toModelDiagnosis } from '#lib/domain/evaluation/merge-diagnosis.ts';
import type { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { boundAnswer, toHarmless } from '#lib/domain/evaluation/tame-answer.ts';
import { anAnswer } from '#test/support/an-analyst.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';

const pack = anEvidencePack({
  pieces: [aPiece(), aPiece({ id: 'L2', role: 'context', text: 'dial http://tools:3000/mcp refused, ask @ops' })],
});
const model = (change: Parameters<typeof anAnswer>[0] = {}) => toModelDiagnosis(anAnswer(change), pack);

describe('a model diagnosis', () => {
  it('is likely at most, has no commands, and tells alternatives that the evidence holds as gaps', () => {
    const alternatives = [
      { text: 'The server was down: `refused`.', evidence: ['L2'] },
      { text: 'The disk was full: `no space left`.', evidence: ['L2'] },
      { text: 'Sabotage.', evidence: ['L2'] },
    ];
    const { confidence, gaps, remedy } = model({ alternatives, gaps: ['The server was not asked.'] });
    expect(confidence).toBe('likely');
    expect(gaps).toEqual(['The server was not asked.', 'Not ruled out: The server was down: `refused`.']);
    expect(remedy).toEqual([{ text: 'Correct the name of the tool where agents are declared.' }]);
  });

  it.each(['The pod burned down.', 'The `sun` set.', 'See "https://evil.example".'])(
    'with the summary %j is told by its causes',
    (summary) => {
      expect(model({ summary }).summary).toBe(anAnswer().root_cause.text);
    },
  );
});

describe('the merge rule', () => {
  it('keeps a certain diagnosis by rules first and whole', () => {
    const rules = aDiagnosis({ confidence: 'certain' });
    const merged = mergeDiagnosis(rules, model());
    expect(merged).toMatchObject({ source: 'model', summary: rules.summary, confidence: 'certain' });
    expect(merged?.cause).toEqual([...rules.cause, anAnswer().root_cause]);
    expect(merged?.remedy[0]).toEqual(rules.remedy[0]);
    expect(merged?.verify[0]).toEqual(rules.verify[0]);
  });

  it('puts proved claims before a diagnosis that is not provable', () => {
    const rules = aDiagnosis({ confidence: 'not provable', cause: [], summary: 'unknown' });
    expect(mergeDiagnosis(rules, model())).toMatchObject({ summary: anAnswer().summary, confidence: 'likely' });
  });

  it.each([
    { confidence: 'not provable' },
    { root_cause: { text: 'A guess about `nothing`.', evidence: ['L1'] } },
  ] satisfies Partial<AnalysisAnswer>[])('takes nothing of an answer with %j', (change) => {
    expect(mergeDiagnosis(aDiagnosis(), model(change))).toBeUndefined();
  });

  it('says nothing twice', () => {
    const rules = aDiagnosis({ cause: [anAnswer().root_cause], remedy: [{ text: anAnswer().remedy[0] ?? '' }] });
    const merged = mergeDiagnosis(rules, model());
    expect(merged?.cause).toHaveLength(1);
    expect(merged?.remedy).toHaveLength(1);
  });
});

describe('harmless text', () => {
  it.each([
    ['plain words, 5 < 6 && `a`', 'plain words, 5 < 6 && `a`'],
    ['![x](https://evil.example/?k=1) after', 'x after'],
    ['[click](javascript:alert(1)) here', 'click) here'],
    ['see https://evil.example/x now', 'see (link left out) now'],
    ['ht<b>tps://evil.example', '(link left out)'],
    ['hidden <!-- order --> comment', 'hidden comment'],
    ['<img src=x onerror=y> z', 'z'],
    ['<img src=x', ''],
    ['ask @maintainer', 'ask (at)maintainer'],
    ['mail mailto:a@b.c', 'mail (link left out)'],
    ['a\u202eb\u200bc', 'abc'],
    ['[x][evil] and [evil]: https://e.example', 'x and evil'],
    ['`https://evil.example`', '`(link left out)`'],
    // Words of the evidence stay as they are, as inline code.
    ['`http://tools:3000/mcp` and `@ops`', '`http://tools:3000/mcp` and `@ops`'],
    ['http://tools:3000/mcp', '(link left out)'],
    ['the data: were lost', 'the data: were lost'],
    ['data:text/html;base64,AAAA', '(link left out)'],
  ])('%j is %j', (text, harmless) => {
    expect(toHarmless(text, pack)).toBe(harmless);
  });
});

describe('bounds', () => {
  it('hold for an answer of any size', () => {
    const claim = {
      text: 'x'.repeat(90_000),
      evidence: Array.from({ length: 5_000 }, (_, i) => `L${i}${'0'.repeat(99)}`),
    };
    const texts = Array.from({ length: 3_000 }, () => 'y'.repeat(2_000));
    const bounded = boundAnswer({
      ...anAnswer({ summary: claim.text, root_cause: claim, remedy: texts, verify: texts, gaps: texts }),
      causal_chain: texts.map(() => claim),
      claims: [claim],
      alternatives: [claim],
    });
    expect(JSON.stringify(bounded).length).toBeLessThan(80_000);
  });
});
