import type { Attribution, Coverage, IncidentState, Pod, Session, SessionSummary, Severity } from './types.ts';

export interface Incident {
  readonly id: string;
  /** `owner/name` of the repository whose issue this becomes. */
  readonly repository: string;
  readonly state: IncidentState;
  /** A10 tools, A11 configuration, A12 tool server. */
  readonly code: 'A10' | 'A11' | 'A12' | null;
  readonly category: 'preflight' | 'runtime' | 'lifecycle';
  readonly severity: Severity;
  readonly agent: string | null;
  readonly title: string;
  readonly fingerprint: string;
  readonly issue_url: string | null;
  /** The draft that proposes a fix. */
  readonly pull_request_url: string | null;
  readonly first_seen: string;
  readonly last_updated: string;
}

/** A sentence and the ids of the evidence pieces that it rests on. */
export interface Claim {
  readonly text: string;
  readonly evidence: readonly string[];
}

/** A step that a person can take; `command` can be pasted. */
export interface Step {
  readonly text: string;
  readonly command?: string;
}

export interface Diagnosis {
  readonly source: 'rules' | 'model';
  readonly summary: string;
  readonly cause: readonly Claim[];
  readonly chain: readonly Claim[];
  readonly consequences: readonly Claim[];
  readonly remedy: readonly Step[];
  readonly verify: readonly Step[];
  readonly gaps: readonly string[];
  readonly confidence: 'certain' | 'likely' | 'not provable';
}

export interface Occurrence {
  readonly play_id: string;
  readonly repository: string;
  readonly agent: string | null;
  readonly pod: string;
  readonly first_line_at: string;
  readonly last_line_at: string;
  readonly lines: number;
}

export interface IncidentDetail extends Incident {
  /** Which stage owes the incident work, and since when that is overdue. */
  readonly work: {
    readonly next_stage: 'window' | 'evidence' | 'evaluation' | 'publication' | 'remediation' | null;
    readonly due: string | null;
    readonly attempt: number;
  };
  readonly diagnosis: Diagnosis | null;
  readonly history: readonly { readonly at: string; readonly stage: string; readonly event: string }[];
  readonly occurrence_count: number;
  readonly occurrences: readonly Occurrence[];
  readonly links: {
    readonly issue: string | null;
    readonly pull_request: string | null;
    readonly sessions: readonly string[];
  };
}

/** `request_id` names the request to an operator. */
interface Healer {
  readonly request_id: string;
}

export interface Started {
  readonly status: 'ok';
  readonly session_id: string;
  readonly message: string;
  readonly healer: Healer;
}

interface EndedHealer extends Healer {
  readonly ended_at: string | null;
  readonly ended_by: 'call' | 'expiry' | 'idle' | 'kubernetes' | null;
}

export interface Ended {
  readonly status: 'ok';
  readonly session: Session;
  readonly message: null;
  readonly healer: EndedHealer;
}

export interface SessionDetail {
  readonly status: 'ok';
  readonly session: Session;
  readonly message: null;
  readonly healer: EndedHealer & {
    readonly coverage: Coverage;
    readonly pods: readonly Pod[];
    readonly attribution: Attribution;
    /** What cannot be seen of the agents, and which setting of their CLIs would show it. */
    readonly unseen: readonly string[];
    readonly incidents: readonly (Incident & { readonly occurrences: number })[];
  };
}

export interface SessionPage {
  readonly status: 'ok';
  readonly count: number;
  readonly sessions: readonly SessionSummary[];
  readonly next_cursor: string | null;
  readonly healer: Healer;
}

export interface IncidentPage {
  readonly status: 'ok';
  readonly count: number;
  readonly incidents: readonly Incident[];
  readonly next_cursor: string | null;
  readonly healer: Healer;
}

export interface IncidentAnswer {
  readonly status: 'ok';
  readonly incident: IncidentDetail;
  readonly healer: Healer;
}
