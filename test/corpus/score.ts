import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attribution } from '#lib/domain/detection/attribution.ts';
import { attributeEntry } from '#lib/domain/detection/attribution.ts';
import { linkCauses } from '#lib/domain/detection/causes.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { Finding, LogEntry } from '#lib/domain/detection/finding.ts';
import { entryHash } from '#lib/domain/detection/to-finding.ts';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { NANOS_PER_SECOND, toNanos } from '#lib/domain/time.ts';

/** Format of `cases.jsonl`; see the README of the set. */
export interface CorpusCase {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly start: string;
  readonly agents_start?: Readonly<Record<string, number>>;
  readonly session?: WireSession;
  readonly lines: readonly {
    readonly t: number;
    readonly pod: string;
    readonly container: string;
    readonly line: string;
  }[];
  readonly expect: readonly Expectation[];
  readonly tags: readonly string[];
}

interface Expectation {
  readonly category: string;
  readonly code?: string | null;
  readonly severity: string;
  readonly line_index: number;
  readonly also?: readonly number[];
  /** Of a consequence: the line that shows its (first) cause. */
  readonly root_line_index?: number;
}

/** The part of `POST /api/v1/session/start` that the cases use, in the caller's spelling. */
interface WireSession {
  readonly play_id: string;
  readonly repository: string;
  readonly cto_config: {
    readonly agents: Readonly<
      Record<
        string,
        {
          readonly cli?: string;
          readonly tools?: {
            readonly remote?: readonly string[] | null;
            readonly localServers?: Readonly<
              Record<string, { readonly enabled: boolean; readonly tools?: readonly string[] }>
            > | null;
          };
        }
      >
    >;
  };
}

export const SETS = ['corpus', 'recordings', 'unseen'] as const;
export type SetName = (typeof SETS)[number];

