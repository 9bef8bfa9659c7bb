import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoIncidentStore } from '#lib/adapters/dynamodb/incident-store.ts';
import { MILLIS_PER_DAY } from '#lib/domain/time.ts';
import type { LocalStack } from '../stack.ts';

/** A held write is due within a day; what lies further away waits for something else. */
const HORIZON_MS = 2 * MILLIS_PER_DAY;
const AT_MOST = 1_000;
const LEASE_MS = 60_000;

/**
 * Makes due at once what `publish` postponed, so that filing does not wait for the end of the pause, and wakes the sweep.
 * @returns number of incidents
 */
export async function releaseHeld(stack: LocalStack): Promise<number> {
  const { endpoint, region, credentials, clock, ref } = stack;
  const store = dynamoIncidentStore(toDocumentClient({ endpoint, region, credentials }), ref('IncidentsTable'));
  const now = clock.now();
  let released = 0;
  for (const { id, next, notBefore } of await store.overdue(now + HORIZON_MS, AT_MOST)) {
    if (next !== 'publication' || notBefore === null || notBefore <= now) continue;
    const lease = { owner: 'local-runner', now: notBefore, until: now + LEASE_MS };
    const incident = await store.claim({ id, stage: 'publication', ...lease });
    if (incident === undefined) continue;
    const change = { next, due: now, notBefore: null, attempt: 0, event: 'filing was switched on' } as const;
    if (await store.change(incident, change, 'publication', now)) released += 1;
  }
  if (released > 0) await stack.invokeNow('sweep');
  return released;
}
