import { hashDeclaration } from '#lib/domain/session/declaration.ts';
import type { AgentConfig, Session, SessionDeclaration } from '#lib/domain/session/session.ts';

/** An agent with two remote tools and one local server. */
export const anAgent = (overrides: Partial<AgentConfig> = {}): AgentConfig => ({
  githubApp: 'Acme-Rex',
  cli: 'claude',
  model: 'some-model',
  tools: {
    remote: ['docs_lookup', 'github_create_branch'],
    localServers: { filesystem: { enabled: true, tools: ['read_file', 'write_file'] } },
  },
  ...overrides,
});

/** What a caller declares when a play of one agent and one task starts. */
export const aDeclaration = (overrides: Partial<SessionDeclaration> = {}): SessionDeclaration => ({
  playId: 'play-demo-x7k2q',
  repository: 'acme/widgets',
  service: 'widgets-api',
  namespace: 'cto',
  agents: { rex: anAgent() },
  tasks: [{ id: '7', title: 'Task 7', agentHint: null, dependencies: [], priority: 0 }],
  ...overrides,
});

/** An active session, started on 30 November 2026 at noon. */
export function aSession(overrides: Partial<Session> = {}): Session {
  const declaration = aDeclaration(overrides);
  return {
    ...declaration,
    status: 'active',
    startedAt: '2026-11-30T12:00:00.000Z',
    lastUpdated: '2026-11-30T12:00:00.000Z',
    endedAt: null,
    endedBy: null,
    declarationHash: hashDeclaration(declaration),
    ...overrides,
  };
}
