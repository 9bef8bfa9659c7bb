import type { SweepResult } from '#lib/app/sweep.ts';
import { measure } from '#lib/metrics.ts';

/** Measures one pass, if anything is watched. What the alarm watches is missing where all is seen, and so the alarm ends. */
export function measureSweep({ namespaces, resent, ...seen }: SweepResult): void {
  if (resent > 0) measure('WorkResent', resent);
  if (namespaces === 0) return;
  measure('ActiveSessions', seen.active);
  measure('BlindSessions', seen.blindSessions);
  measure('UnprovenLogs', seen.unprovenMs / 1000);
  if (seen.blindSources > 0) measure('BlindSources', seen.blindSources);
}
