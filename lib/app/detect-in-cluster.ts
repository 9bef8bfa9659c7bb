import { attributeEntry } from '#lib/domain/detection/attribution.ts';
import type { Detection } from '#lib/domain/detection/detection.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { detectCluster } from '#lib/domain/detection/kubernetes/detect-cluster.ts';
import { withoutTold } from '#lib/domain/detection/kubernetes/told.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import type { PlayRead } from './play-read.ts';
import type { SeenPod } from './ports.ts';

/**
 * Findings of one play in both sources: what the cluster shows and the log has not told is added, what the cluster told
 * better is left out. Earlier findings of the play are asked for only where there is something to compare.
 */
export async function addClusterFindings(
  ports: DetectPorts,
  options: DetectOptions,
  task: PlayRead,
  {
    findings,
    held,
    agents,
    pods,
  }: Pick<Detection, 'findings' | 'held' | 'agents'> & { readonly pods: readonly SeenPod[] },
): Promise<readonly Finding[]> {
  const { session, cluster, read, plan } = task;
  if (cluster.sight === null) return findings;
  const fresh = [...findings, ...held.map(({ finding }) => finding)];
  const input = {
    session,
    owners: cluster.owners,
    attributeName: (name: string) => attributeEntry({ labels: { pod: name } }, task.sessions, options.attribution),
    until: read.proven.until,
    since: plan.emitFrom,
    agents,
    heard: pods,
  };
  const { state } = cluster;
  const look = (told: readonly Finding[]) => (state === null ? [] : detectCluster({ ...input, state, told, fresh }));
  if (findings.length === 0 && look([]).length === 0) return findings;
  const known = (await ports.incidents.ofPlay(session.playId)).map(({ finding }) => finding);
  const added = look(known);
  return [...withoutTold(findings, [...known, ...added]), ...added];
}
