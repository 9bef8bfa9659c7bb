import { describe, expect, it } from 'vitest';
import { redactProposal } from '#lib/app/redact-proposal.ts';
import { renderEdits, renderProposal } from '#lib/domain/publication/render-proposal.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { CANARIES, FORMS } from '#test/domain/redaction/canaries.ts';

const redactor = createRedactor();

describe('a proposal that holds secrets', () => {
  it.each(Object.keys(FORMS))('is told without them, %s, whatever the rendering takes apart', async (form) => {
    for (const canary of CANARIES) {
      const { text } = FORMS[form]?.(canary) ?? canary;
      const proposal = await redactProposal(redactor, {
        title: text,
        why: text,
        verify: [text],
        edits: [{ path: 'a.md', search: text, replace: text }],
        source: 'model',
        declaredIn: [],
        expects: null,
      });
      const incident = { id: 'i', fingerprint: 'v1:f' };
      const { title, body } = renderProposal({ incident, issue: 1, proposal, cause: [], approvedBy: null });
      const told = [title, body, renderEdits(proposal.edits)].join('\n').replaceAll(/\\([\\*_[\]|~])/g, '$1');
      if (told.includes(canary.secret)) expect.unreachable(`tells a secret: ${canary.kind}`);
    }
  });
});
