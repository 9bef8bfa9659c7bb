import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, withMemory } from '#lib/domain/redaction/redactor.ts';
import { createSecretMemory } from '#lib/domain/redaction/secret-memory.ts';
import { CANARIES } from './canaries.ts';
import { leaks } from './leaks.ts';
import { LOOK_ALIKES } from './look-alikes.ts';

const redactor = createRedactor();
const VALUE = 'x7Kq2mW9Zt41pLr8';

describe('what was found once', () => {
  it.each([
    ['alone', 'it says x7Kq2mW9Zt41pLr8'],
    ['its end', 'the rest is W9Zt41pLr8'],
    ['its beginning', 'x7Kq2mW9Zt… was cut'],
    ['a part glued to words', 'idx7Kq2mW9Zt41.log'],
    ['a part between tags', 'x7Kq<b></b>2mW9Zt41'],
    ['a part in base64', Buffer.from('see x7Kq2mW9Zt41').toString('base64')],
    ['a part in percent codes', 'a=x7Kq2mW9%5At41'],
  ])('is taken out of texts that belong to it: %s', async (_, text) => {
    const one = withMemory(redactor, createSecretMemory());
    expect(await one.redact(text)).toBe(text);
    await one.redact(`token=${VALUE}`);
    const clean = await one.redact(text);
    expect(clean).toContain('[redacted:fragment]');
    expect(leaks(clean, VALUE)).toBe(false);
  });

  it('is taken out of lines before it', async () => {
    const clean = await redactor.redactLines(['saw Kq2mW9Zt41pLr8', 'on we go', `token=${VALUE}`]);
    expect(clean).toEqual(['saw [redacted:fragment]', 'on we go', 'token=[redacted:secret-value]']);
  });

  it.each([
    ['too short a part', 'x7Kq2mW'],
    ['a value that differs', 'x7Kq2mX9Zt41'],
  ])('is not seen in %s', async (_, text) => {
    const one = withMemory(redactor, createSecretMemory());
    await one.redact(`token=${VALUE}`);
    expect(await one.redact(text)).toBe(text);
  });

  it.each([
    ['a word', 'password=postgres', 'the role postgres exists'],
    ['a name', 'password=agent-runner-prod', 'agent-runner started'],
    ['a path', 'Cookie: theme=dark; path=/api/v1/users', 'GET /api/v1/users'],
    ['a date', 'Cookie: session=x7Kq2mW9Zt41; expires=2026-01-08', 'at 2026-01-08'],
  ])('leaves %s where it stands of its own right', async (_, secret, text) => {
    const one = withMemory(redactor, createSecretMemory());
    await one.redact(secret);
    expect(await one.redact(text)).toBe(text);
  });

  it('leaves the names of the play', async () => {
    const pod = 'play-7f3a9c21-rex-x2k4q';
    const one = withMemory(redactor, createSecretMemory([pod]));
    await one.redact(`password=${pod}-x7Kq2mW9`);
    expect(await one.redact(`pod ${pod} ended`)).toBe(`pod ${pod} ended`);
  });

  it('is no longer known in another text', async () => {
    await redactor.redact(`token=${VALUE}`);
    expect(await redactor.redact(`it says ${VALUE}`)).toBe(`it says ${VALUE}`);
  });
});

describe('a memory of any secret', () => {
  it('finds any long part of it', async () => {
    const part = fc.record({
      canary: fc.constantFrom(...CANARIES),
      /** Behind the prefix, which everybody knows. */
      from: fc.double({ min: 0.35, max: 0.8, noNaN: true }),
      length: fc.integer({ min: 12, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(part, async ({ canary, from, length }) => {
        const one = withMemory(redactor, createSecretMemory());
        await one.redact(canary.text);
        const at = Math.floor(from * canary.secret.length);
        const piece = canary.secret.slice(at, at + length);
        const clean = await one.redact(`then ${piece} came`);
        // A part that could be a word or a plain number stands of its own right.
        fc.pre(piece.length >= 12 && /\d/.test(piece) && /[a-z]/i.test(piece) && !/[^\w+/=-]/.test(piece));
        expect(leaks(clean, piece)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves ordinary lines', async () => {
    const one = withMemory(redactor, createSecretMemory());
    for (const { text } of CANARIES) await one.redact(text);
    const changed: string[] = [];
    for (const text of LOOK_ALIKES) if ((await one.redact(text)) !== text) changed.push(text);
    expect(changed).toEqual([]);
  });
});
