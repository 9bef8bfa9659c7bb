import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { freshIncident, incidentId } from '#lib/domain/incident/identity.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';

describe('incidentId', () => {
  it('is one per target and fingerprint, in whatever case the repository is written', () => {
    const id = incidentId('acme/widgets', 'v1:a');
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(incidentId('Acme/Widgets', 'v1:a')).toBe(id);
    expect(incidentId('acme/widgets', 'v1:b')).not.toBe(id);
    expect(incidentId('acme/platform', 'v1:a')).not.toBe(id);
    expect(incidentId('a', 'b,c')).not.toBe(incidentId('a,b', 'c'));
  });

  it.each([
    ['', 'v1:a'],
    ['acme/widgets', ''],
  ])('refuses an empty part: %j, %j', (target, fingerprint) => {
    expect(() => incidentId(target, fingerprint)).toThrow(GuardError);
  });
});

describe('freshIncident', () => {
  it('owes evidence at once', () => {
    const finding = aFinding();
    expect(freshIncident(finding, 'acme/platform', 5_000)).toMatchObject({
      id: incidentId('acme/platform', finding.fingerprint),
      target: 'acme/platform',
      state: 'detected',
      next: 'evidence',
      due: 5_000,
      title: finding.summary,
      code: 'A10',
      issue: null,
      lease: null,
      firstSeen: 5_000,
    });
  });

  it('keeps the head small: one line of title, 1 KB in all', () => {
    const finding = aFinding({ summary: `two\nlines ${'x'.repeat(2_000)}` });
    const head = freshIncident(finding, 'acme/platform', 1);
    expect(head.title).not.toContain('\n');
    expect(JSON.stringify(head).length).toBeLessThan(1_024);
  });
});
