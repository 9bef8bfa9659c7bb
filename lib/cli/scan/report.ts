import type { ScanResult } from '#lib/app/scan-logs.ts';
import { toBlindSpots } from '#lib/domain/detection/blind-spots.ts';
import type { Severity } from '#lib/domain/detection/finding.ts';
import { rankOf, type ScanIncident } from '#lib/domain/scan/scan-incident.ts';
import { count } from './style.ts';

/** All that is printed of one scan. */
export interface Report {
  readonly incidents: readonly ScanIncident[];
  /** Incidents below the severity that was asked for. */
  readonly hidden: number;
  readonly result: ScanResult;
  /** Files or the address of Loki, as people name them. */
  readonly sources: readonly string[];
  readonly bytes: number;
  /** What was read only in part, or may mislead: each a sentence. */
  readonly notes: readonly string[];
  /** Ranges of Loki that could not be read, each a sentence. */
  readonly gaps: readonly string[];
  /** What cannot be seen, each a sentence. */
  readonly unseen: readonly string[];
  /** Input that could not be read at all or not to its end: each a sentence. The report is not complete then. */
  readonly faults: readonly string[];
}

export interface ReportParts {
  readonly result: ScanResult;
  readonly severity: Severity;
  readonly sources: readonly string[];
  readonly bytes: number;
  readonly notes: readonly string[];
  readonly gaps: readonly string[];
  readonly faults: readonly string[];
  readonly hasSession: boolean;
}

export function toReport({ result, severity, hasSession, notes, ...rest }: ReportParts): Report {
  const incidents = result.incidents.filter((incident) => rankOf(incident.severity) <= rankOf(severity));
  return {
    ...rest,
    result,
    incidents,
    hidden: result.incidents.length - incidents.length,
    notes: [...notes, ...remarks(result)],
    unseen: unseenOf(result, hasSession),
  };
}

function remarks({ pods, excluded, unlisted, lines }: ScanResult): readonly string[] {
  const untimed = pods.list.filter(({ firstNs }) => firstNs === null).length;
  return [
    ...(untimed > 0 && lines > 0
      ? [
          'Lines without a time are taken to follow each other at 0.1 s: kubectl logs --timestamps gives the real ones, by which "within 60 s of the start" is judged.',
        ]
      : []),
    ...(excluded > 0 ? [`${count(excluded, 'line')} of Healer's own pods and of log collectors left out.`] : []),
    ...(unlisted > 0 ? [`${count(unlisted, 'further incident')} not listed.`] : []),
    ...(pods.unlisted > 0 ? [`${pods.unlisted} or more further pods are not listed.`] : []),
  ];
}

/** Sources that a scan of logs never sees, then what each CLI hides. */
function unseenOf({ pods }: ScanResult, hasSession: boolean): readonly string[] {
  const agents = pods.list
    .filter(({ cli, agent }) => cli !== null || agent !== null)
    .map(({ agent, cli, tools, servers }) => ({
      agent,
      cli,
      hasStream: cli !== null,
      hasTools: tools !== null,
      hasServers: servers !== null,
    }));
  return [
    ...(hasSession
      ? []
      : [
          'Nothing was declared, so offered tools and servers were compared with nothing: --session FILE turns A10 and A12 checks on.',
        ]),
    ...toBlindSpots(agents),
    'Kubernetes and GitHub were not asked: evictions, OOM kills and refused pushes are seen only where a log tells them.',
  ];
}
