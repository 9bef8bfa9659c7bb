import { createHash } from 'node:crypto';
import type { ClusterPod, ClusterState } from '../../cluster/objects.ts';
import { toEvidenceTime } from '../../evidence/evidence-time.ts';
import type { Session } from '../../session/session.ts';
import { NANOS_PER_SECOND, type Nanos, toNanos } from '../../time.ts';
import type { Attribution } from '../attribution.ts';
import type { AgentFacts } from '../detection.ts';
import type { EntryRef, Finding } from '../finding.ts';
import { fingerprint, toIdentity } from '../fingerprint.ts';
import { toTies } from '../ties.ts';
import { toSummary } from '../to-finding.ts';
import { type ClusterEnd, podEnd, toClusterRef, toEnd } from './ends.ts';
import { eventEnds, jobEnds, jobOutcome, podsOf, runEnds } from './owner-ends.ts';
import { type ClusterOwners, jobOf, ownerOfName } from './owners.ts';
import { podEnds } from './pod-ends.ts';
import { CLUSTER_RULES, type ClusterRule } from './rules.ts';
import { type Heard, silentPods } from './silent-pods.ts';
import { type ToldBefore, toldBy } from './told.ts';

/** What one detection in the objects of a cluster reads; equal input gives equal output. */
export interface ClusterInput extends ToldBefore {
  readonly state: ClusterState;
  readonly session: Session;
  readonly owners: ClusterOwners;
  /** Whose an object is that only an event names; undefined: nobody's. */
  readonly attributeName: (name: string) => Attribution | undefined;
  /** The logs are proven complete up to here (exclusive). */
  readonly until: Nanos;
  /** The range in which the closing event of a run would have been read; an end before it says nothing. */
  readonly since: Nanos;
  /** What each pod that spoke in `[since, until)` has told of itself. */
  readonly agents: readonly AgentFacts[];
  /** When each pod of the play spoke last, whatever it said; absent where nobody counts lines. */
  readonly heard?: readonly Heard[];
}

/** Ends before the start of a session belong to an earlier play of the same names; announcing takes a while. */
const START_MARGIN: Nanos = 120n * NANOS_PER_SECOND;

/** CLIs whose event stream always closes with a result. */
const CLOSING_CLIS: ReadonlySet<string> = new Set(['claude-code', 'codex']);

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Finds what failed in the objects of one play: pods that died or never started, Jobs ended at their deadline, runs that
 * failed without a word. What the log has told of the same end is not told again; where the log has only an echo of it
 * (an exit code), the finding takes the echo's entries as its own (`also`).
 */
export function detectCluster(input: ClusterInput): readonly Finding[] {
  const { state, session, heard = [] } = input;
  const silent = silentPods({ state, session, heard });
  const ends = [...standingEnds(input), ...jobEnds(state), ...eventEnds(state), ...silentEnds(input), ...silent];
  const first = tell(input, ends, input.told);
  return [...first, ...tell(input, runEnds(input.state), [...input.told, ...first])];
}

function tell(input: ClusterInput, ends: readonly ClusterEnd[], told: readonly Finding[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const end of ends) {
    const owner = ownerOf(input, end);
    const rule = CLUSTER_RULES[end.fault];
    if (owner === undefined || !isOfSession(input.session, end) || isHeld(input.until, rule, end)) continue;
    const verdict = toldBy(end, rule, { told: [...told, ...findings], fresh: input.fresh });
    if (verdict.isTold) continue;
    findings.push(toClusterFinding(input.session, owner, end, verdict.echoes));
  }
  return findings;
}

function ownerOf({ owners, attributeName, session }: ClusterInput, { pod }: ClusterEnd): Attribution | undefined {
  const owner = ownerOfName(owners, pod) ?? attributeName(pod);
  return owner?.playId === session.playId ? owner : undefined;
}

