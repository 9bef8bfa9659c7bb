import type { FreshFinding } from '#lib/app/record-findings.ts';
import { logger } from '#lib/logger.ts';
import { measure } from '#lib/metrics.ts';

/** Measures a finding that is stored, and leaves a line by which its incident leads to this invocation. */
export function tellFinding({ incident, lagMs }: FreshFinding): void {
  logger.info('finding stored', { incident, lag_ms: lagMs });
  measure('FindingsStored');
  measure('DetectionLag', Math.max(0, lagMs) / 1000);
}
