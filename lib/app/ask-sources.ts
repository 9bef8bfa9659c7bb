import type { Session } from '#lib/domain/session/session.ts';
import { NANOS_PER_SECOND, type Nanos, type Window } from '#lib/domain/time.ts';
import type { ReadPlan } from '#lib/domain/window/plan.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import type { ClusterLook, ClusterLooker } from './look-at-cluster.ts';
import type { Cursor, LogRead } from './ports.ts';

/** A window that is to be read by the holder of the cursor's lease. */
export interface ReadTask {
  readonly cursor: Cursor;
  readonly plan: ReadPlan;
  readonly sessions: readonly Session[];
  readonly look: ClusterLooker;
}

/**
 * A window up to this long is nearly always proven whole, so that its lines are counted while they are read; of a longer one
 * only what was proven is.
 */
const COUNTED_AHEAD_NS: Nanos = 900n * NANOS_PER_SECOND;

/** What log and cluster said of the window. */
export interface Sources {
  readonly read: LogRead;
  /** Lines by pod, whatever the line filter leaves out. */
  readonly counts: ReadonlyMap<string, number>;
  readonly hasStreams: boolean;
  readonly cluster: ClusterLook;
}

/**
 * Asks log and cluster at the same time.
 * @throws SourceError when the log does not answer
 */
export async function askSources(
  ports: DetectPorts,
  options: DetectOptions,
  { cursor, plan, sessions, look }: ReadTask,
): Promise<Sources> {
  const selector = options.selector(cursor.namespace);
  const filter = options.lineFilter === null ? {} : { lineFilter: options.lineFilter };
  const { window } = plan;
  const count = (over: Window) => ports.logs.countByPod(selector, over);
  const [read, counted, cluster] = await Promise.all([
    ports.logs.read({ selector, ...filter, window }),
    window.until - window.since <= COUNTED_AHEAD_NS ? count(window) : undefined,
    look(sessions, options.attribution),
  ]);
  const isWhole = read.proven.until === window.until;
  const counts = isWhole && counted !== undefined ? counted : await count(read.proven);
  const hasStreams = counts.size > 0 || (await ports.logs.hasStreams(selector, read.proven));
  return { read, counts, hasStreams, cluster };
}
