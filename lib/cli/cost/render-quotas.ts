import type { Quota } from '#lib/domain/cost/quotas.ts';
import { toLoadLines } from './assumptions.ts';
import { toAmount } from './columns.ts';
import type { CostQuestion } from './options.ts';

/** From this share on a limit needs an eye. */
const WARN_SHARE = 0.7;

/** The limits for a person, the first that is met at the top. */
export function renderQuotas(question: CostQuestion, quotas: readonly Quota[]): string {
  const { deployment, region, origin } = question;
  return [
    `Stage ${deployment.stage} in ${region} (${origin})`,
    ...toLoadLines(question).map((line) => `  ${line}`),
    '',
    'Met first, and then in order, if there were more sessions of the same kind:',
    ...quotas.flatMap((quota, at) => ['', ...toLines(quota, at + 1)]),
    '',
  ].join('\n');
}

function toLines({ limit, demand, share, metAt }: Quota, place: number): readonly string[] {
  const where = limit.grows === 'fleet' ? 'sessions' : 'sessions in one namespace';
  const when = metAt === null ? 'not in reach' : `at ${toAmount(metAt)} ${where}`;
  const mark = share >= 1 ? ' PASSED' : share >= WARN_SHARE ? ' NEAR' : '';
  const read = limit.checked === null ? 'not read again at its source' : `read ${limit.checked}`;
  return [
    `${place}. ${limit.system}: ${limit.name} – ${when}`,
    `   now ${toAmount(demand)} of ${toAmount(limit.value)} ${limit.unit} (${Math.round(share * 100)} %)${mark}`,
    `   ${limit.advice}`,
    `   ${limit.source} (${read})`,
  ];
}
