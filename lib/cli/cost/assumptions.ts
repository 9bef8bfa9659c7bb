import type { Estimate } from '#lib/domain/cost/estimate.ts';
import { priceList } from '#lib/domain/cost/prices.ts';
import * as usage from '#lib/domain/cost/usage.ts';
import { toAmount } from './columns.ts';
import type { CostQuestion } from './options.ts';

/** What the load is, a line each. */
export function toLoadLines({ load }: CostQuestion): readonly string[] {
  const { sessions, namespaces, sessionMinutes, linesPerMinute, incidentsPerDay, readsPerSession } = load;
  return [
    `${toAmount(sessions)} sessions active at the same time all month, in ${toAmount(namespaces)} namespace(s)`,
    `a session lasts ${toAmount(sessionMinutes)} minutes and writes ${toAmount(linesPerMinute)} lines a minute`,
    `${toAmount(readsPerSession)} request(s) of the API look at a session, ${toAmount(incidentsPerDay)} new incidents a day`,
  ];
}

/** What the estimate takes for granted, a line each. */
export function toAssumptions({ region, deployment }: CostQuestion, { rates }: Estimate): readonly string[] {
  const { pricesOf, dated, prices } = priceList(region);
  const unread = Object.values(prices).filter(({ checked }) => checked === null);
  return [
    `a namespace is read ${toAmount(rates.looks)} times an hour, of ${toAmount(rates.asked)} times that it is asked for; ` +
      `${toAmount(rates.lookMs / 1000)} s each`,
    `Loki answers a query in ${usage.LATENCY_MS.loki} ms, AWS in ${usage.LATENCY_MS.aws} ms, GitHub in ${usage.LATENCY_MS.github} ms`,
    deployment.loki.lineFilter === 'on'
      ? `one line in ${Math.round(1 / usage.MATCHED_SHARE)} passes the line filter; ${usage.LINE_BYTES} bytes a line`
      : `every line is read (loki.lineFilter is off); ${usage.LINE_BYTES} bytes a line`,
    `${usage.PODS_PER_SESSION} pods a session, an incident stays open for ${usage.INCIDENT.openDays} days`,
    'no free tier; 730 hours a month; taxes and support are left out',
    `prices of ${dated}${pricesOf === region ? ` for ${region}` : `: those of ${pricesOf}, since the table has none for ${region}`}; ` +
      `not read again at their source: ${unread.map(({ name }) => name).join(', ')}`,
  ];
}
