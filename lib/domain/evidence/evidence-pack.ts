import type { Finding } from '../detection/finding.ts';

/** Kind of a piece, which is also the letter of its id: `L12` log, `K3` Kubernetes, `G2` GitHub, `C1` configuration. */
export type EvidenceKind = 'log' | 'kubernetes' | 'github' | 'config';

/** One citable piece of evidence. `text` is redacted, ANSI-free and one line, whatever it was. */
export interface EvidencePiece {
  readonly id: string;
  readonly kind: EvidenceKind;
  readonly text: string;
  /** RFC 3339 UTC with nanoseconds where the source has them; null for what has no moment (configuration). */
  readonly at: string | null;
  readonly agent: string | null;
  readonly pod: string | null;
  /** `hit`: an entry of the finding; `context`: around it, or of another agent; `declared`: configuration. */
  readonly role: 'hit' | 'context' | 'declared';
  /** Id of the other failure that this piece shows: a consequence of the finding, or its cause. */
  readonly of?: string;
}

/** All that is known of one incident's latest occurrence, redacted; stored gzipped, at most 64 KB. */
export interface EvidencePack {
  readonly incidentId: string;
  readonly playId: string;
  /** Repository of the play, as `owner/name`. */
  readonly repository: string;
  readonly namespace: string;
  readonly finding: Finding;
  readonly pieces: readonly EvidencePiece[];
  /** Failures of other pods that follow from the finding, oldest first; pieces name them by `of`. */
  readonly consequences?: readonly Finding[];
  /** What could not be seen, each a sentence: a source that did not answer, lines left out for size. */
  readonly gaps: readonly string[];
  /** Number of findings of this incident so far, and the plays that showed it (newest first, at most 20). */
  readonly occurrences: { readonly count: number; readonly plays: readonly string[] };
  /** RFC 3339 UTC. */
  readonly gatheredAt: string;
}
