import { NotFoundError } from '#lib/domain/errors.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type {
  HistoryEntry,
  Incident,
  IncidentState,
  IncidentSummary,
  Occurrence,
} from '#lib/domain/incident/incident.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import { toSpoken } from '#lib/domain/spoken-name.ts';
import type { IncidentStore, ListQuery, Page } from './ports.ts';

/** Occurrences that one answer shows; `count` tells of all. */
const SHOWN_OCCURRENCES = 50;

export interface IncidentView {
  readonly incident: Incident;
  readonly diagnosis: Diagnosis | undefined;
  readonly history: readonly HistoryEntry[];
  readonly occurrences: readonly Occurrence[];
  readonly count: number;
}

/** One incident with what is known of it. @throws NotFoundError */
export async function showIncident(incidents: IncidentStore, id: string): Promise<IncidentView> {
  const incident = await incidents.get(id);
  if (incident === undefined) throw new NotFoundError(`No ${toSpoken('incident', id)} is stored.`);
  const [diagnosis, history, occurrences, count] = await Promise.all([
    incidents.diagnosis(id),
    incidents.history(id),
    incidents.occurrences(id, SHOWN_OCCURRENCES),
    incidents.countOccurrences(id),
  ]);
  return { incident, diagnosis, history, occurrences, count };
}

export interface IncidentsQuery extends ListQuery {
  /** In any spelling that `toRepositoryName` reads. */
  readonly repository?: string | undefined;
  readonly state?: IncidentState | undefined;
}

/** @throws InputError when the repository or the cursor cannot be read. */
export const listIncidents = (
  incidents: Pick<IncidentStore, 'list'>,
  query: IncidentsQuery,
): Promise<Page<IncidentSummary>> =>
  incidents.list({ ...query, repository: query.repository && toRepositoryName(query.repository) });
