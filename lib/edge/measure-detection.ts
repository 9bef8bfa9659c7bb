import type { DetectOutcome } from '#lib/app/detect-window.ts';
import { measure } from '#lib/metrics.ts';

/** Measures what a look has read. */
export function measureDetection(outcome: DetectOutcome): void {
  if (outcome.kind === 'done' && outcome.lines > 0) measure('LinesRead', outcome.lines);
}
