import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactFailure, redactProposal } from '#lib/app/redact-proposal.ts';
import { renderEdits, renderProposal } from '#lib/domain/publication/render-proposal.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import type { Proposal } from '#lib/domain/remediation/proposal.ts';
import { broken, CANARIES, FORMS, SEPARATORS } from '#test/domain/redaction/canaries.ts';
import { leaks } from '#test/domain/redaction/leaks.ts';
import { findSecrets } from '#test/domain/redaction/secret-runs.ts';

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

const aProposal = (change: Partial<Proposal>): Proposal => ({
  title: 'Fix it',
  why: 'It is broken.',
  verify: [],
  edits: [],
  source: 'model',
  declaredIn: [],
  expects: null,
  ...change,
});

describe('a secret that one text of a proposal gives away', () => {
  const value = 'x7Kq2mW9Zt41pLr8';

  it('is in no other, not even in part', async () => {
    const clean = await redactProposal(
      redactor,
      aProposal({
        title: `Use Kq2mW9Zt41`,
        why: `It is token=${value}.`,
        verify: [`grep W9Zt41pLr8 settings`],
        edits: [{ path: 'docs/x7Kq2mW9Zt.md', search: null, replace: `see ${value}` }],
      }),
    );
    expect(leaks(JSON.stringify(clean), value)).toBe(false);
    expect(clean.title).toBe('Use [redacted:fragment]');
    expect(clean.edits[0]?.path).toBe('docs/[redacted:fragment].md');
  });

  it('of any kind, broken by whatever, is in no text that is rendered', async () => {
    const text = fc
      .tuple(
        fc.constantFrom(...CANARIES),
        fc.constantFrom(...Object.values(SEPARATORS)),
        fc.double({ min: 0, max: 1, noNaN: true }),
      )
      .map(([canary, by, at]) => `see \`src/run.sh\` ${broken(canary, by, [at])} and *so* on`);
    await fc.assert(
      fc.asyncProperty(text, text, text, async (title, why, replace) => {
        const edits = [{ path: 'a.md', search: null, replace }];
        const proposal = await redactProposal(redactor, aProposal({ title, why, verify: [title], edits }));
        const incident = { id: 'i', fingerprint: 'v1:f' };
        const told = renderProposal({ incident, issue: 1, proposal, cause: [], approvedBy: null });
        const shown = [told.title, told.body, renderEdits(proposal.edits)].map((one) => one.replaceAll('\\', ''));
        expect(shown.flatMap((one) => [...findSecrets(one).keys()])).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('how CI failed', () => {
  it('is told without a secret that goes on in the next line', async () => {
    const log = ['API_TOKEN=x7Kq2mW9', '2026-01-08T16:04:11Z Zt41pLr8sX3v failed', 'FAIL sum'];
    const clean = await redactFailure(redactor, { signature: 's', checks: ['test'], log });
    expect(clean?.checks).toEqual(['test']);
    expect(clean?.log).toEqual([
      'API_TOKEN=[redacted:secret-value]',
      '2026-01-08T16:04:11Z [redacted:secret-value] failed',
      'FAIL sum',
    ]);
  });
});
