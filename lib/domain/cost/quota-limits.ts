import type { TemplateFacts } from './facts.ts';
import { GITHUB_WRITES, type Limit, type LimitedStage } from './limit.ts';
import { githubLimits, lokiLimits, modelLimits } from './peer-limits.ts';
import { factsOf } from './rates.ts';
import * as usage from './usage.ts';

const LAMBDA_LIMITS = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const DYNAMO_LIMITS = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html';

/** Lines that one read takes (lib/adapters/loki/loki-source.ts), and reads that a look makes (lib/app/detect-window.ts). */
export const LINES_OF_A_READ = 100_000;
export const READS_OF_A_LOOK = 10;

/** What Healer lets itself write in an hour and an installation (lib/adapters/dynamodb/write-pacer.ts). */
export const PACED_WRITES_PER_HOUR = 450;

function healerLimits(facts: TemplateFacts): readonly Limit[] {
  const shared = { system: 'Healer', source: 'serverless.yml', checked: '2026-11' } as const;
  const detect = factsOf(facts, 'detect');
  const sweep = factsOf(facts, 'sweep');
  return [
    {
      ...shared,
      name: 'lines of one read that are taken before the rest waits for the next',
      value: LINES_OF_A_READ,
      unit: 'lines that pass the filter',
      grows: 'namespace',
      demand: ({ linesPerMinute }, { sessionsPerNamespace, looks }) =>
        sessionsPerNamespace * linesPerMinute * usage.MATCHED_SHARE * (usage.READ_AGAIN_MINUTES + 60 / looks),
      source: 'lib/adapters/loki/loki-source.ts',
      advice: `Spread the plays over more namespaces; until then a look reads on, up to ${READS_OF_A_LOOK} times.`,
    },
    {
      ...shared,
      name: 'time of one look (timeout of detect)',
      value: detect.timeoutS,
      unit: 's',
      grows: 'namespace',
      demand: (_, { lookMs }) => lookMs / 1000,
      advice: 'Spread the plays over more namespaces, or give detect more memory.',
    },
    {
      ...shared,
      name: 'namespaces read within a minute (maximumConcurrency of detect)',
      value: 60,
      unit: 's for all of them',
      grows: 'fleet',
      demand: ({ namespaces }, { lookMs }) => (namespaces * lookMs) / 1000 / (detect.maxConcurrency ?? 1),
      advice: 'Raise maximumConcurrency of detect in serverless.yml.',
    },
    {
      ...shared,
      name: 'time of one sweep (timeout of sweep)',
      value: sweep.timeoutS,
      unit: 's',
      grows: 'fleet',
      demand: (_, { sweepMs }) => sweepMs / 1000,
      advice: 'Raise timeout and memorySize of sweep in serverless.yml.',
    },
    {
      ...shared,
      name: 'writes on GitHub that Healer lets itself make, by installation',
      value: PACED_WRITES_PER_HOUR,
      unit: 'writes/h',
      grows: 'fleet',
      demand: ({ incidentsPerDay }) => (incidentsPerDay / 24) * GITHUB_WRITES,
      source: 'lib/adapters/dynamodb/write-pacer.ts',
      advice: 'Nothing is lost: writes wait for the next hour. Install the App in several organizations, or tell less.',
    },
  ];
}

function awsLimits(facts: TemplateFacts, { throttlingRate }: LimitedStage): readonly Limit[] {
  const shared = { system: 'AWS', checked: null } as const;
  const workers = Object.values(facts.functions).reduce((sum, { maxConcurrency }) => sum + (maxConcurrency ?? 0), 0);
  return [
    {
      ...shared,
      name: 'requests that the API takes (api.throttling.rate)',
      value: throttlingRate,
      unit: 'requests/s',
      grows: 'fleet',
      demand: ({ readsPerSession }, { starts }) => (starts * (2 + readsPerSession)) / 3600,
      source: 'healer.<stage>.yml',
      checked: '2026-11',
      advice: 'Raise api.throttling; AWS allows 10,000 requests/s by account and region.',
    },
    {
      ...shared,
      name: 'concurrent functions of the account',
      value: 1_000,
      unit: 'functions, fewer on a new account',
      grows: 'fleet',
      // Queue mappings bound themselves; what is added is the API.
      demand: ({ readsPerSession }, { starts }) => workers + (starts * (2 + readsPerSession) * 0.07) / 3600,
      source: LAMBDA_LIMITS,
      checked: '2026-11',
      advice: 'aws lambda get-account-settings shows it; ask for more in Service Quotas.',
    },
    {
      ...shared,
      name: 'size of an item: the cursor of a namespace names its plays',
      value: 400,
      unit: 'KB',
      grows: 'namespace',
      demand: (_, { sessionsPerNamespace }) => 0.4 + usage.LOOK_SESSION.cursorKb * sessionsPerNamespace,
      source: DYNAMO_LIMITS,
      checked: '2026-11',
      advice: 'Spread the plays over more namespaces.',
    },
    {
      ...shared,
      name: 'reads of one partition: the list of active sessions, read by the sweep within a second',
      value: 3_000,
      unit: 'units/s',
      grows: 'fleet',
      demand: ({ sessions }) => usage.SWEEP_SESSION.reads * sessions,
      source: DYNAMO_LIMITS,
      advice: 'Run a second stage for a part of the repositories.',
    },
    {
      ...shared,
      name: 'writes of one partition: the records of a namespace, within a look',
      value: 1_000,
      unit: 'units/s',
      grows: 'namespace',
      demand: (_, { sessionsPerNamespace }) => usage.LOOK.writes + usage.LOOK_SESSION.cursorKb * sessionsPerNamespace,
      source: DYNAMO_LIMITS,
      advice: 'Spread the plays over more namespaces.',
    },
  ];
}

/** Every limit that the model knows, in no order. */
export const toLimits = (facts: TemplateFacts, stage: LimitedStage): readonly Limit[] => [
  ...lokiLimits(),
  ...healerLimits(facts),
  ...awsLimits(facts, stage),
  ...githubLimits(),
  ...modelLimits(stage),
];
