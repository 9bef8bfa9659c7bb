import type { Finding } from '../detection/finding.ts';
import type { Session } from '../session/session.ts';
import type { AttributedEntry } from './choose-lines.ts';
import type { EvidencePack } from './evidence-pack.ts';

/** What was gathered of an incident's latest occurrence, unredacted. */
export interface GatheredEvidence {
  readonly incidentId: string;
  readonly playId: string;
  readonly repository: string;
  readonly namespace: string;
  /** Null when its record is gone. */
  readonly session: Session | null;
  /** False when nothing was ever declared (logs that are only scanned): then nothing of it is missing. */
  readonly hasDeclaration?: boolean;
  readonly finding: Finding;
  /** Entries of the play around the finding, of all agents, in any order. */
  readonly entries: readonly AttributedEntry[];
  /** Failures of other pods that follow from the finding. */
  readonly consequences?: readonly Finding[];
  /** What Kubernetes and GitHub tell, in order of time. */
  readonly others?: readonly OtherPiece[];
  /** What could not be read, each a sentence. */
  readonly gaps: readonly string[];
  readonly occurrences: EvidencePack['occurrences'];
  /** RFC 3339 UTC. */
  readonly gatheredAt: string;
}

/** One thing that a source other than the logs tells, unredacted. */
export interface OtherPiece {
  readonly kind: 'kubernetes' | 'github';
  readonly role: 'hit' | 'context';
  /** RFC 3339 UTC. */
  readonly at: string | null;
  readonly agent: string | null;
  readonly pod: string | null;
  /** Of any length and number of lines. */
  readonly text: string;
  /** How far from the failure: the furthest is dropped first. */
  readonly distance: number;
  /** Id of the other failure that it shows: a consequence of the finding, or its cause. */
  readonly of?: string;
}
