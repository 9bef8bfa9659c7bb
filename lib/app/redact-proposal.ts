import { type Redactor, withMemory } from '#lib/domain/redaction/redactor.ts';
import { createSecretMemory } from '#lib/domain/redaction/secret-memory.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import type { CiFailure } from '#lib/domain/remediation/remediation.ts';

/** The texts of a proposal that people read. */
type Words = Pick<Proposal, 'title' | 'why' | 'verify' | 'edits'>;

/**
 * The proposal as people may read it. It is redacted before it is rendered, since escapes, prefixes of lines and words in
 * the place of signs take the tell-tale of a secret apart; the last gate, after the rendering, stays. What one text gives
 * away is taken out of all of them, also in part.
 */
export async function redactProposal(redactor: Redactor, proposal: Proposal): Promise<Proposal> {
  const memory = createSecretMemory();
  const one = withMemory(redactor, memory);
  const clean = await redactWords(one, proposal);
  return { ...proposal, ...(memory.isEmpty() ? clean : await redactWords(one, clean)) };
}

async function redactWords(redactor: Redactor, { title, why, verify, edits }: Words): Promise<Words> {
  const redact = (text: string): Promise<string> => redactor.redact(text);
  return {
    title: await redact(title),
    why: await redact(why),
    verify: await Promise.all(verify.map(redact)),
    edits: await Promise.all(
      edits.map(async ({ path, search, replace }) => ({
        path: await redact(path),
        search: search === null ? null : await redact(search),
        replace: await redact(replace),
      })),
    ),
  };
}

/** How CI failed, as people may read it: what is stored is hostile, whoever redacted it before. */
export async function redactFailure(redactor: Redactor, failure: CiFailure | null): Promise<CiFailure | null> {
  if (failure === null) return null;
  const clean = await redactor.redactLines([...failure.checks, ...failure.log]);
  const count = failure.checks.length;
  return { ...failure, checks: clean.slice(0, count), log: clean.slice(count) };
}
