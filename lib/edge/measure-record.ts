import type { QueueName } from '#lib/flow.ts';
import { ENDINGS, measure, toStageEnding } from '#lib/metrics.ts';

/** Counts how a record ended; nothing to do, and a look that comes again later, are not counted. */
export function measureOutcome(queue: QueueName, outcome: unknown): void {
  const { kind, isAsked } = (outcome ?? {}) as { kind?: unknown; isAsked?: unknown };
  const ending = ENDINGS.find((one) => one.toLowerCase() === kind);
  if (ending === undefined) return;
  measure(toStageEnding(queue, ending));
  if (ending === 'Escalated') measure('IncidentsEscalated');
  const isFault = ending === 'Escalated' || (ending === 'Postponed' && isAsked !== true);
  if (queue === 'publication' && isFault) measure('PublishFailures');
}

/** Counts a record that comes again, since its use case threw or its time was over. */
export function measureFailure(queue: QueueName): void {
  measure(toStageEnding(queue, 'Failed'));
  if (queue === 'publication') measure('PublishFailures');
}
