import type { DemoApi, IncidentAnswer, SessionAnswer } from './api.ts';

/** Who did what a history line tells, drawn as an arrow of the flow. */
const ARROW_OF: Readonly<Record<string, string>> = {
  evidence: 'evidence queue ─▶ gather',
  evaluation: 'evaluation queue ─▶ evaluate',
  publication: 'publication queue ─▶ publish',
  remediation: 'remediation queue ─▶ remediate',
};

const WIDTH = 31;

/** One line: the virtual time (UTC), the arrow, what it carried. */
export const arrow = (at: number, name: string, detail: string): string =>
  `  ${new Date(at).toISOString().slice(5, 19).replace('T', ' ')}  ${name.padEnd(WIDTH)} ${detail}`;

export interface Seen {
  readonly session: SessionAnswer;
  readonly incidents: readonly IncidentAnswer['incident'][];
}

/**
 * Looks at a play through the API, and prints each arrow once, when it is first seen.
 * @param told arrows that were printed, also for earlier plays: they may share an incident
 */
export function createNarrator(api: DemoApi, playId: string, print: (line: string) => void, told: Set<string>) {
  const tell = (key: string, at: number, name: string, detail: string) => {
    if (told.has(key)) return;
    told.add(key);
    print(arrow(at, name, detail));
  };
  return {
    async look(now: number): Promise<Seen> {
      const session = await api.session(playId);
      const { coverage, pods } = session.healer;
      if (coverage.read !== undefined && coverage.read.lines > 0)
        tell(
          `read ${playId}`,
          now,
          'Loki ─▶ detect',
          `${coverage.read.lines} lines, proven until ${toTime(coverage.proven_until)}`,
        );
      for (const pod of pods.filter(({ preflight }) => preflight !== 'pending'))
        tell(`pod ${pod.pod}`, now, 'detect ─▶ session', `pre-flight of ${pod.agent ?? pod.pod}: ${pod.preflight}`);
      const incidents = await Promise.all(session.healer.incidents.map(({ id }) => api.incident(id)));
      for (const { incident } of incidents) tellIncident(tell, incident);
      return { session, incidents: incidents.map(({ incident }) => incident) };
    },
  };
}

function tellIncident(
  tell: (key: string, at: number, name: string, detail: string) => void,
  incident: IncidentAnswer['incident'],
): void {
  const { id, history } = incident;
  const what = `${incident.code ?? incident.severity}: ${incident.title}`;
  tell(id, Date.parse(incident.first_seen), 'detect ─▶ incident', what);
  for (const [index, { at, stage, event }] of history.entries())
    tell(`${id} ${index}`, Date.parse(at), ARROW_OF[stage] ?? stage, event);
}

const toTime = (iso: string | null): string => iso?.slice(11, 19) ?? 'nothing';
