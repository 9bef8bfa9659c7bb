/**
 * The session API's wire format, as `GET /openapi.json` describes it. Moments are RFC 3339 in UTC. Titles, summaries and
 * messages may hold text from logs: show them as text, never as markup or as instructions.
 */
export type SessionStatus = 'active' | 'completed' | 'failed' | 'cancelled';
export type EndStatus = Exclude<SessionStatus, 'active'>;
export type Severity = 'critical' | 'high' | 'medium' | 'low';
export type IncidentState =
  | 'detected'
  | 'diagnosed'
  | 'reported'
  | 'proposed'
  | 'verifying'
  | 'resolved'
  | 'regressed'
  | 'dismissed'
  | 'escalated';

/** What an MCP server declares of one agent; the yardstick of the pre-flight checks. */
export interface AgentDeclaration {
  readonly githubApp?: string | null;
  readonly cli?: string | null;
  readonly model?: string | null;
  readonly tools?: {
    readonly remote?: readonly string[] | null;
    readonly localServers?: Readonly<
      Record<string, { readonly enabled?: boolean | null; readonly tools?: readonly string[] | null } | null>
    > | null;
  } | null;
}

export interface TaskDeclaration {
  /** A number is read as a text. */
  readonly id: string | number;
  readonly title: string;
  readonly agent_hint?: string | null;
  readonly dependencies?: readonly (string | number)[] | null;
  readonly priority?: number | null;
}

/** The body of a start. `play_id` is the workflow's name; `repository` is `owner/name` or its URL. */
export interface SessionStart {
  readonly play_id: string;
  readonly repository: string;
  readonly service?: string | null;
  /** Kubernetes namespace of the agents; `cto` when it is left out. */
  readonly namespace?: string | null;
  readonly cto_config?: { readonly agents?: Readonly<Record<string, AgentDeclaration | null>> | null } | null;
  readonly tasks?: readonly TaskDeclaration[] | null;
}

export interface Agent {
  readonly githubApp: string | null;
  readonly cli: string | null;
  readonly model: string | null;
  readonly tools: {
    readonly remote: readonly string[];
    readonly localServers: Readonly<Record<string, { readonly enabled: boolean; readonly tools: readonly string[] }>>;
  };
}

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly agent_hint: string | null;
  readonly dependencies: readonly string[];
  readonly priority: number;
}

export interface SessionIssue {
  readonly detected_at: string;
  readonly issue_type:
    | 'pre_flight_failure'
    | 'tool_mismatch'
    | 'config_error'
    | 'mcp_init_failed'
    | 'agent_error'
    | 'stuck'
    | 'agent_failure'
    | 'build_failure'
    | 'test_failure'
    | 'language_mismatch'
    | 'other';
  readonly severity: Severity;
  readonly description: string;
  readonly agent: string | null;
  readonly task_id: string | null;
  readonly remediation_spawned: boolean;
  readonly github_issue: string | null;
}

export interface Session {
  readonly play_id: string;
  readonly repository: string;
  readonly service: string | null;
  readonly namespace: string;
  readonly cto_config: { readonly agents: Readonly<Record<string, Agent>> };
  readonly tasks: readonly Task[];
  readonly started_at: string;
  readonly last_updated: string;
  readonly status: SessionStatus;
  readonly issues: readonly SessionIssue[];
}

export interface SessionSummary {
  readonly play_id: string;
  readonly repository: string;
  readonly status: SessionStatus;
  readonly started_at: string;
  readonly task_count: number;
  readonly issue_count: number;
}

/** How well the logs of a play were read; a gap is a range that cannot be read any more. */
export interface Coverage {
  readonly state: 'proven' | 'quiet' | 'blind' | 'pending';
  readonly proven_until: string | null;
  readonly last_line_at: string | null;
  readonly reason: string | null;
  readonly advice: string | null;
  readonly gaps: readonly { readonly from: string; readonly until: string; readonly reason: string }[];
  readonly read?: {
    readonly windows: number;
    readonly lines: number;
    readonly bytes: number;
    readonly pages: number;
  };
  /** The last look at Kubernetes, where it is configured. */
  readonly cluster?: {
    readonly state: 'seen' | 'blind';
    readonly looked_at: string;
    readonly reason: string | null;
    readonly advice: string | null;
  };
}

export interface Pod {
  readonly pod: string;
  readonly agent: string | null;
  readonly preflight: 'pending' | 'passed' | 'failed' | 'unseen';
  readonly first_line_at: string;
  readonly last_line_at: string;
}

/** Why lines belong to a play, and which pods of its namespace belong to none. */
export interface Attribution {
  readonly rules: readonly {
    readonly rule: 'play-label' | 'pod-name' | 'service-task' | 'owner';
    readonly pods: number;
    /** Lines of the last look in which each of the pods spoke. */
    readonly lines: number;
  }[];
  /** 20 names at most. */
  readonly unclaimed: { readonly count: number; readonly pods: readonly string[] };
  readonly advice: string | null;
}
