import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderNotification } from '#lib/domain/publication/render-notification.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';

const URL = 'https://github.com/acme/platform/issues/7';

describe('renderNotification', () => {
  it('tells what failed, what it means and the first steps', () => {
    const message = renderNotification(anIncident({ severity: 'critical' }), aDiagnosis(), URL);
    expect(message).toEqual({
      title: 'rex: tool github_create_brnch is declared but not offered (A10)',
      text: [
        '*critical* · A10 · acme/platform',
        'Agent rex runs without `github_create_brnch`.',
        '1. Correct the name.',
      ].join('\n'),
      url: URL,
    });
  });

  it('calls nobody, links nowhere, formats nothing, and stays within 3,000 characters', () => {
    const part = fc.constantFrom(
      '<!channel>',
      '<@U1>',
      '@here',
      '&',
      '<https://evil.example|x>',
      'https://evil.example',
      'evil.example',
      '`',
      '*',
      '\n',
      '\u202E',
      'word ',
      'x'.repeat(500),
    );
    const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, (title, summary, step) => {
        const diagnosis = aDiagnosis({ summary, remedy: Array.from({ length: 5 }, () => ({ text: step })) });
        const message = renderNotification(anIncident({ title }), diagnosis, null);
        const outside = message.text.replaceAll(/`[^`\n]*`/g, '');
        expect(message.text).not.toMatch(/[<>@\u202E]|&(?!amp;|lt;|gt;)/);
        expect(outside).not.toMatch(/:\/\/|evil\.example|`/);
        expect(message.text.length).toBeLessThanOrEqual(3_000);
        expect(message.title).not.toMatch(/[<>@]/);
      }),
    );
  });
});
