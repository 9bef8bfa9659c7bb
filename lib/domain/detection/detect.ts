import { toAgentFacts } from './agent-facts.ts';
import { checkAskedBack } from './checks/check-asked-back.ts';
import { checkClosing } from './checks/check-closing.ts';
import { checkDeclared } from './checks/check-declared.ts';
import { checkInstructions } from './checks/check-instructions.ts';
import type { DetectInput, Detection, HeldFinding } from './detection.ts';
import type { Finding } from './finding.ts';
import { foldHits } from './fold.ts';
import { findHits } from './hits.ts';
import { builtInPatterns } from './patterns/registry.ts';
import { type Failure, settle } from './settle.ts';
import { type Timeline, toTimeline } from './timeline.ts';
import { toFinding } from './to-finding.ts';
import { agentInName } from './workload.ts';

/**
 * Finds what failed in the logs of one play. Pure: equal input gives equal output, and holds are recomputed from the
 * entries given. So that a hold of an earlier call is seen again, `emitFrom` should lie {@link MAX_HOLD_SECONDS} before
 * the range that is read for the first time; ids make the repetition harmless.
 */
export function detect(input: DetectInput): Detection {
  const timeline = toTimeline(input);
  const registry = input.registry ?? builtInPatterns();
  const hits = [
    ...findHits(timeline, registry, input.session),
    ...checkDeclared(timeline, input.session),
    ...checkInstructions(timeline, input.session),
    ...checkAskedBack(timeline),
    ...checkClosing(timeline, input.ended?.pods ?? new Set()),
  ];
  const failures = foldHits(hits.toSorted((a, b) => a.message.order - b.message.order));
  const agents = agentNames(input, timeline, failures);
  const findings: Finding[] = [];
  const held: HeldFinding[] = [];
  for (const failure of failures) {
    const hasEnded = input.ended?.session === true || input.ended?.pods?.has(failure.pod) === true;
    const outcome = settle(failure, timeline, input.until, hasEnded);
    const finding = outcome.kind === 'recovered' ? undefined : toFinding(failure, timeline, agents);
    if (finding === undefined || (input.emitFrom !== undefined && finding.anchor.ns < input.emitFrom)) continue;
    if (outcome.kind === 'held') held.push({ finding, deadline: outcome.deadline });
    else findings.push(finding);
  }
  return { findings, held, agents: toAgentFacts(timeline) };
}

/** Agents that the play declares, that spoke, or of which Kubernetes told a failure; lower case. */
function agentNames({ session }: DetectInput, timeline: Timeline, failures: readonly Failure[]): readonly string[] {
  const spoke = [...timeline.lastByPod].map(([pod, { owner }]) => owner.agent ?? agentInName(pod));
  const failed = failures.map(({ pod }) => timeline.lastByPod.get(pod)?.owner.agent ?? agentInName(pod));
  const names = [...Object.keys(session?.agents ?? {}), ...spoke, ...failed];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** The longest time that a pattern may wait for a recovery. */
export const MAX_HOLD_SECONDS = 180;
