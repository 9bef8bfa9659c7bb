import type { EvidencePack } from '../evidence/evidence-pack.ts';
import { digest } from '../model/digest.ts';

/**
 * What came of asking a model about an incident's evidence. `pending`: the issue is told without it first; `proved`: the
 * diagnosis holds what it said; `unproved`: nothing of it was proved by the evidence; `failed`: no usable answer; `over
 * budget`: it was not asked.
 */
export interface Analysis {
  readonly status: 'pending' | 'proved' | 'unproved' | 'failed' | 'over budget';
  readonly model: string;
  readonly promptVersion: string;
  /** {@link evidenceDigest} of what it was asked about. */
  readonly evidence: string;
}

/** Tells whether two packs show the same. */
export const evidenceDigest = ({ finding, pieces, gaps }: EvidencePack): string =>
  digest(JSON.stringify([finding.fingerprint, pieces, gaps])).slice(0, 32);
