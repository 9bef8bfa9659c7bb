import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MiddlewareObj } from '@middy/core';
import { optional, readConfig } from './config.ts';

/** Business events that are counted; each is a CloudWatch metric in the namespace `Healer`. */
export type CountedEvent =
  | 'SessionStarted'
  | 'SessionRepeated'
  | 'SessionConflict'
  | 'SessionEnded'
  | 'RepositoryRefused'
  | 'TokenRefused';

const { stage } = readConfig({ stage: optional('HEALER_STAGE', 'the name of the stage', 'local') });

/**
 * Embedded metric format: metrics are log lines, so no call leaves the function. The dimensions are service and stage
 * only; ids, repositories and agents belong into the log.
 */
const metrics = new Metrics({ namespace: 'Healer', serviceName: 'healer', defaultDimensions: { stage } });

/** Counts an event; it is written when the invocation ends. */
export const countEvent = (event: CountedEvent, count = 1): void => {
  metrics.addMetric(event, MetricUnit.Count, count);
};

const publish = (): void => {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
};

/** Middleware: writes what was counted, also when the handler throws. */
export const withMetrics = (): MiddlewareObj => ({ after: publish, onError: publish });
