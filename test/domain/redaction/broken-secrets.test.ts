import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { broken, CANARIES, SEPARATORS } from './canaries.ts';
import { leaks } from './leaks.ts';
import { LOOK_ALIKES } from './look-alikes.ts';

const redactor = createRedactor();

const aCanary = fc.constantFrom(...CANARIES);
const aSeparator = fc.constantFrom(...Object.values(SEPARATORS));
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
const words = fc.constantFrom(
  '',
  'saw',
  'retry 3 of 5:',
  '{"level":"info"}',
  'see `src/run.sh`',
  '<b>note</b>',
  '**why**',
  '| a | b |',
  '[L1] (2)',
);

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  JSON: (text) => JSON.stringify({ log: text }),
  'JSON in JSON': (text) => JSON.stringify({ log: JSON.stringify({ msg: text }) }),
  'URL-encoded': (text) => encodeURIComponent(text.toWellFormed()),
  base64: (text) => `payload ${Buffer.from(text).toString('base64')} end`,
};
const anEncoding = fc.constantFrom(...Object.entries(ENCODINGS));

describe('a secret that is broken by', () => {
  it.each(Object.entries(SEPARATORS))('%s', async (_, separator) => {
    const missed: string[] = [];
    for (const canary of CANARIES) {
      for (const place of [0.3, 0.6]) {
        const clean = await redactor.redact(`saw ${broken(canary, separator, [place])} end`);
        if (leaks(clean, canary.secret)) missed.push(`${canary.kind} at ${place}: ${clean}`);
      }
    }
    expect(missed).toEqual([]);
  });
});

describe('a secret of any kind', () => {
  it('is found wherever it is broken, by whatever, and in whatever encoding', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(aCanary, aSeparator, places, anEncoding, words, words, async (...drawn) => {
        const [canary, separator, at, [, encode], before, after] = drawn;
        const text = encode(`${before} ${broken(canary, separator, at)} ${after}`);
        expect(leaks(await redactor.redact(text), canary.secret)).toBe(false);
      }),
      { numRuns: 600 },
    );
  });

  it('is found among other secrets in one stream, whatever their order', { timeout: 60_000 }, async () => {
    const text = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(aCanary, aSeparator, places).map((one) => broken(...one)) },
      { weight: 1, arbitrary: aCanary.map((canary) => canary.text) },
      { weight: 1, arbitrary: fc.constantFrom(...LOOK_ALIKES) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 8 }), async (texts) => {
        const clean = (await redactor.redactLines(texts.flatMap((one) => one.split('\n')))).join('\n');
        expect(CANARIES.filter(({ secret }) => leaks(clean, secret)).map(({ kind }) => kind)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
