import type { AttributionRule } from '#lib/domain/detection/attribution.ts';
import type { Millis, Nanos, Window } from '#lib/domain/time.ts';
import type { ClusterSight } from './cluster.ts';
import type { LogGap } from './logs.ts';

/** Position in one (source, namespace). `until` moves only over proven ranges. */
export interface Cursor {
  readonly source: string;
  readonly namespace: string;
  readonly until: Nanos;
  /** Plays whose logs have been read from their own start; another one makes the next read begin earlier. */
  readonly plays: readonly string[];
  /** When a read last proved anything, and why the last read failed, if it did. */
  readonly provenAt: Millis | null;
  readonly failure: { readonly at: Millis; readonly reason: string; readonly advice: string } | null;
  readonly lease: { readonly owner: string; readonly until: Millis } | null;
  /** Grows by one with each write; 0 until the first. */
  readonly version: number;
  /** When each of the plays spoke last, to the second; a play that has not spoken yet is missing. */
  readonly heard?: Readonly<Record<string, Millis>>;
  /** When the looks that follow a new play or pod were asked for last. */
  readonly looksAskedAt?: Millis | null;
  /** Null or absent where no cluster is configured, or none was looked at yet. */
  readonly cluster?: ClusterSight | null;
  /** The last read found no stream at all, although sessions had run for long enough: the selector looks elsewhere. */
  readonly isAstray?: boolean;
}

/** What one read of a window covered. */
export interface Coverage {
  readonly source: string;
  readonly namespace: string;
  readonly window: Window;
  readonly lines: number;
  readonly bytes: number;
  readonly pages: number;
  readonly gaps: readonly LogGap[];
  /** False when the selector matched no stream at all. */
  readonly hasStreams: boolean;
  /** Pods of the namespace that spoke and that no session claims; at most 20 names. */
  readonly unclaimed?: UnclaimedPods;
}

export interface UnclaimedPods {
  readonly count: number;
  readonly pods: readonly string[];
}

/** A pod that has spoken, and what its agent's own start event told. */
export interface SeenPod {
  readonly pod: string;
  readonly playId: string;
  readonly agent: string | null;
  readonly firstNs: Nanos;
  readonly lastNs: Nanos;
  /** `failed` once a finding with a code stands; `passed` once a start event offered all that was declared. */
  readonly preflight: 'pending' | 'passed' | 'failed' | 'unseen';
  /** The rule by which its lines belong to the play; absent in what was stored without one. */
  readonly rule?: AttributionRule;
  /** Lines of the last look in which it spoke, whatever they say. */
  readonly lines?: number;
}

export interface WindowStore {
  cursor(source: string, namespace: string): Promise<Cursor | undefined>;
  /**
   * Takes the lease, creating the cursor at `from` when there is none. `known`: the cursor as it was read just before; should
   * somebody else have moved it since, it is not moved again. Undefined: another holder has the lease.
   */
  claim(claim: {
    source: string;
    namespace: string;
    from: Nanos;
    known?: Cursor | undefined;
    owner: string;
    now: Millis;
    until: Millis;
  }): Promise<Cursor | undefined>;
  /**
   * Moves the cursor, conditional on the lease, stores the coverage, releases the lease. `due`: when to look again even if
   * nothing asks for it. `cluster`: what the look at the cluster brought. The others as in {@link Cursor}. False: the lease was
   * lost.
   */
  advance(
    cursor: Cursor,
    proven: {
      until: Nanos;
      coverage: Coverage;
      plays: readonly string[];
      at: Millis;
      due: Millis;
      cluster?: ClusterSight | null;
      isAstray?: boolean;
      heard?: Readonly<Record<string, Millis>>;
      looksAskedAt?: Millis | null;
    },
  ): Promise<boolean>;
  /** Notes why nothing could be read, releases the lease; the cursor stays and is due again at `due`. */
  fail(cursor: Cursor, failure: { reason: string; advice: string; at: Millis; due: Millis }): Promise<void>;
  /** Gives the lease back without having read anything. */
  release(cursor: Cursor): Promise<void>;
  /** Nothing is watched any more: the cursor owes no read. Harmless when there is none, or a reader holds it. */
  rest(source: string, namespace: string, now: Millis): Promise<void>;
  /** Cursors whose `due` has passed, oldest first, at most `limit`. */
  overdue(now: Millis, limit: number): Promise<readonly { source: string; namespace: string }[]>;
  /** Coverage that overlaps the window, oldest first. */
  coverage(source: string, namespace: string, window: Window): Promise<readonly Coverage[]>;
  /** Pods of one play that have spoken. */
  pods(source: string, namespace: string, playId: string): Promise<readonly SeenPod[]>;
  savePods(source: string, namespace: string, pods: readonly SeenPod[], at: Millis): Promise<void>;
}