export const loadCases = (set: SetName): readonly CorpusCase[] =>
  readFileSync(join(import.meta.dirname, set, 'cases.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CorpusCase);

/** A finding by the lines of the case. */
export interface Detected {
  readonly lineIndex: number;
  readonly finding: Finding;
}

function toDeclaration(wire: WireSession): SessionDeclaration {
  const agents = Object.entries(wire.cto_config.agents).map(([name, agent]) => {
    const servers = Object.entries(agent.tools?.localServers ?? {}).map(
      ([server, local]) => [server, { enabled: local.enabled, tools: local.tools ?? [] }] as const,
    );
    const tools = { remote: agent.tools?.remote ?? [], localServers: Object.fromEntries(servers) };
    return [name, { githubApp: null, cli: agent.cli ?? null, model: null, tools }] as const;
  });
  return {
    playId: wire.play_id,
    repository: wire.repository,
    service: null,
    namespace: 'agents',
    agents: Object.fromEntries(agents),
    tasks: [],
  };
}

const SECOND = Number(NANOS_PER_SECOND);

/** Entries of a case; equal moments are kept in order by one nanosecond a line only where the case gives one moment. */
function toEntries(corpusCase: CorpusCase): LogEntry[] {
  const start = toNanos(Date.parse(corpusCase.start));
  return corpusCase.lines.map(({ t, pod, container, line }) => ({
    ns: start + BigInt(Math.round(t * SECOND)),
    line,
    labels: { namespace: 'agents', pod, container },
  }));
}

/** Runs detection on a case as the Lambdas would after the play's end. @param keep which entries the log source returns. */
export function detectCase(corpusCase: CorpusCase, keep: (line: string) => boolean = () => true): Detected[] {
  const start = toNanos(Date.parse(corpusCase.start));
  const session = corpusCase.session === undefined ? null : toDeclaration(corpusCase.session);
  const all = toEntries(corpusCase);
  const kept = all.map((entry, index) => ({ entry, index })).filter(({ entry }) => keep(entry.line));
  const starts = new Map(corpusCase.lines.map(({ pod }) => [pod, start] as const));
  for (const [pod, seconds] of Object.entries(corpusCase.agents_start ?? {})) {
    starts.set(pod, start + BigInt(Math.round(seconds * SECOND)));
  }
  const attribute = (entry: LogEntry): Attribution | undefined => {
    const known = session === null ? undefined : attributeEntry(entry, [session]);
    const pod = entry.labels['pod'] ?? '';
    return (
      known ?? {
        playId: corpusCase.id,
        agent: null,
        pod,
        container: entry.labels['container'] ?? null,
        rule: 'pod-name',
      }
    );
  };
  const indexOf = indexEntries(kept);
  const { findings } = detect({
    entries: kept.map(({ entry }) => entry),
    session,
    attribute,
    podStarts: starts,
    until: (all.at(-1)?.ns ?? start) + 3600n * NANOS_PER_SECOND,
    ended: { session: true },
  });
  return linkCauses(findings).map((finding) => ({ lineIndex: indexOf(finding), finding }));
}

/** Finds the line of an anchor by its pod and moment; the hash decides between lines of one moment. */
function indexEntries(kept: readonly { entry: LogEntry; index: number }[]): (finding: Finding) => number {
  const byHash = new Map<string, number>();
  for (const { entry, index } of kept) if (!byHash.has(entryHash(entry))) byHash.set(entryHash(entry), index);
  return (finding) => byHash.get(finding.anchor.hash) ?? -1;
}

interface Found {
  readonly expectation: Expectation;
  readonly detected: Detected;
  /** Line of the failure that the finding was linked to as its cause. */
  readonly causeLine: number | null;
}

/** What became of one case. */
export interface CaseScore {
  readonly corpusCase: CorpusCase;
  readonly found: readonly Found[];
  readonly missed: readonly Expectation[];
  readonly alarms: readonly Detected[];
}

const covers = (expectation: Expectation, line: number): boolean =>
  expectation.line_index === line || (expectation.also ?? []).includes(line);

/** Scores a case: a detection on `line_index` or `also` is right, further ones there are duplicates, others are alarms. */
export function scoreCase(corpusCase: CorpusCase, detections: readonly Detected[]): CaseScore {
  const found: Found[] = [];
  const alarms: Detected[] = [];
  const byClarity = detections.toSorted((a, b) => exactness(corpusCase, b) - exactness(corpusCase, a));
  for (const detected of byClarity) {
    const fits = corpusCase.expect.filter((expectation) => covers(expectation, detected.lineIndex));
    const open = fits.find((expectation) => !found.some((known) => known.expectation === expectation));
    const cause = detections.find(({ finding }) => finding.id === detected.finding.cause?.findingId);
    if (open !== undefined) found.push({ expectation: open, detected, causeLine: cause?.lineIndex ?? null });
    else if (fits.length === 0) alarms.push(detected);
  }
  const missed = corpusCase.expect.filter((expectation) => !found.some((known) => known.expectation === expectation));
  return { corpusCase, found, missed, alarms };
}

const exactness = (corpusCase: CorpusCase, detected: Detected): number =>
  Number(corpusCase.expect.some((expectation) => expectation.line_index === detected.lineIndex));

/** A part of a whole. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

export const ratio = ({ part, of }: Share): number => (of === 0 ? 1 : part / of);

/** Figures of a set or of a slice of it. Case precision: of the cases that alarm, those with failures found and no false alarm. */
export interface Score {
  readonly cases: number;
  readonly casePrecision: Share;
  readonly caseRecall: Share;
  readonly precision: Share;
  readonly recall: Share;
  readonly benignAlarmed: Share;
  readonly category: Share;
  readonly code: Share;
  readonly severity: Share;
  /** Consequences whose cause was found, of all that have one. */
  readonly roots: Share;
  /** Links to a cause that are right, of all links. */
  readonly links: Share;
}

/** A cause is found when it is linked to its line or to another line of the same failure. */
function isRoot(score: CaseScore, { expectation, causeLine }: Found): boolean {
  if (causeLine === null || expectation.root_line_index === undefined) return false;
  const root = score.corpusCase.expect.find(({ line_index }) => line_index === expectation.root_line_index);
  return causeLine === expectation.root_line_index || (root?.also ?? []).includes(causeLine);
}

const count = <T>(items: readonly T[], test: (item: T) => boolean): number => items.filter(test).length;

/** Sums up: a case with failures is right when at least one of them is found; a case alarms when anything is detected. */
export function sum(scores: readonly CaseScore[]): Score {
  const found = scores.flatMap((score) => score.found);
  const alarms = scores.flatMap((score) => score.alarms);
  const failing = scores.filter((score) => score.corpusCase.expect.length > 0);
  const benign = scores.filter((score) => score.corpusCase.expect.length === 0);
  const hit = count(failing, (score) => score.found.length > 0);
  const alarmed = count(scores, (score) => score.found.length > 0 || score.alarms.length > 0);
  const rooted = scores.flatMap((score) => score.found.filter((one) => isRoot(score, one))).length;
  const withRoot = failing.flatMap(({ corpusCase }) =>
    corpusCase.expect.filter((e) => e.root_line_index !== undefined),
  );
  const linked = [...found.map(({ detected }) => detected), ...alarms].filter(({ finding }) => finding.cause);
  const agree = (test: (found: Found) => boolean): Share => ({ part: count(found, test), of: found.length });
  return {
    cases: scores.length,
    casePrecision: { part: hit, of: alarmed },
    caseRecall: { part: hit, of: failing.length },
    precision: { part: found.length, of: found.length + alarms.length },
    recall: { part: found.length, of: found.length + scores.flatMap((score) => score.missed).length },
    benignAlarmed: { part: count(benign, (score) => score.alarms.length > 0), of: benign.length },
    category: agree(({ expectation, detected }) => expectation.category === detected.finding.category),
    code: agree(({ expectation, detected }) => (expectation.code ?? null) === detected.finding.code),
    severity: agree(({ expectation, detected }) => expectation.severity === detected.finding.severity),
    roots: { part: rooted, of: withRoot.length },
    links: { part: rooted, of: linked.length },
  };
}

export const scoreSet = (set: SetName, keep?: (line: string) => boolean): readonly CaseScore[] =>
  loadCases(set).map((corpusCase) => scoreCase(corpusCase, detectCase(corpusCase, keep)));

/** Scores by the values of a key, e.g. the agent. */
export function sumBy(
  scores: readonly CaseScore[],
  keys: (score: CaseScore) => readonly string[],
): ReadonlyMap<string, Score> {
  const names = [...new Set(scores.flatMap(keys))].toSorted();
  return new Map(names.map((name) => [name, sum(scores.filter((score) => keys(score).includes(name)))]));
}

/** Kind of a case: the category or code of what is expected, or `benign`. */
export const kindsOf = (score: CaseScore): readonly string[] =>
  score.corpusCase.expect.length === 0
    ? ['benign']
    : [...new Set(score.corpusCase.expect.map(({ category, code }) => code ?? category))];
