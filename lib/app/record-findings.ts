import { linkCauses } from '#lib/domain/detection/causes.ts';
import type { HeldFinding } from '#lib/domain/detection/detection.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { redactFinding } from '#lib/domain/evidence/redact-finding.ts';
import { freshIncident, incidentId } from '#lib/domain/incident/identity.ts';
import type { Incident, Occurrence } from '#lib/domain/incident/incident.ts';
import { routeTarget } from '#lib/domain/incident/routing.ts';
import { RESEND_AFTER_MS, UPDATE_AFTER_MS } from '#lib/domain/incident/schedule.ts';
import { isClosedToFindings, mayFollow } from '#lib/domain/incident/states.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toMillis } from '#lib/domain/time.ts';
import { OVERLAP_NS } from '#lib/domain/window/plan.ts';
import type { Clock, IncidentStore, Queues, RemediationStore } from './ports.ts';

export interface RecordPorts {
  readonly incidents: IncidentStore;
  readonly remediations: Pick<RemediationStore, 'get'>;
  readonly queues: Queues;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Told of each finding as it is stored, whatever becomes of the look. */
  readonly onStored?: (finding: FreshFinding) => void;
}

export interface RecordOptions {
  readonly platformRepository: string | null;
}

/** A finding that no earlier look had stored. */
export interface FreshFinding {
  /** Id of the incident that it belongs to. */
  readonly incident: string;
  /** Milliseconds from its last line to the moment at which it was stored. */
  readonly lagMs: number;
}

/**
 * Stores each finding once: as an occurrence of its incident, or, where it follows from the failure of another pod, as a
 * consequence of that one's incident. Asks for evidence where something is untold. Returns how many were unseen.
 *
 * What follows from a failure that may still recover waits for its outcome, as long as a later look reads it again;
 * critical findings never wait. A finding whose cause shows only later keeps its incident, which then tells the cause.
 * @param held failures of the same look that may still recover
 */
export async function recordFindings(
  ports: RecordPorts,
  options: RecordOptions,
  session: Session,
  findings: readonly Finding[],
  held: readonly HeldFinding[] = [],
): Promise<number> {
  if (findings.length === 0) return 0;
  const known = await ports.incidents.ofPlay(session.playId);
  for (const occurrence of known) if (occurrence.untold !== undefined) await askAgain(ports, session, occurrence);
  const seen = new Set(known.map(({ finding }) => finding.id));
  const unseen = findings.filter(({ id }) => !seen.has(id));
  const earlier = known.map(({ finding }) => finding);
  const ready = settled(unseen, earlier, held);
  let fresh = 0;
  for (const found of byCause(linkCauses(ready, earlier))) {
    if (await recordOne(ports, options, session, await redactFinding(found, ports.redactor))) fresh += 1;
  }
  await addLateCauses(ports, session, known, [...earlier, ...ready]);
  return fresh;
}

/** Findings but those that wait for the outcome of what they may follow from. */
function settled(unseen: readonly Finding[], earlier: readonly Finding[], held: readonly HeldFinding[]) {
  const deadlines = new Map(held.map(({ finding, deadline }) => [finding.id, deadline]));
  const linked = linkCauses(unseen, [...earlier, ...held.map(({ finding }) => finding)]);
  return unseen.filter((finding, index) => {
    const deadline = deadlines.get(linked[index]?.cause?.findingId ?? '');
    return deadline === undefined || finding.severity === 'critical' || deadline > finding.anchor.ns + OVERLAP_NS;
  });
}

/** Causes first, so that the incident of a cause exists when what follows from it is stored. */
const byCause = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => Number(a.cause !== undefined) - Number(b.cause !== undefined));

async function recordOne(ports: RecordPorts, options: RecordOptions, session: Session, finding: Finding) {
  if (finding.cause !== undefined) {
    const target = routeTarget(finding.cause, session, options.platformRepository);
    const cause = await ports.incidents.get(incidentId(target, finding.cause.fingerprint));
    if (cause !== undefined) return recordConsequence(ports, session, finding, cause);
  }
  const target = routeTarget(finding, session, options.platformRepository);
  const now = ports.clock.now();
  const occurrence = toOccurrence(session, finding, incidentId(target, finding.fingerprint), now);
  const head = { ...freshIncident(finding, target, now), next: 'evidence', due: now + RESEND_AFTER_MS } as const;
  const { incident, isNew } = await ports.incidents.record(occurrence, head);
  if (isNew) {
    tell(ports, occurrence);
    await ask(ports, session, { ...occurrence, untold: 'occurrence' }, incident);
  }
  return isNew;
}

