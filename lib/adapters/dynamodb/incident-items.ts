import { type FindingJson, fromFindingJson, toFindingJson } from '#lib/domain/detection/finding-json.ts';
import type { HistoryEntry, Incident, IncidentSummary, Occurrence, OwedWork } from '#lib/domain/incident/incident.ts';
import { toIso } from '#lib/domain/time.ts';
import { DUE_LIST } from './query.ts';

/** Item shapes of the incidents table. One partition an incident: `head`, `occurrence#…`, `consequence#…`, `history#…` and single items. */
export type Item = Record<string, unknown>;

export const headKey = (id: string) => ({ pk: `incident#${id}`, sk: 'head' });
export const itemKey = (id: string, sk: string) => ({ pk: `incident#${id}`, sk });

/** Attribute value of the index `by-seen`, which lists all heads. */
export const HEAD_LIST = 'incidents';

/** Total order of a list: the moment, then the id. Fixed at birth, so that paging is stable under changes. */
const seenKey = (at: number, id: string): string => `${toIso(at)}#${id}`;

const withoutNulls = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined));

export function toHeadItem(incident: Incident): Item {
  const { lease, issue, pull, firstSeen, notBefore, updatedAt, ...rest } = incident;
  return withoutNulls({
    ...headKey(incident.id),
    ...rest,
    list: HEAD_LIST,
    seen_key: seenKey(firstSeen, incident.id),
    first_seen: firstSeen,
    updated_at: updatedAt,
    not_before: notBefore,
    due_list: incident.due === null ? null : DUE_LIST,
    lease_owner: lease?.owner,
    lease_until: lease?.until,
    issue_number: issue?.number,
    issue_url: issue?.url,
    pull_number: pull?.number,
    pull_url: pull?.url,
  });
}

export function fromHeadItem(item: Item): Incident {
  const owner = item.lease_owner as string | undefined;
  return {
    ...fromSummaryItem(item),
    ...fromWorkItem(item),
    version: item.version as number,
    attempt: item.attempt as number,
    lease: owner === undefined ? null : { owner, until: item.lease_until as number },
  };
}

/** Of what the index `by-due` holds. */
export const fromWorkItem = (item: Item): OwedWork => ({
  id: item.id as string,
  next: (item.next as Incident['next'] | undefined) ?? null,
  due: (item.due as number | undefined) ?? null,
  notBefore: (item.not_before as number | undefined) ?? null,
});

/** Of what the indexes of lists hold. */
export function fromSummaryItem(item: Item): IncidentSummary {
  const issueNumber = item.issue_number as number | undefined;
  const pullNumber = item.pull_number as number | undefined;
  return {
    id: item.id as string,
    target: item.target as string,
    fingerprint: item.fingerprint as string,
    state: item.state as Incident['state'],
    category: item.category as Incident['category'],
    code: (item.code as Incident['code'] | undefined) ?? null,
    severity: item.severity as Incident['severity'],
    pattern: item.pattern as string,
    agent: (item.agent as string | undefined) ?? null,
    title: item.title as string,
    issue: issueNumber === undefined ? null : { number: issueNumber, url: item.issue_url as string },
    pull: pullNumber === undefined ? null : { number: pullNumber, url: item.pull_url as string },
    firstSeen: item.first_seen as number,
    updatedAt: item.updated_at as number,
  };
}

/** An occurrence of the incident's own failure, or of one that follows from it. */
type OccurrenceKind = 'occurrence' | 'consequence';

/** Sorts by the moment of the failure, and is the same for each reading of the same finding. */
export const occurrenceKey = ({ incidentId, finding }: Occurrence, kind: OccurrenceKind = 'occurrence') =>
  itemKey(incidentId, `${kind}#${finding.anchor.ns.toString().padStart(20, '0')}#${finding.id}`);

export function toOccurrenceItem(occurrence: Occurrence, kind: OccurrenceKind = 'occurrence'): Item {
  const { finding } = occurrence;
  return {
    ...occurrenceKey(occurrence, kind),
    incident_id: occurrence.incidentId,
    play_id: occurrence.playId,
    repository: occurrence.repository,
    namespace: occurrence.namespace,
    seen_at: occurrence.seenAt,
    seen_key: seenKey(occurrence.seenAt, finding.id),
    finding: toFindingJson(finding),
    untold: kind,
  };
}

export const fromOccurrenceItem = (item: Item): Occurrence => ({
  incidentId: item.incident_id as string,
  playId: item.play_id as string,
  repository: item.repository as string,
  namespace: item.namespace as string,
  seenAt: item.seen_at as number,
  finding: fromFindingJson(item.finding as FindingJson),
  ...(item.untold !== undefined && { untold: item.untold as NonNullable<Occurrence['untold']> }),
});

export const fromHistoryItem = (item: Item): HistoryEntry => ({
  at: item.at as number,
  stage: item.stage as string,
  event: item.event as string,
});
