import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { createRedactor, REDACTION_RULES, redact } from '#lib/domain/redaction/redactor.ts';
import type { RedactionRule } from '#lib/domain/redaction/rule.ts';
import { aPrivateKey, CANARIES, type Canary, FORMS } from './canaries.ts';
import { leaks, saidBy } from './leaks.ts';
import { LOOK_ALIKES } from './look-alikes.ts';

const redactor = createRedactor();

/** One character of a list. */
const oneOf = (characters: string): fc.Arbitrary<string> => fc.constantFrom(...characters.split(''));

/** Beginnings, repeated, on which a careless expression takes quadratic time or worse. */
const HOSTILE = [
  'AKIA',
  'eyJ',
  'eyJ.',
  'a.',
  '-eyJa',
  'ghp_',
  'ghs_1_',
  'password=',
  'pwd=(',
  'token="',
  'pwd=\\"',
  '://a:',
  '://a@',
  'password=,',
  '=',
  '%25',
  '\\\\',
  '\\u005c',
  'Bearer ',
  'SG.a.',
  'QUtJQQ',
  '\x1b[',
  '\x1b]',
  '2026-01-08 ',
  '[',
  'xoxb-',
  '\n',
  '\u200b',
  'é',
  'sk-',
  'cookie: a=',
  'authorization: ',
  'basic ',
  'login a password ',
  '--a-a-a-token ',
  'a:b@tcp',
  '[redacted:jwt]',
  '[redacted:',
  'MIIE\n',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----',
  '{"msg":"',
  'AbC/',
  'secret_access_key',
  'Aa0',
  'Aa0\n',
  'pwd=\n',
  'Pwd12=\n',
  'token: Aa012345\n',
  'a""',
  'a" + "',
  'a<b></b>',
  'a**',
  'a\\_',
  'x[](#)',
  'QUtJQQ\n',
  '\xe2\x80\x8b',
  '&shy;',
  '%E2%80%8B',
  'aaaaaaaa…',
  'sk-ant-aaaaaaa1…',
  ' ',
];

async function missedIn(form: string): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const canary of CANARIES) {
    const clean = await redactor.redact(FORMS[form]?.(canary).text ?? '');
    if (leaks(clean, canary.secret)) missed.push(`${canary.kind}: ${clean}`);
  }
  return missed;
}

/** What a reader without a redactor makes of a text. */
const readable = (text: string): string =>
  decodeURIComponent(stripVTControlCharacters(text).replace(/%(?![0-9A-F]{2})/g, ''));

