import type { SessionDeclaration } from '../session/session.ts';
import type { Nanos } from '../time.ts';
import type { Attribution } from './attribution.ts';
import type { Finding, LogEntry } from './finding.ts';
import type { PatternRegistry } from './patterns/registry.ts';

/** What one detection reads. The same input gives the same output; nothing is kept between calls. */
export interface DetectInput {
  /** Entries of one play, any order; they are sorted by `ns`, equal moments keep the order given. */
  readonly entries: readonly LogEntry[];
  /** What the play declared; null turns the A10/A12 checks off. */
  readonly session: SessionDeclaration | null;
  /** Whose line an entry is; undefined leaves the entry out. {@link attributeEntry} bound to a session fits. */
  readonly attribute: (entry: LogEntry) => Attribution | undefined;
  /** Start of each pod: from it the 60 s of pre-flight count. A pod that is missing starts with its first entry. */
  readonly podStarts: ReadonlyMap<string, Nanos>;
  /** The logs are proven complete up to here (exclusive): what has not recovered by its deadline did not recover. */
  readonly until: Nanos;
  /** What has ended cannot recover any more, so nothing of it is held. */
  readonly ended?: { readonly session?: boolean; readonly pods?: ReadonlySet<string> };
  /** Only findings whose anchor lies at or after it are returned; earlier entries serve as context. */
  readonly emitFrom?: Nanos;
  /** Default: the built-in patterns. */
  readonly registry?: PatternRegistry;
}

/** A failure that may still recover; it becomes a finding when the proven range passes `deadline` without a recovery. */
export interface HeldFinding {
  readonly finding: Finding;
  readonly deadline: Nanos;
}

export type ServerState = 'connected' | 'pending' | 'failed' | 'needs-auth' | 'cancelled' | 'disabled' | 'unknown';

/** What an agent's own event stream has told, for pre-flight verdicts and for saying what cannot be seen. */
export interface AgentFacts {
  readonly agent: string | null;
  readonly pod: string;
  /** Id of the reader that understood the stream: `claude-code`, `codex`, …; null when only plain text was seen. */
  readonly cli: string | null;
  readonly startNs: Nanos;
  readonly lastNs: Nanos;
  /** Tools of the last start event, full names; null when no start event listed any. */
  readonly tools: readonly string[] | null;
  /** MCP servers with their last known state; null when nothing listed them. */
  readonly servers: Readonly<Record<string, ServerState>> | null;
  /** The closing event; null when none was seen (the run goes on, or was killed). */
  readonly result: 'ok' | 'error' | null;
}

export interface Detection {
  readonly findings: readonly Finding[];
  readonly held: readonly HeldFinding[];
  /** One per pod that spoke. */
  readonly agents: readonly AgentFacts[];
}
