import type { AgentConfig, SessionDeclaration } from '../../session/session.ts';

/** What the session declares for an agent (any case); null without a session or for an agent that it does not name. */
export function configOf(session: SessionDeclaration | null, agent: string | null): AgentConfig | null {
  if (session === null || agent === null) return null;
  const name = Object.keys(session.agents).find((key) => key.toLowerCase() === agent.toLowerCase());
  return name === undefined ? null : (session.agents[name] ?? null);
}

/** Tools declared for an agent: remote ones and those of enabled local servers; null when nothing is declared. */
export function declaredTools(session: SessionDeclaration | null, agent: string | null): readonly string[] | null {
  const config = configOf(session, agent);
  if (config === null) return null;
  const local = Object.values(config.tools.localServers).filter((server) => server.enabled);
  return [...config.tools.remote, ...local.flatMap((server) => server.tools)];
}
