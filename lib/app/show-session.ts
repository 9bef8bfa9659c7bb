import { type AttributionView, toAttributionView } from '#lib/domain/detection/attribution-view.ts';
import type { Incident, Occurrence } from '#lib/domain/incident/incident.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Millis, toMillis, toNanos, toWindow } from '#lib/domain/time.ts';
import { type CoverageView, toCoverageView } from '#lib/domain/window/coverage-view.ts';
import { START_MARGIN_NS } from '#lib/domain/window/plan.ts';
import { getSession } from './get-session.ts';
import type { Clock, Coverage, IncidentStore, SeenPod, SessionStore, WindowStore } from './ports.ts';

export interface ShowSessionPorts {
  readonly sessions: Pick<SessionStore, 'get'>;
  readonly windows: Pick<WindowStore, 'cursor' | 'coverage' | 'pods'>;
  readonly incidents: Pick<IncidentStore, 'get' | 'ofPlay'>;
  readonly clock: Clock;
}

/** An incident as one play showed it. */
export interface PlayIncident {
  readonly incident: Incident;
  readonly first: Occurrence;
  readonly count: number;
}

export interface SessionView {
  readonly session: Session;
  readonly coverage: CoverageView;
  readonly pods: readonly SeenPod[];
  readonly attribution: AttributionView;
  readonly incidents: readonly PlayIncident[];
}

/** One session with what Healer saw of it, composed on read. @throws NotFoundError */
export async function showSession(ports: ShowSessionPorts, source: string, playId: string): Promise<SessionView> {
  const session = await getSession(ports.sessions, playId);
  const startedAt = Date.parse(session.startedAt);
  const endedAt = session.endedAt === null ? null : Date.parse(session.endedAt);
  const window = toWindow(toNanos(startedAt) - START_MARGIN_NS, toNanos(endedAt ?? ports.clock.now()));
  const [cursor, coverage, pods, incidents] = await Promise.all([
    ports.windows.cursor(source, session.namespace),
    ports.windows.coverage(source, session.namespace, window),
    ports.windows.pods(source, session.namespace, playId),
    incidentsOf(ports.incidents, playId),
  ]);
  const view = toCoverageView({
    startedAt,
    endedAt,
    now: ports.clock.now(),
    cursor: cursor ?? null,
    hasStreams: coverage.some((read) => read.hasStreams),
    gaps: coverage.flatMap((read) => read.gaps),
    lastLineAt: lastLine(pods, cursor?.heard?.[playId]),
  });
  const since = toNanos(startedAt);
  const own = coverage.filter((read) => read.window.until > since);
  const attribution = toAttributionView(pods, coverage.at(-1)?.unclaimed ?? null);
  return { session, coverage: withTotals(view, own), pods, attribution, incidents };
}

/** @param heard when the play spoke last, as the cursor knows it while the play is read: later than what its pods tell */
const lastLine = (pods: readonly SeenPod[], heard: Millis | undefined): Millis | null =>
  pods.length === 0 ? null : Math.max(heard ?? 0, ...pods.map((pod) => toMillis(pod.lastNs)));

function withTotals(view: CoverageView, coverage: readonly Coverage[]): CoverageView {
  const sum = (field: 'lines' | 'bytes' | 'pages') => coverage.reduce((total, read) => total + read[field], 0);
  return { ...view, read: { windows: coverage.length, lines: sum('lines'), bytes: sum('bytes'), pages: sum('pages') } };
}

async function incidentsOf(incidents: ShowSessionPorts['incidents'], playId: string): Promise<PlayIncident[]> {
  const byIncident = Map.groupBy(await incidents.ofPlay(playId), (occurrence) => occurrence.incidentId);
  const shown = await Promise.all(
    [...byIncident].map(async ([id, occurrences]) => {
      const incident = await incidents.get(id);
      // What follows from an incident is stored with it, and is no occurrence of it.
      const own = occurrences.filter(({ finding }) => finding.fingerprint === incident?.fingerprint);
      const first = own.at(-1) ?? occurrences.at(-1);
      return incident === undefined || first === undefined ? [] : [{ incident, first, count: own.length }];
    }),
  );
  return shown.flat();
}
