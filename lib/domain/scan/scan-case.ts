import { type Attribution, attributeEntry } from '../detection/attribution.ts';
import { detect } from '../detection/detect.ts';
import type { Category, Code, Finding, LogEntry, Severity } from '../detection/finding.ts';
import { entryHash } from '../detection/to-finding.ts';
import type { SessionDeclaration } from '../session/session.ts';
import { NANOS_PER_SECOND, type Nanos, toNanos } from '../time.ts';

/** A labelled case: its lines with their seconds since `start`. The labels are not read. */
export interface ScannedCase {
  readonly id: string;
  /** RFC 3339. */
  readonly start: string;
  /** Seconds after `start` at which a pod itself began. */
  readonly agents_start?: Readonly<Record<string, number>> | undefined;
  readonly session: SessionDeclaration | null;
  readonly lines: readonly {
    readonly t: number;
    readonly pod: string;
    readonly container?: string | null | undefined;
    readonly line: string;
  }[];
}

/** A finding by the line of its case. */
export interface CaseFinding {
  readonly line_index: number;
  readonly category: Category;
  readonly code: Code | null;
  readonly severity: Severity;
  readonly pattern: string;
}

const SECOND = Number(NANOS_PER_SECOND);
/** Long enough for every hold to be over. */
const AFTERWARDS: Nanos = 3600n * NANOS_PER_SECOND;

/**
 * Detection over one case as over a play that has ended. A case is an excerpt: its end is the end of the play, but says
 * nothing of how its pods ended.
 */
export function scanCase(scanned: ScannedCase): readonly CaseFinding[] {
  const start = toNanos(Date.parse(scanned.start));
  const after = (seconds: number): Nanos => start + BigInt(Math.round(seconds * SECOND));
  const entries = scanned.lines.map(({ t, pod, container, line }): LogEntry => {
    const labels = { namespace: scanned.session?.namespace ?? 'agents', pod };
    return { ns: after(t), line, labels: container == null ? labels : { ...labels, container } };
  });
  const starts = new Map(scanned.lines.map(({ pod }) => [pod, start] as const));
  for (const [pod, seconds] of Object.entries(scanned.agents_start ?? {})) starts.set(pod, after(seconds));
  const { findings } = detect({
    entries,
    session: scanned.session,
    attribute: (entry) => claim(entry, scanned),
    podStarts: starts,
    until: (entries.at(-1)?.ns ?? start) + AFTERWARDS,
    ended: { session: true },
  });
  const places = new Map(entries.map((entry, index) => [entryHash(entry), index] as const).toReversed());
  return findings.map((finding) => toCaseFinding(finding, places));
}

/** Every line of a case belongs to it, whether or not its pod bears the play's name. */
function claim(entry: LogEntry, { id, session }: ScannedCase): Attribution {
  const claimed = session === null ? undefined : attributeEntry(entry, [session]);
  const { pod = '', container = null } = entry.labels;
  return claimed ?? { playId: id, agent: null, pod, container, rule: 'pod-name' };
}

const toCaseFinding = (finding: Finding, places: ReadonlyMap<string, number>): CaseFinding => ({
  line_index: places.get(finding.anchor.hash) ?? -1,
  category: finding.category,
  code: finding.code,
  severity: finding.severity,
  pattern: finding.pattern,
});