describe('canaries', () => {
  it('has at least 45 kinds', () =>
    expect(new Set(CANARIES.map((canary) => canary.kind)).size).toBeGreaterThanOrEqual(45));

  it('leaks every kind in every form when nothing is redacted', () => {
    const shown = Object.entries(FORMS).flatMap(([form, write]) =>
      CANARIES.map((canary) => ({
        form,
        canary,
        text: readable(write(canary).text),
      })),
    );
    expect(shown.filter(({ text, canary }) => !leaks(text, canary.secret))).toEqual([]);
  });

  it.each(Object.keys(FORMS))('%s', async (form) => {
    const missed = await missedIn(form);
    console.log(`${form}: ${CANARIES.length} kinds, leaked ${missed.length}`, missed.join('\n'));
    expect(missed).toEqual([]);
  });

  it('are found whatever stands around them', async () => {
    const noise = fc.string({
      unit: oneOf(' abcXYZ0189\n\t"\'\\/=:;,.-_%&{}[]()<>@#$+é你\u200b\x1b'),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(noise, fc.constantFrom(...CANARIES), noise, async (before, canary, after) => {
        const clean = await redactor.redact(`${before} ${canary.text} ${after}`);
        expect(leaks(clean, canary.secret)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('with a shape of their own are found even when glued to other text', async () => {
    const glue = fc.string({ unit: oneOf('abXY09_-./"=:'), maxLength: 12 });
    const shaped = CANARIES.filter(({ kind }) =>
      ['github classic', 'anthropic', 'slack bot', 'aws access key id', 'jwt', 'gitlab'].includes(kind),
    );
    await fc.assert(
      fc.asyncProperty(glue, fc.constantFrom(...shaped), glue, async (before, { secret }, after) => {
        expect(leaks(await redactor.redact(before + secret + after), secret)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('broken anywhere over two lines are found', async () => {
    const long = CANARIES.filter(({ kind }) =>
      /github|anthropic|openai|gitlab|jwt|slack bot|stripe|linear|pypi/.test(kind),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...long),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        async (canary, where) => {
          const at = canary.text.indexOf(canary.secret) + Math.ceil(where * canary.secret.length);
          const lines = [
            `2026-01-08T16:04:11Z INFO ${canary.text.slice(0, at)}`,
            `2026-01-08T16:04:11Z INFO ${canary.text.slice(at)}`,
          ];
          const clean = await redactor.redactLines(lines);
          expect(clean).toHaveLength(2);
          expect(clean.some((line) => leaks(line, canary.secret))).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('look-alikes', () => {
  it('are at least 60', () => expect(new Set(LOOK_ALIKES).size).toBeGreaterThanOrEqual(60));

  it('stay as they are', async () => {
    const changed: string[] = [];
    for (const text of LOOK_ALIKES) {
      const clean = await redactor.redact(text);
      if (clean !== text) changed.push(`${text} → ${clean}`);
    }
    console.log(`look-alikes kept ${LOOK_ALIKES.length - changed.length}/${LOOK_ALIKES.length}`);
    expect(changed).toEqual([]);
  });

  it('stay as they are one after another in one stream', async () => {
    expect(await redactor.redactLines(LOOK_ALIKES)).toEqual(LOOK_ALIKES);
  });
});

describe('ordinary lines after a secret', () => {
  it.each(CANARIES.map(({ kind, text }) => [kind, text] as const))('stay as they are: %s', async (_, secret) => {
    const clean = await redactor.redactLines(LOOK_ALIKES.flatMap((text) => [secret, text]));
    const changed = LOOK_ALIKES.filter((text, i) => clean[2 * i + 1] !== text);
    // A git address after `…encrypt=true` of a database's address makes one address with it.
    expect(changed.filter((text) => !text.startsWith('git@'))).toEqual([]);
  });
});

describe('a bar after a word', () => {
  const [first, rest] = ['API_TOKEN=x7Kq2mW9', 'Zt41pLr8sX3v'];

  it.each([
    ['a table', `2026-01-08T16:04:11Z ${rest} | a | b |`, '2026-01-08T16:04:11Z [redacted:secret-value] | a | b |'],
    ['a pipe', `${rest} | jq .`, '[redacted:secret-value] | jq .'],
  ])('is no name of a container in %s', async (_, line, expected) =>
    expect(await redactor.redactLines([`2026-01-08T16:04:11Z ${first}`, line])).toEqual([
      '2026-01-08T16:04:11Z API_TOKEN=[redacted:secret-value]',
      expected,
    ]),
  );

  it('is one where each line has it', async () => {
    const lines = [first, rest, 'ready'].map((text) => `worker1a2b3c  | ${text}`);
    expect(await redactor.redactLines(lines)).toEqual([
      'worker1a2b3c  | API_TOKEN=[redacted:secret-value]',
      'worker1a2b3c  | [redacted:secret-value]',
      'worker1a2b3c  | ready',
    ]);
  });
});

describe('hints', () => {
  it('lose nothing that a rule would find', async () => {
    const asked = createRedactor({ rules: REDACTION_RULES.map((rule) => ({ ...rule, hints: [''] })) });
    for (const write of Object.values(FORMS)) {
      const texts = CANARIES.map((canary) => write(canary).text);
      expect(await redactor.redactLines(texts)).toEqual(await asked.redactLines(texts));
    }
  });
});

describe('what a text ends in the middle of', () => {
  it.each([
    ['an address before its host', 'cannot connect to postgres://app:pW7x7Kq2mW9', 'postgres://app:[redacted:cut-off]'],
    [
      'an address, said by an ellipsis',
      'dial redis://:pW7x7Kq2mW9… (3 times)',
      'redis://:[redacted:cut-off]… (3 times)',
    ],
    ['a token in the middle', `see ${['ghp', 'x7Kq2mW9Zt41'].join('_')}… and on`, 'ghp_[redacted:cut-off]… and on'],
    ['an address, with dots', 'dial redis://:pW7x7Kq2mW9...', 'redis://:[redacted:cut-off]'],
    ['a token', `remote: using ${['ghp', 'x7Kq2mW9Zt41'].join('_')}`, 'ghp_[redacted:cut-off]'],
  ])('%s', async (_, text, expected) => expect(await redact(text)).toContain(expected));
});

describe('what stays readable', () => {
  it.each([
    [
      'postgres://app:{}@db.cto.svc:5432/plays refused',
      'postgres://app:[redacted:url-credential]@db.cto.svc:5432/plays refused',
    ],
    ['{"user":"app","password":"{}","port":5432}', '{"user":"app","password":"[redacted:secret-value]","port":5432}'],
    [
      'POST /login?user=a&password={}&next=/home 401',
      'POST /login?user=a&password=[redacted:secret-value]&next=/home 401',
    ],
    ['Server=db;Password={};Encrypt=true', 'Server=db;Password=[redacted:secret-value];Encrypt=true'],
  ])('%s', async (text, expected) => expect(await redact(text.replace('{}', 'k3y9Zq7Lm2'))).toBe(expected));
});

describe('private keys', () => {
  const { lines, body } = aPrivateKey('RSA PRIVATE', 7);
  const stamped = lines.map((line, i) => `2026-01-08T16:04:11.${100 + i}Z stdout F ${line}`);
  const around = (middle: readonly string[]): readonly string[] => ['starting git', ...middle, 'push refused'];
  const kept = (clean: readonly string[]): void => {
    expect(clean[0]).toBe('starting git');
    expect(clean.at(-1)).toBe('push refused');
    expect(body.filter((part) => clean.join('\n').includes(part))).toEqual([]);
  };

  it.each([
    ['plain', lines],
    ['after a time', stamped],
    ['in JSON records', lines.map((line) => JSON.stringify({ ts: 1_767_888_251, level: 'info', msg: line }))],
    ['in brackets', lines.map((line) => `[pod/rex-1/agent] ${line}`)],
    ['without its beginning', stamped.slice(2)],
    ['without its end', stamped.slice(0, -2)],
    ['indented', lines.map((line) => `    ${line}`)],
    ['escaped in one line', [`key: ${JSON.stringify(lines.join('\n'))}`]],
    ['escaped twice', [JSON.stringify(JSON.stringify({ key: lines.join('\n') }))]],
    ['in base64', [`tls.key: ${Buffer.from(lines.join('\n')).toString('base64')}`]],
    [
      'in folded base64',
      (
        Buffer.from(lines.join('\n'))
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).map((line) => `2026-01-08T16:04:11Z ${line}`),
    ],
  ])('%s', async (_, middle) => {
    const input = around(middle);
    const clean = await redactor.redactLines(input);
    expect(clean).toHaveLength(input.length);
    kept(clean);
  });

  it('leaves the lines of other writers between', async () => {
    const mixed = [...stamped.slice(0, 3), '2026-01-08T16:04:12Z INFO still working', ...stamped.slice(3)];
    const clean = await redactor.redactLines(mixed);
    expect(clean[3]).toBe(mixed[3]);
    expect(body.filter((part) => clean.join('\n').includes(part))).toEqual([]);
  });
});

describe('known secrets', () => {
  const secret = 'correct horse/battery+staple "7"';
  const known = createRedactor({ known: [secret, ''] });

  it.each([
    ['as it is', secret],
    ['JSON', JSON.stringify({ value: secret })],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ value: secret }))],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ value: secret }).toString()],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 after one byte', Buffer.from(`x${secret}`).toString('base64')],
    ['base64 after two bytes', Buffer.from(`xy${secret}`).toString('base64')],
    ['ANSI', secret.replace('battery', '\x1b[1mbattery\x1b[0m')],
    ['two lines', secret.replace('battery', 'bat\ntery')],
  ])('%s', async (_, text) => {
    const clean = await known.redact(`before ${text} after`);
    expect(clean).toContain('[redacted:known]');
    expect(clean).toMatch(/^before [^]* after$/);
    expect(saidBy(clean)).not.toMatch(/horse|battery|staple/);
  });

  it('of several lines are found line by line', async () => {
    const { lines, body } = aPrivateKey('PRIVATE', 8);
    const keyed = createRedactor({ known: [lines.join('\n')] });
    expect(await keyed.redact(`saw ${body[2]} alone`)).toBe('saw [redacted:known] alone');
  });

  it('that are too short to be told from text are refused', () => {
    expect(() => createRedactor({ known: ['abc'] })).toThrow(GuardError);
  });
});

describe('a redactor', () => {
  it('gives back as many lines as it got, whatever they hold', async () => {
    const line = fc.string({ unit: oneOf('a\r\n\u2028\x1b[0m\x85 \u200b'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        expect(await redactor.redactLines(lines)).toHaveLength(lines.length);
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing when it runs again', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .constantFrom(...CANARIES)
        .chain((canary: Canary) => fc.constantFrom(...Object.values(FORMS)).map((form) => form(canary).text)),
      fc.constantFrom(
        ...LOOK_ALIKES,
        'password=',
        'token: ',
        '[redacted:',
        '[redacted:jwt]',
        ']',
        '\n',
        '\\',
        '%',
        '"',
        'Bearer ',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const once = await redactor.redact(pieces.join(''));
        expect(await redactor.redact(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it('takes no placeholder for one that holds a secret', async () => {
    const { secret } = CANARIES[4] as Canary;
    expect(await redactor.redact(`[redacted:${secret}]`)).not.toContain(secret);
  });

  it('cannot be switched off by the text', async () => {
    const { secret } = CANARIES[4] as Canary;
    expect(await redactor.redact(`# secretlint-disable\n${secret}`)).not.toContain(secret);
  });

  it.each(HOSTILE)('takes no more than moments for 256 KB of %j', async (unit) => {
    const text = unit.repeat(Math.ceil(262_144 / unit.length)).slice(0, 262_144);
    const clean = await redactor.redact(text);
    expect(await redactor.redact(clean)).toBe(clean);
  });
});

describe('fails closed', () => {
  const broken: readonly (readonly [string, RedactionRule['find']])[] = [
    [
      'throws',
      () => {
        throw new Error('secret text');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret text'))],
    ['answers out of range', () => [{ from: 0, start: 0, end: 10_000 }]],
    ['answers NaN', () => [{ from: 0, start: Number.NaN, end: 1 }]],
  ];

  it.each(broken)('when a rule %s', async (_, find) => {
    const failing = createRedactor({ rules: [...REDACTION_RULES, { kind: 'broken', shape: 'token', find }] });
    const error: unknown = await failing.redact('secret text').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toMatchObject({ guard: 'redaction', message: expect.stringContaining('broken') });
    expect(String(error)).not.toContain('secret text');
  });

  it('when there is no rule', () => expect(() => createRedactor({ rules: [] })).toThrow(GuardError));
});
