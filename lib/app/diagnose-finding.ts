import type { Attribution } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import { entryHash } from '#lib/domain/detection/to-finding.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import { ownerOf } from '#lib/domain/evaluation/families.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { type AttributedEntry, buildEvidencePack } from '#lib/domain/evidence/build-pack.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { ScanFinding } from '#lib/domain/scan/rolling-detection.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';
import type { EvidenceLine, ScanIncident } from '#lib/domain/scan/scan-incident.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Millis, NANOS_PER_SECOND, toIso } from '#lib/domain/time.ts';

/** How far around a failure all agents of the play are evidence: as far as a live play is read again for it. */
const BEFORE_NS = 120n * NANOS_PER_SECOND;
const AFTER_NS = 60n * NANOS_PER_SECOND;
/** Lines on each side: a scan shows the failure's own lines, the others only help to explain them. */
const LINES_AROUND = 20;
/** Longer ones are payloads of tools, and take long to redact. */
const LONGEST_AROUND = 4000;

/** What is known besides the finding itself. */
export interface Setting {
  readonly incidentId: string;
  readonly target: string | null;
  readonly repository: string;
  readonly namespace: string;
  /** Null when nothing was declared. */
  readonly session: Session | null;
  readonly attribute: (entry: LogEntry) => Attribution | undefined;
  readonly now: Millis;
}

/**
 * Evidence and diagnosis of a finding by the product's own rules, without storing anything. All text is redacted.
 * @throws GuardError when redaction or the citation check fails: then nothing of it may be shown.
 */
export async function diagnoseFinding(found: ScanFinding, setting: Setting, redactor: Redactor): Promise<ScanIncident> {
  const { finding } = found;
  const entries = nearest(found).flatMap((entry) => toAttributed(entry, finding.playId, setting));
  const pack = await buildEvidencePack(
    {
      ...setting,
      playId: finding.playId,
      hasDeclaration: setting.session !== null,
      finding,
      entries,
      gaps: [],
      occurrences: { count: 1, plays: [finding.playId] },
      gatheredAt: toIso(setting.now),
    },
    redactor,
  );
  return {
    ...toIncident(found, pack),
    id: setting.incidentId,
    target: setting.target,
    diagnosis: verifyClaims(diagnose(pack), pack),
    evidence: toEvidence(pack, found),
  };
}

/** The failure's own lines and what stood around its clearest one, of all agents. */
function nearest({ finding, around }: ScanFinding): readonly ScanEntry[] {
  const hashes = new Set([finding.anchor, ...finding.also].map(({ hash }) => hash));
  const moments = new Set([finding.anchor, ...finding.also].map(({ ns }) => ns));
  const isHit = (entry: ScanEntry): boolean => moments.has(entry.ns) && hashes.has(entryHash(entry));
  const anchor = around.findIndex(
    (entry) => entry.ns === finding.anchor.ns && entryHash(entry) === finding.anchor.hash,
  );
  return around.filter(
    (entry, index) =>
      isHit(entry) ||
      (Math.abs(index - anchor) <= LINES_AROUND &&
        entry.line.length <= LONGEST_AROUND &&
        entry.ns >= finding.firstNs - BEFORE_NS &&
        entry.ns <= finding.lastNs + AFTER_NS),
  );
}

function toAttributed(entry: ScanEntry, playId: string, { attribute }: Setting): AttributedEntry[] {
  const owner = attribute(entry);
  return owner?.playId === playId ? [{ entry, agent: owner.agent, pod: owner.pod, container: owner.container }] : [];
}

function toIncident({ finding, around }: ScanFinding, pack: EvidencePack) {
  const isTimed = around.some((entry) => entry.isTimed && entry.ns === finding.anchor.ns);
  return {
    fingerprint: finding.fingerprint,
    owner: ownerOf(finding),
    finding: pack.finding,
    declared: pack.pieces.filter(({ role }) => role === 'declared'),
    severity: finding.severity,
    firstNs: isTimed ? finding.firstNs : null,
    lastNs: isTimed ? finding.lastNs : null,
    occurrences: 1,
    lines: finding.count,
    plays: new Set([finding.playId]),
    agents: new Set(finding.agent === null ? [] : [finding.agent]),
    pods: new Set([finding.pod]),
  };
}

/** The failure's own lines in order of time. The pack keeps all of them, in that order. */
function toEvidence(pack: EvidencePack, { finding, around }: ScanFinding): readonly EvidenceLine[] {
  const hashes = new Set([finding.anchor, ...finding.also].map(({ hash }) => hash));
  const moments = new Set([finding.anchor, ...finding.also].map(({ ns }) => ns));
  const hits = around
    .filter((entry) => moments.has(entry.ns) && hashes.has(entryHash(entry)))
    .toSorted((a, b) => (a.ns < b.ns ? -1 : Number(a.ns > b.ns)));
  const pieces = pack.pieces.filter(({ role, kind }) => role === 'hit' && kind === 'log');
  return pieces.map(({ text, at, pod }, i) => ({
    text,
    at: hits[i]?.isTimed === false ? null : at,
    pod,
    origin: hits[i]?.origin ?? null,
  }));
}
