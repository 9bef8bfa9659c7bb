import type { Analysis } from './analysis.ts';

/** A sentence and the ids of the evidence pieces it rests on. A sentence about a fact needs at least one. */
export interface Claim {
  readonly text: string;
  readonly evidence: readonly string[];
}

/** A step that a person can take; `command` can be pasted. */
export interface Step {
  readonly text: string;
  readonly command?: string;
}

/**
 * Why the agent failed and what to do. The deterministic one (`source: 'rules'`) always exists; one of source `model` is the
 * deterministic one with what a model added.
 */
export interface Diagnosis {
  readonly source: 'rules' | 'model';
  /** First paragraph of the issue: what an on-call person needs at 3 a.m. */
  readonly summary: string;
  readonly cause: readonly Claim[];
  /** What led to what, in order of time. */
  readonly chain: readonly Claim[];
  readonly consequences: readonly Claim[];
  readonly remedy: readonly Step[];
  /** How to see that the remedy held. */
  readonly verify: readonly Step[];
  /** What could not be seen. */
  readonly gaps: readonly string[];
  readonly confidence: 'certain' | 'likely' | 'not provable';
  /** Absent where no model is configured. */
  readonly analysis?: Analysis;
}

/** First words of a summary that rests on no evidence. */
export const NOT_PROVABLE = 'The cause is not provable from the evidence at hand.';
