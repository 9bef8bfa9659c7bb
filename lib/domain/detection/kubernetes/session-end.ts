import { type ClusterState, type CodeRun, isTerminal } from '../../cluster/objects.ts';
import type { EndStatus } from '../../session/life.ts';
import type { Session } from '../../session/session.ts';
import { NANOS_PER_SECOND, type Nanos, toNanos } from '../../time.ts';
import { latest, podEnd } from './ends.ts';
import type { ClusterOwners } from './owners.ts';

/** Between two runs of a play its workflow takes some seconds to start the next; only then is the play over. */
const LINGER: Nanos = 120n * NANOS_PER_SECOND;
/** A run may be made shortly before its play is announced. */
const START_MARGIN: Nanos = 120n * NANOS_PER_SECOND;

/**
 * How a play ended, once all its CodeRuns are terminal, no pod of it lives, and that has been so for two minutes; null while
 * it goes on or when nothing is known of its runs. Of several runs of one task and kind the newest counts: an earlier one
 * that failed was repeated.
 */
export function sessionEnd(
  state: ClusterState,
  owners: ClusterOwners,
  session: Session,
  now: Nanos,
): { readonly status: EndStatus; readonly atNs: Nanos } | null {
  if (state.unread.some(({ resource }) => resource === 'coderuns' || resource === 'pods')) return null;
  const since = toNanos(Date.parse(session.startedAt)) - START_MARGIN;
  const runs = state.runs.filter(
    ({ meta }) => owners.runs.get(meta.name)?.playId === session.playId && (meta.createdNs ?? since) >= since,
  );
  if (runs.length === 0 || !runs.every(isTerminal)) return null;
  const pods = state.pods.filter(({ meta }) => owners.pods.get(meta.name)?.playId === session.playId);
  const ends = pods.map(podEnd);
  if (ends.includes(null)) return null;
  const atNs = latest([...ends, ...runs.map(({ finishedNs }) => finishedNs)]);
  if (atNs === null || now < atNs + LINGER) return null;
  return { status: newest(runs).some(({ phase }) => phase === 'Failed') ? 'failed' : 'completed', atNs };
}

function newest(runs: readonly CodeRun[]): readonly CodeRun[] {
  const groups = Map.groupBy(runs, ({ taskId, runType, service }) => JSON.stringify([taskId, runType, service]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => ((a.meta.createdNs ?? 0n) > (b.meta.createdNs ?? 0n) ? -1 : 1));
    return first === undefined ? [] : [first];
  });
}
