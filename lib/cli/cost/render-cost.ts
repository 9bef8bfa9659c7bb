import type { CostLine, Estimate } from '#lib/domain/cost/estimate.ts';
import type { ModelEstimate } from '#lib/domain/cost/model-spend.ts';
import { toAssumptions, toLoadLines } from './assumptions.ts';
import { toAmount, toColumns, toUsd } from './columns.ts';
import type { CostQuestion } from './options.ts';

/** The estimate for a person. */
export function renderCost(question: CostQuestion, estimate: Estimate, models: ModelEstimate): string {
  const { deployment, region, origin } = question;
  const rows = [['service', 'what', 'USD a month'], ...toRows(estimate.lines)];
  const total = ['total', '', toUsd(estimate.usd)];
  return [
    `Stage ${deployment.stage} in ${region} (${origin})`,
    ...toLoadLines(question).map((line) => `  ${line}`),
    '',
    ...toColumns([...rows, total], 1),
    '',
    `${estimate.usdPerSession.toFixed(4)} USD for each session that is active all month, without the model`,
    '',
    ...modelLines(models),
    'Data transfer, apart, since it depends on where Loki stands:',
    ...estimate.transfer.map(({ item, quantity, usd }) => `  ${item}: ${toUsd(usd)} USD for ${toAmount(quantity)} GB`),
    '',
    'What this takes for granted:',
    ...toAssumptions(question, estimate).map((line) => `- ${line}`),
    '',
  ].join('\n');
}

/** By service, the dearest first; time and invocations of a function are one row. */
function toRows(lines: readonly CostLine[]): readonly (readonly string[])[] {
  const rows = [...Map.groupBy(lines, ({ service, item }) => `${service}\n${item.replace(/: .*/, '')}`)].map(
    ([key, own]) => ({ key: key.split('\n'), usd: own.reduce((sum, { usd }) => sum + usd, 0) }),
  );
  const services = [...Map.groupBy(rows, ({ key }) => key[0])].map(([, own]) => ({
    own: own.toSorted((a, b) => b.usd - a.usd),
    usd: own.reduce((sum, { usd }) => sum + usd, 0),
  }));
  return services
    .toSorted((a, b) => b.usd - a.usd)
    .flatMap(({ own }) => own.map(({ key: [service = '', item = ''], usd }) => [service, item, toUsd(usd)]));
}

function modelLines({ lines, usd, isCapped }: ModelEstimate): readonly string[] {
  if (lines.length === 0) return ['Models: none, so 0.00 USD; diagnoses and patches come from fixed rules.', ''];
  const each = lines.map(
    (line) =>
      `  ${line.stage} with ${line.model}: ${toAmount(line.calls)} incidents, ` +
      `${toAmount((line.inputTokens + line.outputTokens) / 1e6)} million tokens, ${toUsd(line.usd)} USD`,
  );
  const cap = isCapped ? ['  The budget of a day ends it there: later incidents get fixed rules alone.'] : [];
  return [`Models, apart: ${toUsd(usd)} USD`, ...each, ...cap, ''];
}
