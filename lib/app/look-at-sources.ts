import type { SessionSummary } from '#lib/domain/session/session.ts';
import type { Millis } from '#lib/domain/time.ts';
import { toSourceSight } from '#lib/domain/window/source-sight.ts';
import { inParts } from './in-parts.ts';
import type { WindowStore } from './ports.ts';

/** How well all that is watched is seen, in figures. */
export interface SourcesSight {
  readonly blindSessions: number;
  /** Namespaces of which logs or cluster cannot be seen. */
  readonly blindSources: number;
  /** Milliseconds from the last proven line to now, of the namespace that is furthest behind; 0 when nothing is watched. */
  readonly unprovenMs: number;
}

/** Cursors that are read at the same time. */
const AT_ONCE = 25;

/**
 * Judges each watched namespace by its cursor: one read a namespace.
 * @param watched namespaces with active sessions, and those whose cursor owes a read
 */
export async function lookAtSources(
  windows: Pick<WindowStore, 'cursor'>,
  source: string,
  watched: ReadonlySet<string>,
  active: readonly SessionSummary[],
  now: Millis,
): Promise<SourcesSight> {
  const sessions = Map.groupBy(active, ({ namespace }) => namespace);
  const namespaces = [...watched];
  const total = { blindSessions: 0, blindSources: 0, unprovenMs: 0 };
  const cursors = await inParts(namespaces, AT_ONCE, (namespace) => windows.cursor(source, namespace));
  for (const [index, namespace] of namespaces.entries()) {
    const starts = (sessions.get(namespace) ?? []).map(({ startedAt }) => Date.parse(startedAt));
    const sight = toSourceSight(cursors[index], starts, now);
    total.blindSessions += sight.blindSessions;
    total.blindSources += sight.isBlind ? 1 : 0;
    total.unprovenMs = Math.max(total.unprovenMs, sight.unprovenMs);
  }
  return total;
}
