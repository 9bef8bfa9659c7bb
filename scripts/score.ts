import { parseArgs } from 'node:util';
import type { CaseScore, Score, Share } from '#test/corpus/score.ts';
import { kindsOf, ratio, SETS, scoreSet, sum, sumBy } from '#test/corpus/score.ts';

const { values } = parseArgs({ options: { detail: { type: 'boolean' }, json: { type: 'boolean' } } });

/** A part of nothing has no share. */
const percent = (share: Share): string => (share.of === 0 ? '-' : `${(ratio(share) * 100).toFixed(1)}%`).padStart(7);

const HEADER = 'cases  case-P  case-R       P       R  benign  categ.    code  severity   roots   links';

function row(name: string, score: Score): string {
  const shares = [score.casePrecision, score.caseRecall, score.precision, score.recall, score.benignAlarmed];
  const labels = [score.category, score.code, score.severity, score.roots, score.links];
  return `${name.padEnd(14)} ${String(score.cases).padStart(5)} ${[...shares, ...labels].map(percent).join(' ')}`;
}

function details({ corpusCase, missed, alarms }: CaseScore): string[] {
  const line = (index: number): string => (corpusCase.lines[index]?.line ?? '').slice(0, 150);
  return [
    ...missed.map(
      (e) =>
        `  MISS  ${corpusCase.id} [${e.line_index}] ${e.category} ${e.code ?? ''} ${e.severity}: ${line(e.line_index)}`,
    ),
    ...alarms.map(
      ({ lineIndex, finding }) => `  ALARM ${corpusCase.id} [${lineIndex}] ${finding.pattern}: ${line(lineIndex)}`,
    ),
  ];
}

function labelFaults({ corpusCase, found }: CaseScore): string[] {
  return found
    .filter(
      ({ expectation: e, detected: { finding: f } }) =>
        e.category !== f.category || (e.code ?? null) !== f.code || e.severity !== f.severity,
    )
    .map(({ expectation: e, detected: { finding: f } }) => {
      const label = (part: { category: string; code?: string | null; severity: string }) =>
        `${part.category} ${part.code ?? '-'} ${part.severity}`;
      return `  LABEL ${corpusCase.id} [${e.line_index}] ${f.pattern}: ${label(f)} for ${label(e)}`;
    });
}

function print(set: (typeof SETS)[number]): void {
  const scores = scoreSet(set);
  console.log(`\n${set}`.padEnd(16) + HEADER);
  console.log(row('all', sum(scores)));
  for (const [agent, score] of sumBy(scores, ({ corpusCase }) => [corpusCase.agent]))
    console.log(row(`  ${agent}`, score));
  for (const [kind, score] of sumBy(scores, kindsOf)) console.log(row(`  ${kind}`, score));
  if (values.detail === true)
    for (const score of scores) for (const text of [...details(score), ...labelFaults(score)]) console.log(text);
}

if (values.json === true)
  console.log(JSON.stringify(Object.fromEntries(SETS.map((set) => [set, sum(scoreSet(set))])), null, 2));
else for (const set of SETS) print(set);
