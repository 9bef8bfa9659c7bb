import type { AgentFacts } from '#lib/domain/detection/detection.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { findExposure } from '#lib/domain/remediation/exposure.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { Session } from '#lib/domain/session/session.ts';
import type { DetectPorts } from './detect-ports.ts';
import type { VerifyingIncident } from './play-memory.ts';

/** What one look showed of one session. */
export interface ExposureLook {
  readonly session: Session;
  readonly agents: readonly AgentFacts[];
  readonly findings: readonly Finding[];
}

/** Incidents that wait for an exposure at one time; more wait for a later look. */
const MAX_VERIFYING = 200;

/** Stores, for each incident in `verifying`, that a session passed the point at which its agent failed before. */
export async function recordExposures(
  ports: Pick<DetectPorts, 'incidents' | 'remediations' | 'clock' | 'memory'>,
  looks: readonly ExposureLook[],
): Promise<number> {
  if (looks.every(({ agents }) => agents.length === 0)) return 0;
  let fresh = 0;
  for (const verifying of await listVerifying(ports)) fresh += await exposeOne(ports, verifying, looks);
  return fresh;
}

/** A fix is settled when its incident begins to be verified, so it is read once for each state of the incident. */
async function listVerifying({
  incidents,
  remediations,
  memory,
  clock,
}: Pick<DetectPorts, 'incidents' | 'remediations' | 'memory' | 'clock'>): Promise<readonly VerifyingIncident[]> {
  const now = clock.now();
  const known = memory?.verifying(now);
  if (known !== undefined) return known;
  const { items } = await incidents.list({ state: 'verifying', limit: MAX_VERIFYING });
  const read = items.map(async (incident) => {
    const remediation = memory?.fixOf(incident) ?? (await remediations.get(incident.id));
    return remediation === undefined ? [] : [{ incident, remediation }];
  });
  const verifying = (await Promise.all(read)).flat();
  memory?.keepVerifying(verifying, now);
  return verifying;
}

async function exposeOne(
  ports: Pick<DetectPorts, 'remediations' | 'clock'>,
  { incident, remediation }: VerifyingIncident,
  looks: readonly ExposureLook[],
): Promise<number> {
  let fresh = 0;
  for (const look of looks) {
    const repository = toRepositoryName(look.session.repository);
    const exposure = findExposure(incident, remediation, { ...look, repository, at: ports.clock.now() });
    if (exposure !== undefined && (await ports.remediations.expose(exposure))) fresh += 1;
  }
  return fresh;
}
