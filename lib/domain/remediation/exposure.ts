import { declaredTools } from '../detection/checks/declaration.ts';
import { offersRemote } from '../detection/checks/tool-names.ts';
import type { AgentFacts } from '../detection/detection.ts';
import type { Finding } from '../detection/finding.ts';
import { toToken } from '../detection/fingerprint.ts';
import type { IncidentSummary } from '../incident/incident.ts';
import type { Session } from '../session/session.ts';
import type { Millis } from '../time.ts';
import type { Remediation } from './remediation.ts';

/** A session, started after the merge, in which the agent passed the point at which it failed before. */
export interface Exposure {
  readonly incidentId: string;
  readonly playId: string;
  readonly agent: string | null;
  readonly at: Millis;
  /** What was seen, one sentence. */
  readonly proof: string;
}

/** One session as a look at its logs showed it. */
export interface Look {
  readonly session: Session;
  /** `owner/name` of the session's repository. */
  readonly repository: string;
  readonly agents: readonly AgentFacts[];
  readonly findings: readonly Finding[];
  readonly at: Millis;
}

/**
 * The exposure that a look shows for an incident in `verifying` (section 9 of the design): for A10 and A12 the start event
 * offers the tool or shows the server connected, for A11 and lifecycle it comes without the finding, for runtime the
 * closing event says no error. Undefined when the session is another repository's, began before the merge, or shows the
 * finding itself.
 */
export function findExposure(incident: IncidentSummary, remediation: Remediation, look: Look): Exposure | undefined {
  const { session, repository, findings } = look;
  const isOfRepository = repository === remediation.repository || repository === incident.target.toLowerCase();
  const isAfter = remediation.mergedAt !== null && Date.parse(session.startedAt) > remediation.mergedAt;
  const failsAgain = findings.some(({ fingerprint }) => fingerprint === incident.fingerprint);
  if (!isOfRepository || !isAfter || failsAgain) return undefined;
  for (const facts of look.agents) {
    if (incident.agent !== null && facts.agent?.toLowerCase() !== incident.agent.toLowerCase()) continue;
    const proof = toProof(incident, remediation, facts, session);
    if (proof === undefined) continue;
    return { incidentId: incident.id, playId: session.playId, agent: facts.agent, at: look.at, proof };
  }
  return undefined;
}

type Point = Pick<Remediation, 'identity' | 'expects'>;

function toProof(incident: IncidentSummary, point: Point, facts: AgentFacts, session: Session): string | undefined {
  if (incident.code === 'A10') return offersTool(point, facts, session);
  if (incident.code === 'A12') return showsServer(point, facts);
  if (incident.code === 'A11' || incident.category === 'lifecycle') {
    const hasStarted = facts.tools !== null || facts.servers !== null || facts.cli !== null;
    return hasStarted ? 'its start event came without the failure' : undefined;
  }
  return facts.result === 'ok' ? 'its closing event says no error' : undefined;
}

/** The corrected tool, else the tools that were missing and are declared still, else all that are declared. */
function offersTool({ identity, expects }: Point, facts: AgentFacts, session: Session): string | undefined {
  if (facts.tools === null) return undefined;
  const declared = declaredTools(session, facts.agent) ?? [];
  const named = (identity['tool'] ?? '').split(/[\s,]+/).filter(Boolean);
  const missed = declared.filter((tool) => named.includes(toToken(tool)));
  const wanted = expects === null ? (missed.length > 0 ? missed : declared) : [expects.tool];
  const offered = new Set(facts.tools);
  const servers = facts.servers === null ? null : Object.keys(facts.servers);
  if (wanted.length === 0 || !wanted.every((tool) => offersRemote(offered, servers, tool))) return undefined;
  return `its start event offers \`${wanted.slice(0, 3).join(', ')}\``;
}

function showsServer({ identity }: Point, facts: AgentFacts): string | undefined {
  if (facts.servers === null) return undefined;
  const name = (identity['server'] ?? '').toLowerCase();
  const states = Object.entries(facts.servers);
  const own = states.find(([server]) => toToken(server) === name);
  if (own !== undefined)
    return own[1] === 'connected' ? `its start event shows the server \`${own[0]}\` connected` : undefined;
  const allWork = name === '' && states.length > 0 && states.every(([, state]) => state === 'connected');
  return allWork ? 'its start event shows all servers connected' : undefined;
}