async function recordConsequence(ports: RecordPorts, session: Session, finding: Finding, cause: Incident) {
  const occurrence = toOccurrence(session, finding, cause.id, ports.clock.now());
  const isNew = await ports.incidents.recordConsequence(occurrence);
  if (isNew) {
    tell(ports, occurrence);
    await ask(ports, session, { ...occurrence, untold: 'consequence' }, cause);
  }
  return isNew;
}

const tell = ({ clock, onStored }: RecordPorts, { incidentId: incident, finding }: Occurrence): void =>
  onStored?.({ incident, lagMs: clock.now() - toMillis(finding.lastNs) });

/** Asks the incident for evidence of what is untold. What follows from a failure, or its cause, reopens nothing. */
async function ask(ports: RecordPorts, session: Session, occurrence: Occurrence, incident: Incident): Promise<void> {
  if (occurrence.untold === 'occurrence') {
    if (!(await reopenAfterMerge(ports, incident, session))) await askForEvidence(ports, incident);
  } else if (incident.state !== 'resolved') await askForEvidence(ports, incident);
  await ports.incidents.noteAsked(occurrence);
}

/** A look that died after it stored the occurrence may not have asked. */
async function askAgain(ports: RecordPorts, session: Session, occurrence: Occurrence): Promise<void> {
  const incident = await ports.incidents.get(occurrence.incidentId);
  if (incident !== undefined) await ask(ports, session, occurrence, incident);
}

const toOccurrence = (session: Session, finding: Finding, incident: string, seenAt: number): Occurrence => ({
  incidentId: incident,
  playId: session.playId,
  repository: toRepositoryName(session.repository),
  namespace: session.namespace,
  finding,
  seenAt,
});

/** What was told as an incident of its own and turns out to follow from another one. */
async function addLateCauses(
  ports: RecordPorts,
  session: Session,
  known: readonly Occurrence[],
  all: readonly Finding[],
) {
  for (const occurrence of known) {
    const [finding] = linkCauses([occurrence.finding], all);
    const isLate = occurrence.finding.cause === undefined && finding?.cause !== undefined;
    if (!isLate || finding.cause.fingerprint === finding.fingerprint) continue;
    const clean = await redactFinding(finding, ports.redactor);
    const told = { ...occurrence, finding: clean, untold: 'cause' } as const;
    if (await ports.incidents.addCause(told)) await askAgain(ports, session, told);
  }
}

async function askForEvidence(ports: RecordPorts, incident: Incident): Promise<void> {
  const now = ports.clock.now();
  if (isClosedToFindings(incident.state)) return;
  if (incident.state === 'resolved') return reopen(ports, incident);
  const isDetected = incident.state === 'detected';
  // Nobody has begun to gather: what is stored by now will be seen.
  const isOwed = incident.next === 'evidence' && incident.lease === null;
  if (isDetected && isOwed) return ports.queues.send('evidence', { incident: incident.id });
  // A look that died before it stored the occurrence left a head that was gathered for in vain, and owes nothing since.
  const isForgotten = isDetected && incident.next === null;
  await ports.incidents.request(incident.id, 'evidence', isForgotten ? now : now + UPDATE_AFTER_MS);
}

/** A play that began after the merge shows the failure: the fix did not hold. False: nothing to reopen. */
async function reopenAfterMerge(ports: RecordPorts, incident: Incident, session: Session): Promise<boolean> {
  if (incident.state !== 'verifying') return false;
  const mergedAt = (await ports.remediations.get(incident.id))?.mergedAt ?? null;
  if (mergedAt === null || Date.parse(session.startedAt) <= mergedAt) return false;
  await reopen(ports, incident);
  return true;
}

/** Another stage may change the head in between: then it is read again. */
const REOPEN_TRIES = 5;

async function reopen(ports: RecordPorts, incident: Incident): Promise<void> {
  let head: Incident | undefined = incident;
  for (let left = REOPEN_TRIES; left > 0 && head !== undefined && mayFollow(head.state, 'regressed'); left -= 1) {
    const now = ports.clock.now();
    const change = {
      state: 'regressed',
      next: 'evidence',
      due: now + RESEND_AFTER_MS,
      attempt: 0,
      notBefore: null,
      event: `the failure came back after it was ${head.state === 'verifying' ? 'fixed by a merge' : 'resolved'}`,
    } as const;
    // Who holds the lease finds another version when it is done, and leaves the head as it is.
    if (await ports.incidents.change({ ...head, lease: null }, change, 'detection', now)) {
      return ports.queues.send('evidence', { incident: head.id });
    }
    head = await ports.incidents.get(head.id);
  }
}
