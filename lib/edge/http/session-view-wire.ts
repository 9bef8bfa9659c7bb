import type { PlayIncident, SessionView } from '#lib/app/show-session.ts';
import { toBlindSpots } from '#lib/domain/detection/blind-spots.ts';
import { toIso, toMillis } from '#lib/domain/time.ts';
import { toIncidentWire } from './incident-wire.ts';
import type { ReplyBody } from './reply.ts';
import { toSessionWire } from './session-wire.ts';

/** The original API's words for what went wrong; it has no finer ones. */
function toIssueType({ incident }: PlayIncident): string {
  if (incident.code === 'A10') return 'tool_mismatch';
  if (incident.code === 'A11') return 'config_error';
  if (incident.code === 'A12') return 'mcp_init_failed';
  if (incident.category !== 'runtime') return 'pre_flight_failure';
  return incident.severity === 'critical' ? 'agent_failure' : 'agent_error';
}

const HAS_REMEDY: ReadonlySet<string> = new Set(['proposed', 'verifying', 'resolved']);

const toIssueWire = (found: PlayIncident) => ({
  detected_at: toIso(found.first.seenAt),
  issue_type: toIssueType(found),
  severity: found.incident.severity,
  description: found.incident.title,
  agent: found.first.finding.agent,
  task_id: null,
  remediation_spawned: HAS_REMEDY.has(found.incident.state),
  github_issue: found.incident.issue?.url ?? null,
});

const toPodWire = (pod: SessionView['pods'][number]) => ({
  pod: pod.pod,
  agent: pod.agent,
  preflight: pod.preflight,
  first_line_at: toIso(toMillis(pod.firstNs)),
  last_line_at: toIso(toMillis(pod.lastNs)),
});

/** What cannot be seen of the declared agents until their start events have shown it. */
const toUnseen = ({ session, pods }: SessionView): readonly string[] =>
  toBlindSpots(
    Object.entries(session.agents).map(([agent, { cli }]) => {
      const own = pods.filter((pod) => pod.agent === agent.toLowerCase());
      const hasShown = own.some(({ preflight }) => preflight === 'passed' || preflight === 'failed');
      return { agent, cli, hasStream: hasShown, hasTools: hasShown, hasServers: hasShown };
    }),
  );

/** One session: the original's fields, and what Healer saw of it under `healer`. */
export const toSessionViewReply = (view: SessionView): ReplyBody => ({
  status: 'ok',
  session: { ...toSessionWire(view.session), issues: view.incidents.map(toIssueWire) },
  message: null,
  healer: {
    ended_at: view.session.endedAt,
    ended_by: view.session.endedBy,
    coverage: view.coverage,
    pods: view.pods.map(toPodWire),
    attribution: view.attribution,
    unseen: toUnseen(view),
    incidents: view.incidents.map(({ incident, count }) => ({ ...toIncidentWire(incident), occurrences: count })),
  },
});
