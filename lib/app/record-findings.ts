import type { Finding } from '#lib/domain/detection/finding.ts';
import { redactFinding } from '#lib/domain/evidence/redact-finding.ts';
import { freshIncident, incidentId } from '#lib/domain/incident/identity.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { routeTarget } from '#lib/domain/incident/routing.ts';
import { RESEND_AFTER_MS, UPDATE_AFTER_MS } from '#lib/domain/incident/schedule.ts';
import { isClosedToFindings } from '#lib/domain/incident/states.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { Clock, IncidentStore, Queues } from './ports.ts';

export interface RecordPorts {
  readonly incidents: IncidentStore;
  readonly queues: Queues;
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/** Stores each finding as an occurrence of its incident, and asks for evidence where something is untold. Returns how many were unseen. */
export async function recordFindings(
  ports: RecordPorts,
  options: { readonly platformRepository: string | null },
  session: Session,
  findings: readonly Finding[],
): Promise<number> {
  let fresh = 0;
  for (const found of findings) {
    const finding = await redactFinding(found, ports.redactor);
    const target = routeTarget(finding, session, options.platformRepository);
    const now = ports.clock.now();
    const occurrence = {
      incidentId: incidentId(target, finding.fingerprint),
      playId: session.playId,
      repository: toRepositoryName(session.repository),
      namespace: session.namespace,
      finding,
      seenAt: now,
    };
    const head = { ...freshIncident(finding, target, now), next: 'evidence', due: now + RESEND_AFTER_MS } as const;
    const { incident, isNew } = await ports.incidents.record(occurrence, head);
    if (!isNew) continue;
    fresh += 1;
    await askForEvidence(ports, incident);
  }
  return fresh;
}

async function askForEvidence(ports: RecordPorts, incident: Incident): Promise<void> {
  const now = ports.clock.now();
  if (isClosedToFindings(incident.state)) return;
  if (incident.state === 'detected') return ports.queues.send('evidence', { incident: incident.id });
  if (incident.state === 'resolved') return reopen(ports, incident);
  await ports.incidents.request(incident.id, 'evidence', now + UPDATE_AFTER_MS);
}

async function reopen(ports: RecordPorts, incident: Incident): Promise<void> {
  const now = ports.clock.now();
  const change = {
    state: 'regressed',
    next: 'evidence',
    due: now + RESEND_AFTER_MS,
    attempt: 0,
    event: 'the failure came back after it was resolved',
  } as const;
  if (await ports.incidents.change(incident, change, 'detection', now)) {
    await ports.queues.send('evidence', { incident: incident.id });
  }
}
