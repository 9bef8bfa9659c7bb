import type { AgentFacts, ServerState } from './detection.ts';
import type { PlacedFact, Timeline } from './timeline.ts';

function serversOf(facts: readonly PlacedFact[]): Readonly<Record<string, ServerState>> | null {
  const servers: Record<string, ServerState> = {};
  for (const { fact } of facts) {
    if (fact.kind === 'start') Object.assign(servers, fact.servers);
    if (fact.kind === 'server') servers[fact.name] = fact.state;
  }
  return Object.keys(servers).length === 0 ? null : servers;
}

/** What each pod that spoke has told of itself. */
export function toAgentFacts(timeline: Timeline): AgentFacts[] {
  return [...timeline.lastByPod].map(([pod, last]) => {
    const facts = timeline.factsByPod.get(pod) ?? [];
    const tools = facts.findLast(({ fact }) => fact.kind === 'start' && fact.tools !== null)?.fact;
    const result = facts.findLast(({ fact }) => fact.kind === 'result' && !fact.isEmpty)?.fact;
    return {
      agent: last.owner.agent,
      pod,
      cli: timeline.cliByPod.get(pod) ?? null,
      startNs: timeline.podStarts.get(pod) ?? last.ns,
      lastNs: last.ns,
      tools: tools?.kind === 'start' ? tools.tools : null,
      servers: serversOf(facts),
      result: result?.kind === 'result' ? (result.ok ? 'ok' : 'error') : null,
    };
  });
}
