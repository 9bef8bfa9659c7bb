import { attributeEntry } from '#lib/domain/detection/attribution.ts';
import { linkCauses } from '#lib/domain/detection/causes.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { buildEvidencePack, type OtherPiece } from '#lib/domain/evidence/build-pack.ts';
import { freshIncident } from '#lib/domain/incident/identity.ts';
import { routeTarget } from '#lib/domain/incident/routing.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toMillis, toNanos } from '#lib/domain/time.ts';
import { aSession } from '#test/support/builders/session.ts';

/** A line of a play: seconds after its start, the agent (or a pod's whole name with its own dash), and what it says. */
export type Said = readonly [seconds: number, agent: string, line: string];

export interface Story {
  readonly session: Partial<Session>;
  readonly lines: readonly Said[];
  /** What Kubernetes and GitHub told. */
  readonly others?: readonly OtherPiece[];
  /** The finding to tell, by its agent. Default: the first that is no consequence. */
  readonly agent?: string;
}

const PLAY = 'play-7f3a';
const STARTED = '2026-11-30T12:00:00.000Z';

const podOf = (agent: string): string => (agent.includes('-') ? agent : `${PLAY}-${agent}-x2k4q`);

/** All that Healer does between log lines and an issue, without any I/O: the findings, the pack, the diagnosis, the issue. */
export async function tellStory({ lines, others = [], agent, ...story }: Story) {
  const session = { ...aSession({ playId: PLAY, ...story.session }), startedAt: STARTED };
  const start = toNanos(Date.parse(STARTED));
  const entries = lines.map(
    ([seconds, who, line]): LogEntry => ({
      ns: start + BigInt(Math.round(seconds * 1e9)),
      line,
      labels: { namespace: session.namespace, pod: podOf(who), container: 'agent' },
    }),
  );
  const attribute = (entry: LogEntry) => attributeEntry(entry, [session]);
  const until = start + 86_400_000_000_000n;
  const detected = detect({ entries, session, attribute, podStarts: new Map(), until, ended: { session: true } });
  const findings = linkCauses(detected.findings);
  const finding = findings.find((one) => (agent === undefined ? one.cause === undefined : one.agent === agent));
  if (finding === undefined) throw new Error('the story holds no such finding');
  return { findings, finding, ...(await tell({ session, entries, others, findings, finding, attribute })) };
}

interface Telling {
  readonly session: Session;
  readonly entries: readonly LogEntry[];
  readonly others: readonly OtherPiece[];
  readonly findings: readonly Finding[];
  readonly finding: Finding;
  readonly attribute: (entry: LogEntry) => ReturnType<typeof attributeEntry>;
}

async function tell({ session, entries, others, findings, finding, attribute }: Telling) {
  const now = toMillis(finding.lastNs) + 30_000;
  const incident = { ...freshIncident(finding, routeTarget(finding, session, 'acme/platform'), now) };
  const pack = await buildEvidencePack(
    {
      incidentId: incident.id,
      playId: session.playId,
      repository: session.repository,
      namespace: session.namespace,
      session,
      finding,
      consequences: findings.filter(({ cause }) => cause?.findingId === finding.id),
      entries: entries.flatMap((entry) => {
        const owner = attribute(entry);
        return owner === undefined ? [] : [{ entry, agent: owner.agent, pod: owner.pod, container: owner.container }];
      }),
      others,
      gaps: [],
      occurrences: { count: 1, plays: [session.playId] },
      gatheredAt: new Date(now).toISOString(),
    },
    createRedactor(),
  );
  const raw = diagnose(pack);
  const diagnosis = verifyClaims(raw, pack);
  const issue = renderIssue({ incident, pack, diagnosis, repository: { isPublic: false, showEvidence: true } });
  return { pack, raw, diagnosis, issue };
}
