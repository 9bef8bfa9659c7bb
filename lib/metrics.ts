import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MiddlewareObj } from '@middy/core';
import { optional, readConfig } from './config.ts';
import { QUEUES, type QueueName } from './flow.ts';

/** How a record of a queue ended: by its use case, or as a failure that comes again. */
export const ENDINGS = ['Done', 'Postponed', 'Escalated', 'Failed'] as const;
export type Ending = (typeof ENDINGS)[number];
type StageEnding = `${Capitalize<QueueName>}${Ending}`;

const capitalize = <const T extends string>(word: T) =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}` as Capitalize<T>;

/** Name of the metric that counts such an ending, e.g. `PublicationEscalated`. */
export const toStageEnding = (queue: QueueName, ending: Ending): StageEnding => `${capitalize(queue)}${ending}`;

const STAGE_ENDINGS = Object.fromEntries(
  QUEUES.flatMap((queue) => ENDINGS.map((ending) => [toStageEnding(queue, ending), 'Count'])),
) as Record<StageEnding, 'Count'>;

/**
 * Every metric of the namespace `Healer`, with its unit. A metric is written only where there is something to tell, so
 * that a stage at rest writes none. `docs/operate.md` says what the alarms on them mean.
 */
export const METRICS = {
  SessionStarted: 'Count',
  SessionRepeated: 'Count',
  SessionConflict: 'Count',
  SessionEnded: 'Count',
  RepositoryRefused: 'Count',
  TokenRefused: 'Count',
  /** Sessions that one pass of the sweep found active, and those of them whose logs are blind. */
  ActiveSessions: 'Count',
  BlindSessions: 'Count',
  /** Namespaces of which logs or cluster cannot be seen. */
  BlindSources: 'Count',
  /** Age of the oldest cursor: how far behind the present reading is. */
  UnprovenLogs: 'Seconds',
  /** Overdue work that the sweep asked for again. */
  WorkResent: 'Count',
  LinesRead: 'Count',
  FindingsStored: 'Count',
  /** From a finding's last line to the moment at which it stands in the table. */
  DetectionLag: 'Seconds',
  /** An issue or pull request could not be written: each failed try, but none that was merely put off. */
  PublishFailures: 'Count',
  /** Incidents that were handed to a person, whatever the stage. */
  IncidentsEscalated: 'Count',
  /** Tokens that the broker did not grant and will not grant to the same wish. */
  BrokerDenied: 'Count',
  /** Of the day's budget for models; the fuller one of money and tokens. */
  BudgetUsed: 'Percent',
  BudgetRefused: 'Count',
  /** What a call of a model cost, in USD. */
  ModelSpend: 'NoUnit',
  ...STAGE_ENDINGS,
} as const satisfies Readonly<Record<string, keyof typeof MetricUnit>>;

export type MetricName = keyof typeof METRICS;

const { stage } = readConfig({ stage: optional('HEALER_STAGE', 'the name of the stage', 'local') });

/**
 * Embedded metric format: metrics are log lines, so no call leaves the function. The dimensions are service and stage
 * only; ids, repositories and agents belong into the log.
 */
const metrics = new Metrics({ namespace: 'Healer', serviceName: 'healer', defaultDimensions: { stage } });

/** Adds a value of a metric, by default one event; it is written when the invocation ends. */
export const measure = (name: MetricName, value = 1): void => {
  metrics.addMetric(name, MetricUnit[METRICS[name]], value);
};

const publish = (): void => {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
};

/** Middleware: writes what was measured, also when the handler throws. */
export const withMetrics = (): MiddlewareObj => ({ after: publish, onError: publish });
