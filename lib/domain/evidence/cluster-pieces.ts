import { describeEvent, describeJob, describePod, describeRun } from '../cluster/describe.ts';
import { type ClusterEvent, type ClusterState, eventMoment } from '../cluster/objects.ts';
import type { Attribution } from '../detection/attribution.ts';
import type { Finding } from '../detection/finding.ts';
import { podMoment } from '../detection/kubernetes/ends.ts';
import { eventEnds, jobEnds, jobOutcome, runEnds } from '../detection/kubernetes/owner-ends.ts';
import { type ClusterOwners, ownerOfName } from '../detection/kubernetes/owners.ts';
import { podEnds } from '../detection/kubernetes/pod-ends.ts';
import { NANOS_PER_SECOND, type Nanos } from '../time.ts';
import type { OtherPiece } from './build-pack.ts';
import { toEvidenceTime } from './evidence-time.ts';

/** What the pieces are chosen by. */
export interface ClusterEvidence {
  readonly state: ClusterState;
  readonly owners: ClusterOwners;
  readonly playId: string;
  readonly finding: Finding;
  readonly consequences: readonly Finding[];
}

/** Events around the failure; they are few and vanish within an hour. */
const EVENTS_BEFORE: Nanos = 900n * NANOS_PER_SECOND;
const EVENTS_AFTER: Nanos = 300n * NANOS_PER_SECOND;
const MAX_PIECES = 60;

interface Candidate {
  readonly hash: string | null;
  readonly pod: string;
  readonly atNs: Nanos | null;
  readonly text: string;
  /** 0 is nearest; those of other pods stand further away. */
  readonly rank: number;
}

/**
 * What the cluster tells of the play around the finding, unredacted, in order of time: bad ends and what keeps pods from
 * running, the state of the finding's own pod, Jobs and CodeRuns, and Warning events (of the finding's own pod all events).
 * Objects that show the finding itself are hits; those that have vanished since are told as they were seen.
 */
export function toClusterPieces(evidence: ClusterEvidence): readonly OtherPiece[] {
  const { finding } = evidence;
  const candidates = [...toEnds(evidence), ...toObjects(evidence), ...toEvents(evidence)];
  const nearest = unique(candidates)
    .toSorted((a, b) => distanceOf(a, finding) - distanceOf(b, finding))
    .slice(0, MAX_PIECES);
  const pieces = nearest.map((candidate) => toPiece(candidate, evidence));
  return [...pieces, ...vanished(finding, candidates, ownersAgent(evidence, finding.pod))].toSorted(byTime);
}

/** What was seen when the finding was made, where the cluster could not be asked again. */
export const toSightPieces = (finding: Finding): readonly OtherPiece[] => vanished(finding, [], finding.agent);

const byTime = (a: OtherPiece, b: OtherPiece): number => ((a.at ?? '') < (b.at ?? '') ? -1 : 1);

/** Two sights of one thing are told once. */
const unique = (candidates: readonly Candidate[]): readonly Candidate[] =>
  [...new Map(candidates.toReversed().map((candidate) => [candidate.text, candidate])).values()].toReversed();

function toEnds({ state, owners, playId }: ClusterEvidence): readonly Candidate[] {
  const ends = [...state.pods.flatMap(podEnds), ...jobEnds(state), ...runEnds(state), ...eventEnds(state)];
  const isOwn = (name: string): boolean => ownerOfName(owners, name)?.playId === playId;
  return ends.filter(({ pod }) => isOwn(pod)).map(({ hash, pod, atNs, text }) => ({ hash, pod, atNs, text, rank: 0 }));
}

const ownersAgent = ({ owners }: ClusterEvidence, pod: string): string | null =>
  ownerOfName(owners, pod)?.agent ?? null;

