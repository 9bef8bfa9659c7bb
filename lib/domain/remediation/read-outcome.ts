import * as z from 'zod';
import { GuardError } from '../errors.ts';
import { type Proposal, parseProposal } from './proposal.ts';
import type { RemediationOutcome } from './remediation.ts';

const Failure = z.strictObject({
  signature: z.string().max(200),
  checks: z.array(z.string().max(100)).max(100),
  log: z.array(z.string().max(500)).max(60),
});

const Outcome = z.object({
  kind: z.enum(['proposal', 'refused', 'handover', 'none']),
  proposal: z.unknown().optional(),
  /** Names of guards are Healer's own words. */
  rule: z
    .string()
    .regex(/^[\w -]{1,60}$/)
    .catch('unknown'),
  reason: z.string().max(500).catch('the reason is not legible.'),
  failure: Failure.nullable().catch(null),
});

/** Stands for a proposal that has not the form of one: it is told by nothing that is in it. */
const NOT_LEGIBLE: Proposal = {
  title: 'not legible',
  why: 'It has not the form of a proposal.',
  edits: [],
  verify: [],
  source: 'model',
  declaredIn: [],
  expects: null,
};

/**
 * What `remediate` stored, as the writer may work with it. It is hostile input: whatever has not the form of an outcome or
 * of a proposal is taken for one that a rule refused. Undefined stays undefined: nothing is stored.
 */
export function readOutcome(stored: unknown): RemediationOutcome | undefined {
  if (stored === undefined) return undefined;
  const outcome = Outcome.safeParse(stored);
  if (!outcome.success) return { kind: 'refused', proposal: NOT_LEGIBLE, rule: 'proposal', failure: null };
  const { kind, rule, reason, failure } = outcome.data;
  if (kind === 'handover' || kind === 'none') return { kind, reason, failure };
  const proposal = readProposal(outcome.data.proposal);
  if (proposal === undefined) return { kind: 'refused', proposal: NOT_LEGIBLE, rule: 'proposal', failure };
  return kind === 'proposal' ? { kind, proposal, failure } : { kind, proposal, rule, failure };
}

function readProposal(stored: unknown): Proposal | undefined {
  try {
    return parseProposal(stored);
  } catch (error) {
    if (error instanceof GuardError) return undefined;
    throw error;
  }
}
