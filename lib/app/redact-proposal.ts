import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';

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
