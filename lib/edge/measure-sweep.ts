import type { SweepResult } from '#lib/app/sweep.ts';
import { measure } from '#lib/metrics.ts';

/** Measures one pass, if anything is watched: zeros are told too, so that an alarm ends. */
export function measureSweep({ namespaces, resent, ...seen }: SweepResult): void {
  if (resent > 0) measure('WorkResent', resent);
  if (namespaces === 0) return;
  measure('ActiveSessions', seen.active);
  measure('BlindSessions', seen.blindSessions);
  measure('BlindSources', seen.blindSources);
  measure('UnprovenLogs', seen.unprovenMs / 1000);
}
