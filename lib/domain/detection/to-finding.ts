import { createHash } from 'node:crypto';
import { NANOS_PER_SECOND } from '../time.ts';
import type { Category, Code, EntryRef, Finding, LogEntry, Severity } from './finding.ts';
import { SEVERITIES } from './finding.ts';
import { fingerprint, toIdentity } from './fingerprint.ts';
import { anchorOf, rootOf } from './fold.ts';
import type { Hit } from './hits.ts';
import type { Failure } from './settle.ts';
import { toTies } from './ties.ts';
import type { Message, Timeline } from './timeline.ts';

/** Pre-flight ends this long after the start of the agent's own pod (corpus/README.md, rule 2). */
export const PREFLIGHT = 60n * NANOS_PER_SECOND;
const MAX_ALSO = 50;

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

const labelsOf = (entry: LogEntry): string =>
  JSON.stringify(Object.entries(entry.labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Hash of (labels, ns, line), the identity of an entry. */
export const entryHash = (entry: LogEntry): string =>
  sha(`${labelsOf(entry)}\n${entry.ns}\n${entry.line}`).slice(0, 32);

/** Where an entry stands. */
function toRefs(message: Message, timeline: Timeline): EntryRef[] {
  return message.entries.flatMap((index) => {
    const entry = timeline.entries[index];
    if (entry === undefined) return [];
    return [{ ns: entry.ns, pod: message.owner.pod, container: message.owner.container, hash: entryHash(entry) }];
  });
}

/** The wording of pre-flight is `runtime` without a code as soon as the agent's first 60 s are over. */
function classify(hit: Hit, timeline: Timeline): { category: Category; code: Code | null } {
  const { category, code } = hit.pattern;
  if (category !== 'preflight') return { category, code: null };
  const start = timeline.podStarts.get(hit.pod) ?? timeline.podStarts.get(hit.message.owner.pod) ?? hit.message.ns;
  return hit.message.ns - start <= PREFLIGHT ? { category, code: code ?? null } : { category: 'runtime', code: null };
}

function severest(failure: Failure, anchor: Hit): Severity {
  const signs = failure.hits.filter((hit) => hit.pattern.symptom !== true && rootOf(hit) === rootOf(anchor));
  const found = new Set((signs.length > 0 ? signs : [anchor]).map((hit) => hit.pattern.severity));
  return SEVERITIES.find((severity) => found.has(severity)) ?? anchor.pattern.severity;
}

/** One line for people: agent, what, which. Only identity tokens enter it, never the line. */
export function toSummary(template: string, identity: Readonly<Record<string, string>>, agent: string | null): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => identity[name] ?? '');
  const clean = filled
    .replaceAll(/\s*\(\s*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return agent === null ? clean : `${agent}: ${clean}`;
}

function mergeIdentity(failure: Failure, anchor: Hit): Readonly<Record<string, string>> {
  const akin = failure.hits.filter((hit) => hit.pattern.id === anchor.pattern.id);
  return toIdentity(Object.assign({}, ...akin.toReversed().map((hit) => hit.identity), anchor.identity));
}

/** @param agents names of all agents of the play, lower case */
function tiesOf(failure: Failure, anchor: Hit, agents: readonly string[], identity: Finding['identity']) {
  return toTies({
    patterns: failure.hits.map((hit) => hit.pattern.id),
    pod: failure.pod,
    agent: failure.pod === anchor.message.owner.pod ? anchor.message.owner.agent : null,
    identity,
    texts: failure.hits.flatMap(({ event, message }) => (event === null ? [] : [message.text])),
    commands: failure.hits.flatMap(({ event }) => event?.command ?? []),
    agents,
  });
}

/**
 * The finding that a failure becomes; undefined for a failure without hits.
 * @param agents names of all agents of the play, lower case: a failure may name the agent it waits for
 */
export function toFinding(failure: Failure, timeline: Timeline, agents: readonly string[] = []): Finding | undefined {
  const anchor = anchorOf(failure);
  const ref = anchor === undefined ? undefined : toRefs(anchor.message, timeline).at(-1);
  if (anchor === undefined || ref === undefined) return undefined;
  const others = failure.hits
    .flatMap((hit) => toRefs(hit.message, timeline))
    .filter((other) => other.hash !== ref.hash);
  const also = [...new Map(others.map((other) => [other.hash, other])).values()];
  const moments = [ref, ...also].map(({ ns }) => ns).toSorted((a, b) => (a < b ? -1 : 1));
  const identity = mergeIdentity(failure, anchor);
  const { playId, agent } = anchor.message.owner;
  const { category, code } = classify(anchor, timeline);
  return {
    id: sha(`${playId}\n${anchor.pattern.id}\n${ref.hash}\n${JSON.stringify(anchor.identity)}`).slice(0, 32),
    pattern: anchor.pattern.id,
    category,
    code,
    severity: severest(failure, anchor),
    playId,
    agent,
    pod: failure.pod,
    anchor: ref,
    also: also.slice(0, MAX_ALSO),
    count: also.length + 1,
    firstNs: moments[0] ?? ref.ns,
    lastNs: moments.at(-1) ?? ref.ns,
    identity,
    fingerprint: fingerprint(anchor.pattern.id, anchor.pattern.code ?? null, identity),
    summary: toSummary(anchor.pattern.summary, identity, agent),
    ties: tiesOf(failure, anchor, agents, identity),
  };
}
