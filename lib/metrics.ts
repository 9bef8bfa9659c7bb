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

/** Name of the figure that counts such an ending, e.g. `PublicationEscalated`. */
export const toStageEnding = (queue: QueueName, ending: Ending): StageEnding => `${capitalize(queue)}${ending}`;

const STAGE_ENDINGS = Object.fromEntries(
  QUEUES.flatMap((queue) => ENDINGS.map((ending) => [toStageEnding(queue, ending), 'Count'])),
) as Record<StageEnding, 'Count'>;

/**
 * The metrics of the namespace `Healer`, with their units: those that an alarm watches (infra/alarms.yml), and no other,
 * since CloudWatch bills each by the hours in which it is written. Whatever is measured, metric or figure, is written only
 * where there is something to tell: a stage at rest writes nothing, and a healthy one no metric but that of its models'
 * budget. `docs/operate.md` lists all, and what the alarms mean.
 */
export const METRICS = {
  /** Namespaces of which logs or cluster cannot be seen. */
  BlindSources: 'Count',
  /** From a finding's last line to the moment at which it stands in the table, where that is too long. */
  DetectionLag: 'Seconds',
  /** An issue or pull request could not be written: each failed try, but none that was merely put off. */
  PublishFailures: 'Count',
  /** Incidents that were handed to a person, whatever the stage. */
  IncidentsEscalated: 'Count',
  /** Of the day's budget for models; the fuller one of money and tokens. */
  BudgetUsed: 'Percent',
  /** Tokens that the broker did not grant and will not grant to the same wish. */
  BrokerDenied: 'Count',
} as const satisfies Readonly<Record<string, keyof typeof MetricUnit>>;

type Units = Readonly<Record<string, 'Count' | 'Seconds' | 'USD'>>;

/** Figures of events and amounts, with their units: values of one invocation, and of many, are added. */
export const SUMS = {
  SessionStarted: 'Count',
  SessionRepeated: 'Count',
  SessionConflict: 'Count',
  SessionEnded: 'Count',
  RepositoryRefused: 'Count',
  TokenRefused: 'Count',
  /** Overdue work that the sweep asked for again. */
  WorkResent: 'Count',
  LinesRead: 'Count',
  FindingsStored: 'Count',
  /** Calls of a model that were not made, since a budget was used up. */
  BudgetRefused: 'Count',
  /** What calls of a model cost. */
  ModelSpend: 'USD',
  ...STAGE_ENDINGS,
} as const satisfies Units;

/** Figures of a state, with their units: of several values the greatest counts. */
export const PEAKS = {
  /** Sessions that one pass of the sweep found active, and those of them whose logs are blind. */
  ActiveSessions: 'Count',
  BlindSessions: 'Count',
  /** Age of the oldest cursor: how far behind the present reading is. */
  UnprovenLogs: 'Seconds',
  /** Of the findings of one look the longest time from the last line to the moment at which it stands in the table. */
  FindingAge: 'Seconds',
} as const satisfies Units;

export type MetricName = keyof typeof METRICS;
type FigureName = keyof typeof SUMS | keyof typeof PEAKS;

const { stage } = readConfig({ stage: optional('HEALER_STAGE', 'the name of the stage', 'local') });

/** `POWERTOOLS_METRICS_DISABLED` turns off the writing of metrics, and of figures with them. */
class SwitchedMetrics extends Metrics {
  get isOff(): boolean {
    return this.isDisabled();
  }
}

/**
 * Embedded metric format: metrics are log lines, so no call leaves the function. The dimensions are service and stage
 * only; ids, repositories and agents belong into the log.
 */
const metrics = new SwitchedMetrics({ namespace: 'Healer', serviceName: 'healer', defaultDimensions: { stage } });

const figures = new Map<FigureName, number>();

/** Adds a value of a metric or figure, by default one event; it is written when the invocation ends. */
export const measure = (name: MetricName | FigureName, value = 1): void => {
  if (isMetric(name)) metrics.addMetric(name, MetricUnit[METRICS[name]], value);
  else figures.set(name, fold(name, value));
};

const isMetric = (name: MetricName | FigureName): name is MetricName => name in METRICS;

function fold(name: FigureName, value: number): number {
  const before = figures.get(name);
  if (before === undefined) return value;
  return name in PEAKS ? Math.max(before, value) : before + value;
}

function publish(): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  if (figures.size > 0 && !metrics.isOff) writeFigures();
  figures.clear();
}

/**
 * One line for all figures of an invocation, e.g. `{"message":"figures","figures":{"SessionStarted":1}}`; the dashboard adds
 * them up (infra/dashboard.cjs). It goes past the logger: figures do not depend on a level, and what other lines repeat is
 * paid by the byte. Stage and function are in the name of the log group.
 */
function writeFigures(): void {
  process.stdout.write(`${JSON.stringify({ message: 'figures', figures: Object.fromEntries(figures) })}\n`);
}

/** Middleware: writes what was measured, also when the handler throws. */
export const withMetrics = (): MiddlewareObj => ({ after: publish, onError: publish });
