import { GITHUB_WRITES, type Limit, type LimitedStage } from './limit.ts';
import type { Load } from './load.ts';
import * as usage from './usage.ts';

const LOKI_LIMITS = 'https://grafana.com/docs/loki/latest/configure/#limits_config';
const GITHUB_LIMITS = 'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api';

const githubCalls = (): number =>
  Object.entries(usage.GITHUB_CALLS).reduce(
    (sum, [name, calls]) => sum + calls * (usage.INCIDENT.runs[name as keyof typeof usage.INCIDENT.runs] ?? 0),
    0,
  );

const bytesPerSecond = ({ sessions, linesPerMinute }: Load): number =>
  (sessions * linesPerMinute * usage.LINE_BYTES) / 60;
const podsOf = (sessions: number): number => sessions * usage.PODS_AT_WORK;
const MB = 1_000_000;

/** Limits of Loki at its defaults. */
export function lokiLimits(): readonly Limit[] {
  const shared = { system: 'Loki', source: LOKI_LIMITS, checked: '2026-11' } as const;
  return [
    {
      ...shared,
      name: 'ingest of a tenant (ingestion_rate_mb)',
      value: 4,
      unit: 'MB/s',
      grows: 'fleet',
      demand: (load) => bytesPerSecond(load) / MB,
      advice: 'Raise ingestion_rate_mb and ingestion_burst_size_mb of the tenant, or let agents log less.',
    },
    {
      ...shared,
      name: 'active streams of a tenant (max_global_streams_per_user)',
      value: 5_000,
      unit: 'streams',
      grows: 'fleet',
      demand: ({ sessions }) => podsOf(sessions),
      advice: 'Raise max_global_streams_per_user, or keep what changes out of the labels.',
    },
    {
      ...shared,
      name: 'series of a metric query (max_query_series): pods of one namespace that spoke in a look',
      value: 500,
      unit: 'pods',
      grows: 'namespace',
      demand: (_, { sessionsPerNamespace }) => podsOf(sessionsPerNamespace),
      advice: 'Raise max_query_series, or spread the plays over more namespaces.',
    },
  ];
}

/** Limits of GitHub, by installation and account. */
export function githubLimits(): readonly Limit[] {
  const shared = { system: 'GitHub', grows: 'fleet', source: GITHUB_LIMITS, checked: '2026-11' } as const;
  return [
    {
      ...shared,
      name: 'requests of one installation',
      value: 5_000,
      unit: 'requests/h',
      demand: ({ incidentsPerDay }) => (incidentsPerDay / 24) * githubCalls(),
      advice: 'Let GitHub send its events (docs/deploy.md, step 8); an Enterprise organization has 15,000.',
    },
    {
      ...shared,
      name: 'content that one account creates (secondary limit)',
      value: 500,
      unit: 'writes/h',
      demand: ({ incidentsPerDay }) => (incidentsPerDay / 24) * GITHUB_WRITES,
      advice: 'Healer stays below it by itself; install the App in several organizations.',
    },
  ];
}

/** What the stage's budgets let models use. */
export function modelLimits(stage: LimitedStage): readonly Limit[] {
  if (!stage.hasModel) return [];
  const shared = { system: 'model', grows: 'fleet', source: 'healer.<stage>.yml', checked: '2026-11' } as const;
  const advice = 'Raise budgets.day; beyond it incidents get the diagnosis of fixed rules alone.';
  return [
    {
      ...shared,
      name: 'money of a day (budgets.day.usd)',
      value: stage.dayBudgetUsd,
      unit: 'USD/day',
      demand: ({ incidentsPerDay }) => incidentsPerDay * stage.usdPerIncident,
      advice,
    },
    {
      ...shared,
      name: 'tokens of a day (budgets.day.tokens)',
      value: stage.dayBudgetTokens,
      unit: 'tokens/day',
      demand: ({ incidentsPerDay }) => incidentsPerDay * stage.tokensPerIncident,
      advice: `${advice} The provider's own limits depend on your tier.`,
    },
  ];
}