function toObjects({ state, owners, playId, finding }: ClusterEvidence): readonly Candidate[] {
  const isOwn = (map: ReadonlyMap<string, Attribution>, name: string) => map.get(name)?.playId === playId;
  const pods = state.pods
    .filter(({ meta }) => isOwn(owners.pods, meta.name) && meta.name === finding.pod)
    .map((pod) => ({ hash: null, pod: pod.meta.name, atNs: podMoment(pod), text: describePod(pod), rank: 2 }));
  const runs = state.runs
    .filter(({ meta }) => isOwn(owners.runs, meta.name))
    .map((run) => {
      const pod = owners.runs.get(run.meta.name)?.pod ?? run.meta.name;
      return { hash: null, pod, atNs: run.finishedNs ?? run.meta.createdNs, text: describeRun(run), rank: 3 };
    });
  const jobs = state.jobs
    .filter(({ meta }) => isOwn(owners.jobs, meta.name))
    .map((job) => {
      const atNs = jobOutcome(job)?.atNs ?? job.meta.createdNs;
      return { hash: null, pod: job.meta.name, atNs, text: describeJob(job), rank: 4 };
    });
  return [...pods, ...runs, ...jobs];
}

function toEvents(evidence: ClusterEvidence): readonly Candidate[] {
  const { state, owners, playId, finding } = evidence;
  const isNear = (event: ClusterEvent): boolean => {
    const at = eventMoment(event);
    return at !== null && at >= finding.firstNs - EVENTS_BEFORE && at <= finding.lastNs + EVENTS_AFTER;
  };
  return state.events
    .filter(({ type, object }) => type === 'Warning' || object.name === finding.pod)
    .filter((event) => isNear(event) && isOfPlay(event, owners, playId, finding))
    .map((event) => ({
      hash: null,
      pod: event.object.name,
      atNs: eventMoment(event),
      text: describeEvent(event),
      rank: event.type === 'Warning' ? 1 : 5,
    }));
}

const isOfPlay = ({ object }: ClusterEvent, owners: ClusterOwners, playId: string, finding: Finding): boolean =>
  object.name === finding.pod || ownerOfName(owners, object.name)?.playId === playId;

const refsOf = ({ anchor, also }: Finding): readonly string[] => [anchor, ...also].map(({ hash }) => hash);

const isHit = ({ hash }: Candidate, finding: Finding): boolean => hash !== null && refsOf(finding).includes(hash);

/** In the measure of lines: what is of the finding's own pod is as near as its next lines. */
function distanceOf(candidate: Candidate, finding: Finding): number {
  if (isHit(candidate, finding)) return 0;
  const isOwn = candidate.pod === finding.pod || finding.pod.startsWith(`${candidate.pod}-`);
  return 1 + candidate.rank + (isOwn ? 0 : 6);
}

function toPiece(candidate: Candidate, evidence: ClusterEvidence): OtherPiece {
  const { finding, consequences } = evidence;
  const { hash, pod, atNs, text } = candidate;
  const { cause } = finding;
  const isCause = cause !== undefined && hash !== null && pod === cause.pod && atNs === cause.ns;
  const other = isCause ? cause.findingId : consequences.find((one) => hash !== null && refsOf(one).includes(hash))?.id;
  return {
    kind: 'kubernetes',
    role: isHit(candidate, finding) ? 'hit' : 'context',
    at: atNs === null ? null : toEvidenceTime(atNs),
    agent: ownersAgent(evidence, pod),
    pod,
    text,
    distance: distanceOf(candidate, finding),
    ...(other !== undefined && { of: other }),
  };
}

function vanished(finding: Finding, shown: readonly Candidate[], agent: string | null): readonly OtherPiece[] {
  const known = new Set(shown.map(({ hash }) => hash));
  return (finding.sights ?? [])
    .filter(({ hash }) => !known.has(hash))
    .map(({ at, text }) => ({
      kind: 'kubernetes',
      role: 'hit',
      at,
      agent: agent ?? finding.agent,
      pod: finding.pod,
      text,
      distance: 0,
    }));
}