/** A play that was cancelled ends its pods itself. */
function isOfSession(session: Session, { atNs }: ClusterEnd): boolean {
  const endNs = session.endedAt === null ? null : toNanos(Date.parse(session.endedAt));
  if (session.status === 'cancelled' && endNs !== null && atNs >= endNs) return false;
  return atNs >= toNanos(Date.parse(session.startedAt)) - START_MARGIN;
}

const isHeld = (until: Nanos, { hold }: ClusterRule, { atNs }: ClusterEnd): boolean =>
  until < atNs + BigInt(hold) * NANOS_PER_SECOND;

/** Ends of pods, but those that their Job has overcome, or may yet: it completed, or another pod of it is at work. */
const standingEnds = ({ state }: ClusterInput): readonly ClusterEnd[] =>
  state.pods.flatMap((pod) => {
    const ends = podEnds(pod);
    if (ends.length === 0) return [];
    const retry = retryOf(pod, state);
    if (retry === 'done') return [];
    return retry === 'open' ? ends.filter(({ fault }) => !CLUSTER_RULES[fault].isSymptom) : ends;
  });

function retryOf(pod: ClusterPod, state: ClusterState): 'none' | 'open' | 'done' {
  const name = jobOf(pod);
  const job = state.jobs.find(({ meta }) => meta.name === name);
  if (name === null || job === undefined) return 'none';
  const outcome = jobOutcome(job);
  if (outcome !== undefined) return outcome.type === 'Complete' ? 'done' : 'none';
  const newest = podsOf(name, state.pods)[0];
  const isAtWork = newest !== undefined && newest !== pod && podEnd(newest) === null;
  return isAtWork ? 'open' : 'none';
}

/** Pods that ended well in Kubernetes' eyes although the agent's stream never closed: the run was cut off. */
const silentEnds = ({ state, agents, since }: ClusterInput): readonly ClusterEnd[] =>
  state.pods.flatMap((pod) => {
    const facts = agents.find((agent) => agent.pod === pod.meta.name);
    const atNs = podEnd(pod);
    if (facts === undefined || facts.result !== null || !CLOSING_CLIS.has(facts.cli ?? '')) return [];
    if (pod.phase !== 'Succeeded' || atNs === null || atNs < since) return [];
    const text = `Pod ${pod.meta.name} Succeeded: its containers ended with exit code 0, and no closing event of ${facts.cli} was read`;
    return [toEnd(pod.meta, 'no-result', { fault: 'no-result', pod: pod.meta.name, atNs, text })];
  });

function toClusterFinding(session: Session, owner: Attribution, end: ClusterEnd, echoes: readonly EntryRef[]): Finding {
  const rule = CLUSTER_RULES[end.fault];
  const { pattern, severity } = rule;
  const isLate = rule.category === 'preflight' && end.isLate === true;
  const anchor = toClusterRef(end);
  const identity = toIdentity(end.identity);
  const moments = [anchor, ...echoes].map(({ ns }) => ns).toSorted((a, b) => (a < b ? -1 : 1));
  return {
    id: sha(`${session.playId}\n${pattern}\n${end.hash}`).slice(0, 32),
    pattern,
    category: isLate ? 'runtime' : rule.category,
    code: isLate ? null : rule.code,
    severity,
    playId: session.playId,
    agent: owner.agent,
    pod: end.pod,
    anchor,
    also: echoes,
    count: 1 + echoes.length,
    firstNs: moments[0] ?? anchor.ns,
    lastNs: moments.at(-1) ?? anchor.ns,
    identity,
    fingerprint: fingerprint(pattern, rule.code, identity),
    summary: toSummary(rule.summary, identity, owner.agent),
    sights: [{ hash: end.hash, at: toEvidenceTime(end.atNs), text: end.text }],
    ties: toTies({
      patterns: [pattern],
      pod: end.pod,
      agent: owner.agent,
      identity,
      texts: [end.text],
      commands: [],
      agents: Object.keys(session.agents).map((name) => name.toLowerCase()),
    }),
  };
}
