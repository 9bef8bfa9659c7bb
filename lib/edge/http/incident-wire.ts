import type { Page } from '#lib/app/ports.ts';
import type { IncidentView } from '#lib/app/show-incident.ts';
import type { Incident, IncidentSummary, Occurrence } from '#lib/domain/incident/incident.ts';
import { toIso, toMillis } from '#lib/domain/time.ts';
import type { ReplyBody } from './reply.ts';

/** Wire format of incidents: snake_case, moments in RFC 3339 UTC, absent values null. */
export const toIncidentWire = (incident: IncidentSummary) => ({
  id: incident.id,
  repository: incident.target,
  state: incident.state,
  code: incident.code,
  category: incident.category,
  severity: incident.severity,
  agent: incident.agent,
  title: incident.title,
  fingerprint: incident.fingerprint,
  issue_url: incident.issue?.url ?? null,
  pull_request_url: incident.pull?.url ?? null,
  first_seen: toIso(incident.firstSeen),
  last_updated: toIso(incident.updatedAt),
});

const toOccurrenceWire = ({ playId, repository, finding }: Occurrence) => ({
  play_id: playId,
  repository,
  agent: finding.agent,
  pod: finding.pod,
  first_line_at: toIso(toMillis(finding.firstNs)),
  last_line_at: toIso(toMillis(finding.lastNs)),
  lines: finding.count,
});

/** What the incident owes, for people who ask why nothing happens. */
const toWorkWire = ({ next, due, attempt }: Incident) => ({
  next_stage: next,
  due: due === null ? null : toIso(due),
  attempt,
});

export const toIncidentReply = ({ incident, diagnosis, history, occurrences, count }: IncidentView): ReplyBody => ({
  status: 'ok',
  incident: {
    ...toIncidentWire(incident),
    work: toWorkWire(incident),
    diagnosis: diagnosis ?? null,
    history: history.map(({ at, stage, event }) => ({ at: toIso(at), stage, event })),
    occurrence_count: count,
    occurrences: occurrences.map(toOccurrenceWire),
    links: {
      issue: incident.issue?.url ?? null,
      pull_request: incident.pull?.url ?? null,
      sessions: [...new Set(occurrences.map(({ playId }) => `/api/v1/session/${playId}`))],
    },
  },
});

export const toIncidentsReply = ({ items, cursor }: Page<IncidentSummary>): ReplyBody => ({
  status: 'ok',
  count: items.length,
  incidents: items.map(toIncidentWire),
  next_cursor: cursor ?? null,
});
