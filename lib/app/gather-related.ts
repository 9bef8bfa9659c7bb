import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { entryHash } from '#lib/domain/detection/to-finding.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Incident, Occurrence } from '#lib/domain/incident/incident.ts';
import { NANOS_PER_SECOND, type Nanos, toWindow, type Window } from '#lib/domain/time.ts';
import type { IncidentStore, LogSource } from './ports.ts';

/** Failures of other pods whose own lines are read, when they lie outside of the window around the finding. */
const MAX_READS = 6;
const AROUND_NS: Nanos = 2n * NANOS_PER_SECOND;

/** Failures of the play that follow from the occurrence, oldest first. */
export async function findConsequences(
  incidents: Pick<IncidentStore, 'ofPlay'>,
  incident: Incident,
  latest: Occurrence,
): Promise<readonly Finding[]> {
  const all = (await incidents.ofPlay(latest.playId)).map(({ finding }) => finding);
  const following = all.filter(
    ({ id, cause }) => cause?.fingerprint === incident.fingerprint && id !== latest.finding.id,
  );
  const byId = new Map(following.map((finding) => [finding.id, finding]));
  return [...byId.values()].toSorted((a, b) => (a.firstNs < b.firstNs ? -1 : 1));
}

interface RelatedLines {
  readonly entries: readonly LogEntry[];
  readonly gaps: readonly string[];
}

/**
 * Lines of the cause and of consequences that lie outside of `window`. What cannot be read is a gap: the failure itself
 * is told without them.
 */
export async function readRelated(
  logs: Pick<LogSource, 'read'>,
  selector: (namespace: string, pod?: string) => string,
  latest: Occurrence,
  told: { readonly window: Window; readonly consequences: readonly Finding[] },
): Promise<RelatedLines> {
  const { cause } = latest.finding;
  const places = [
    ...(cause === undefined ? [] : [{ pod: cause.pod, ns: cause.ns }]),
    ...told.consequences.map(({ anchor }) => ({ pod: anchor.pod, ns: anchor.ns })),
  ].filter(({ ns }) => ns < told.window.since || ns >= told.window.until);
  const entries = new Map<string, LogEntry>();
  const gaps = new Set<string>();
  for (const { pod, ns } of places.slice(0, MAX_READS)) {
    try {
      const window = toWindow(ns - AROUND_NS, ns + AROUND_NS);
      const read = await logs.read({ selector: selector(latest.namespace, pod), window });
      const outside = read.entries.filter((entry) => entry.ns < told.window.since || entry.ns >= told.window.until);
      for (const entry of outside) entries.set(entryHash(entry), entry);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      gaps.add(`Lines of a failure that belongs to this one could not be read: ${error.message}`);
    }
  }
  if (places.length > MAX_READS)
    gaps.add(`${places.length - MAX_READS} failures that belong to this one are told without lines.`);
  return { entries: [...entries.values()], gaps: [...gaps] };
}
