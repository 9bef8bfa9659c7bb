import type { AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import type { ClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { type AttributedEntry, buildEvidencePack } from '#lib/domain/evidence/build-pack.ts';
import type { Incident, Occurrence } from '#lib/domain/incident/incident.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { NANOS_PER_SECOND, toIso, toWindow, type Window } from '#lib/domain/time.ts';
import { gatherCluster } from './gather-cluster.ts';
import { gatherForge } from './gather-forge.ts';
import { findConsequences, readRelated } from './gather-related.ts';
import { attributeWithOwners } from './look-at-cluster.ts';
import type { Cluster, EvidenceStore, Forge, LogSource, SessionStore } from './ports.ts';
import { type Outcome, type WorkerPorts, workOnIncident } from './work-on-incident.ts';

export interface GatherPorts extends WorkerPorts {
  readonly sessions: SessionStore;
  readonly evidence: EvidenceStore;
  readonly logs: LogSource;
  /** Null or absent where no cluster is configured. */
  readonly cluster?: Cluster | null;
  /** Null or absent where GitHub is not read. */
  readonly forge?: Forge | null;
  readonly redactor: Redactor;
}

export interface GatherOptions {
  readonly attribution: AttributionConfig;
  /** LogQL stream selector of a namespace, or of one of its pods. */
  readonly selector: (namespace: string, pod?: string) => string;
}

/** How far around the failure all agents of the play are read. */
const BEFORE_NS = 120n * NANOS_PER_SECOND;
const AFTER_NS = 60n * NANOS_PER_SECOND;

/** Tries after which evidence goes without the logs: an issue that says so is worth more than none. */
const TRIES_WITH_LOGS = 6;

/** Plays that an evidence pack names. */
const NAMED_PLAYS = 20;

/** Collects what is known of an incident's latest occurrence, redacts it, stores the pack, asks for the evaluation. */
export const gatherEvidence =
  (ports: GatherPorts, options: GatherOptions) =>
  (message: { readonly incident: string }): Promise<Outcome> =>
    workOnIncident(ports, 'evidence', message.incident, async (incident) => {
      const [latest] = await ports.incidents.occurrences(incident.id, 1);
      if (latest === undefined) return { next: null, event: 'no occurrence is stored; waiting for the next finding' };
      const pack = await gatherPack(ports, options, incident, latest);
      await ports.evidence.save(pack);
      const event = `evidence gathered: ${pack.pieces.length} pieces, ${pack.gaps.length} gaps`;
      return { next: 'evaluation', event };
    });

async function gatherPack(ports: GatherPorts, options: GatherOptions, incident: Incident, latest: Occurrence) {
  const session = await ports.sessions.get(latest.playId);
  const consequences = await findConsequences(ports.incidents, incident, latest);
  const cluster = await gatherCluster(ports.cluster, options.attribution, session, latest, consequences);
  const known = { session, owners: cluster.owners, consequences };
  const { entries, gaps } = await readPlay(ports, options, incident, latest, known);
  const spoken = entries.map(({ entry }) => entry);
  const forge = await gatherForge(ports, session, latest, spoken);
  const recent = await ports.incidents.occurrences(incident.id, NAMED_PLAYS * 5);
  return buildEvidencePack(
    {
      incidentId: incident.id,
      playId: latest.playId,
      repository: latest.repository,
      namespace: latest.namespace,
      session: session ?? null,
      finding: latest.finding,
      entries,
      consequences,
      others: [...cluster.pieces, ...forge.pieces],
      gaps: [...gaps, ...cluster.gaps, ...forge.gaps],
      occurrences: {
        count: await ports.incidents.countOccurrences(incident.id),
        plays: [...new Set(recent.map((occurrence) => occurrence.playId))].slice(0, NAMED_PLAYS),
      },
      gatheredAt: toIso(ports.clock.now()),
    },
    ports.redactor,
  );
}

/** What tells whose a line is. */
interface KnownPlay {
  readonly session: Session | undefined;
  readonly owners: ClusterOwners;
  readonly consequences: readonly Finding[];
}

interface PlayLines {
  readonly entries: readonly AttributedEntry[];
  readonly gaps: readonly string[];
}

/** @throws SourceError when the logs cannot be read and trying again may help; later the gap is told instead. */
async function readPlay(
  ports: GatherPorts,
  options: GatherOptions,
  incident: Incident,
  latest: Occurrence,
  known: KnownPlay,
): Promise<PlayLines> {
  const window = aroundFinding(latest);
  try {
    const read = await ports.logs.read({ selector: options.selector(latest.namespace), window });
    const gaps = read.gaps.map((gap) => `A part of the logs could not be read: ${gap.reason}`);
    if (read.proven.until < window.until) gaps.push('The logs around the failure were too many to read completely.');
    const related = await readRelated(ports.logs, options.selector, latest, { ...known, window });
    const entries = attributeAll([...read.entries, ...related.entries], known, latest, options.attribution);
    return { entries, gaps: [...gaps, ...related.gaps] };
  } catch (error) {
    const isFinal = error instanceof SourceError && (!error.retryable || incident.attempt >= TRIES_WITH_LOGS);
    if (!isFinal) throw error;
    return { entries: [], gaps: [`The logs could not be read: ${error.message} ${error.advice}`] };
  }
}

function aroundFinding({ finding }: Occurrence): Window {
  return toWindow(finding.firstNs - BEFORE_NS, finding.lastNs + AFTER_NS);
}

/** Lines of the play only. Without its session (past its retention) the finding's own pod is what can be told. */
function attributeAll(
  entries: readonly LogEntry[],
  { session, owners }: KnownPlay,
  latest: Occurrence,
  config: AttributionConfig,
): readonly AttributedEntry[] {
  const known = session ?? { playId: latest.finding.pod, service: null, agents: {}, tasks: [] };
  return entries.flatMap((entry) => {
    const owner = attributeWithOwners(entry, [known], config, owners);
    return owner === undefined ? [] : [{ entry, agent: owner.agent, pod: owner.pod, container: owner.container }];
  });
}
