/** Life of a session. Wire values of the original API; `cancelled` is ours to set by the end call. */
export const SESSION_STATUSES = ['active', 'completed', 'failed', 'cancelled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Who ended a session: the end call, its time being over, its pods' silence, or Kubernetes saying that all is done. */
export const ENDERS = ['call', 'expiry', 'idle', 'kubernetes'] as const;
export type Ender = (typeof ENDERS)[number];

/** A tool server that the agent's CLI starts itself. A disabled one is declared but not expected. */
export interface LocalServer {
  readonly enabled: boolean;
  readonly tools: readonly string[];
}

/** What `cto_config.agents.<name>` declares: the yardstick of the A10 and A12 checks. */
export interface AgentConfig {
  readonly githubApp: string | null;
  readonly cli: string | null;
  readonly model: string | null;
  readonly tools: { readonly remote: readonly string[]; readonly localServers: Readonly<Record<string, LocalServer>> };
}

/** A unit of the play's work. */
export interface TaskInfo {
  readonly id: string;
  readonly title: string;
  readonly agentHint: string | null;
  readonly dependencies: readonly string[];
  readonly priority: number;
}

/** What the caller says when a play starts; all that {@link Session} adds is ours. */
export interface SessionDeclaration {
  readonly playId: string;
  /** As the caller wrote it: `owner/name` or a URL; `toRepositoryName` gives the canonical form. */
  readonly repository: string;
  readonly service: string | null;
  readonly namespace: string;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly tasks: readonly TaskInfo[];
}

/** Healer's record of one play. Moments are RFC 3339 UTC. */
export interface Session extends SessionDeclaration {
  readonly status: SessionStatus;
  readonly startedAt: string;
  readonly lastUpdated: string;
  readonly endedAt: string | null;
  /** Null while it is active. */
  readonly endedBy: Ender | null;
  /** Hash of the canonical declaration: equal starts are recognised by it. */
  readonly declarationHash: string;
}

/** What the list indexes project: never the configuration. */
export interface SessionSummary {
  readonly playId: string;
  readonly repository: string;
  readonly namespace: string;
  readonly status: SessionStatus;
  readonly taskCount: number;
  readonly startedAt: string;
  readonly lastUpdated: string;
}
