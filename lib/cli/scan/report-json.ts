import * as z from 'zod';
import { CATEGORIES, CODES, SEVERITIES } from '#lib/domain/detection/finding.ts';
import type { ScannedPod } from '#lib/domain/scan/scan-agents.ts';
import type { ScanIncident } from '#lib/domain/scan/scan-incident.ts';
import { type Nanos, toIso, toMillis } from '#lib/domain/time.ts';
import type { Report } from './report.ts';

const Moment = z.string().nullable().describe('RFC 3339 in UTC; null when the log tells no time');
const Names = z.array(z.string());

const IncidentJson = z
  .strictObject({
    id: z.string().describe('identity: target repository and fingerprint'),
    fingerprint: z.string().describe('equal for the same failure in any play, pod or hour'),
    target: z.string().nullable().describe('owner/name whose issue it becomes; null when no repository was given'),
    owner: z.enum(['platform', 'run']).describe('who can fix it'),
    category: z.enum(CATEGORIES),
    code: z.enum(CODES).nullable(),
    severity: z.enum(SEVERITIES),
    pattern: z.string().describe('id of the pattern or check'),
    title: z.string(),
    agents: Names,
    plays: Names,
    pods: Names,
    first_seen: Moment,
    last_seen: Moment,
    occurrences: z.int().min(1),
    lines: z.int().min(1),
    confidence: z.enum(['certain', 'likely', 'not provable']),
    cause: z.string(),
    claims: z.array(z.string()).describe('sentences of the cause, each proven by an evidence line'),
    evidence: z.array(
      z.strictObject({
        at: Moment,
        pod: z.string().nullable(),
        file: z.string().nullable(),
        line: z.int().nullable().describe('counted from 1'),
        text: z.string().describe('redacted, one line'),
      }),
    ),
    remedy: z.array(z.strictObject({ text: z.string(), command: z.string().nullable() })),
    gaps: Names.describe('what could not be seen of it'),
  })
  .describe('What Healer would have filed as one issue');

const PodJson = z.strictObject({
  pod: z.string(),
  play: z.string(),
  agent: z.string().nullable(),
  cli: z.string().nullable().describe('whose event stream was read; null for plain text'),
  lines: z.int(),
  first_seen: Moment,
  last_seen: Moment,
  tools: z.int().nullable().describe('how many tools the start event listed; null when none did'),
  servers: z.record(z.string(), z.string()).nullable(),
  result: z.enum(['ok', 'error']).nullable().describe('what the closing event told; null when none was seen'),
});

/** What `healer scan --json` prints: one document. */
export const ScanReportJson = z
  .strictObject({
    schema: z.literal('healer-scan/1'),
    complete: z.boolean().describe('false when some input could not be read to its end; see faults'),
    incidents: z.array(IncidentJson).describe('most severe first'),
    hidden: z.int().describe('incidents below --severity'),
    coverage: z.strictObject({
      sources: Names,
      lines: z.int(),
      bytes: z.int(),
      pods: z.array(PodJson),
      gaps: Names,
      notes: Names,
      unseen: Names.describe('what cannot be seen in this input, and which setting would show it'),
    }),
    faults: Names,
  })
  .describe('Report of healer scan --json');

type ReportDocument = z.infer<typeof ScanReportJson>;

const moment = (ns: Nanos | null): string | null => (ns === null ? null : toIso(toMillis(ns)));

export function toReportJson(report: Report): ReportDocument {
  const { result, sources, bytes, gaps, notes, unseen, faults } = report;
  return {
    schema: 'healer-scan/1',
    complete: faults.length === 0,
    incidents: report.incidents.map(toIncidentJson),
    hidden: report.hidden,
    coverage: {
      sources: [...sources],
      lines: result.lines,
      bytes,
      pods: result.pods.list.map(toPodJson),
      gaps: [...gaps],
      notes: [...notes],
      unseen: [...unseen],
    },
    faults: [...faults],
  };
}

function toIncidentJson(incident: ScanIncident): ReportDocument['incidents'][number] {
  const { finding, diagnosis } = incident;
  return {
    id: incident.id,
    fingerprint: incident.fingerprint,
    target: incident.target,
    owner: incident.owner,
    category: finding.category,
    code: finding.code,
    severity: incident.severity,
    pattern: finding.pattern,
    title: finding.summary,
    agents: [...incident.agents],
    plays: [...incident.plays],
    pods: [...incident.pods],
    first_seen: moment(incident.firstNs),
    last_seen: moment(incident.lastNs),
    occurrences: incident.occurrences,
    lines: incident.lines,
    confidence: diagnosis.confidence,
    cause: diagnosis.summary,
    claims: diagnosis.cause.map(({ text }) => text),
    evidence: incident.evidence.map(({ at, pod, origin, text }) => ({
      at,
      pod,
      file: origin?.file ?? null,
      line: origin?.line ?? null,
      text,
    })),
    remedy: diagnosis.remedy.map(({ text, command }) => ({ text, command: command ?? null })),
    gaps: [...diagnosis.gaps],
  };
}

const toPodJson = (pod: ScannedPod): ReportDocument['coverage']['pods'][number] => ({
  pod: pod.pod,
  play: pod.playId,
  agent: pod.agent,
  cli: pod.cli,
  lines: pod.lines,
  first_seen: moment(pod.firstNs),
  last_seen: moment(pod.lastNs),
  tools: pod.tools,
  servers: pod.servers === null ? null : { ...pod.servers },
  result: pod.result,
});
