import type { FreshFinding } from '#lib/app/record-findings.ts';
import { logger } from '#lib/logger.ts';
import { measure } from '#lib/metrics.ts';

/** A finding may wait for a recovery, up to 180 s, and for the look that sees it, up to a minute. */
const IN_ORDER_S = 240;

/** Measures a finding that is stored, and leaves a line by which its incident leads to this invocation. */
export function tellFinding({ incident, lagMs }: FreshFinding): void {
  logger.info('finding stored', { incident, lag_ms: lagMs });
  measure('FindingsStored');
  const lagS = Math.max(0, lagMs) / 1000;
  measure('FindingAge', lagS);
  if (lagS > IN_ORDER_S) measure('DetectionLag', lagS);
}
