import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import type { CiFailure } from '#lib/domain/remediation/remediation.ts';

/**
 * The proposal as people may read it. It is redacted before it is rendered, since escapes, prefixes of lines and words in
 * the place of signs take the tell-tale of a secret apart; the last gate, after the rendering, stays.
 */
export async function redactProposal(redactor: Redactor, proposal: Proposal): Promise<Proposal> {
  const clean = (text: string): Promise<string> => redactor.redact(text);
  const [title, why, verify, edits] = await Promise.all([
    clean(proposal.title),
    clean(proposal.why),
    Promise.all(proposal.verify.map(clean)),
    Promise.all(
      proposal.edits.map(async ({ path, search, replace }) => ({
        path: await clean(path),
        search: search === null ? null : await clean(search),
        replace: await clean(replace),
      })),
    ),
  ]);
  return { ...proposal, title, why, verify, edits };
}

/** How CI failed, as people may read it: what is stored is hostile, whoever redacted it before. */
export async function redactFailure(redactor: Redactor, failure: CiFailure | null): Promise<CiFailure | null> {
  if (failure === null) return null;
  const [checks, log] = await Promise.all([redactor.redactLines(failure.checks), redactor.redactLines(failure.log)]);
  return { ...failure, checks, log };
}
