import { describe, expect, it } from 'vitest';
import { hashSecret, isUsable, type TokenRecord, toHour, toToken, toTokenParts } from '#lib/domain/token.ts';

const ID = 'ab'.repeat(8);
const SECRET = '0f'.repeat(32);
const TOKEN = toToken(Buffer.from(ID, 'hex'), Buffer.from(SECRET, 'hex'));

describe('toTokenParts', () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Bearer   ${TOKEN} `])('reads %j', (header) => {
    expect(toTokenParts(header)).toEqual({ id: ID, secret: SECRET });
  });

  it.each([
    undefined,
    '',
    TOKEN,
    'Bearer ',
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}0`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer ${TOKEN}\n`.concat('x'),
    `Bearer hlr_${'x'.repeat(100_000)}`,
  ])('refuses a header that is no token of ours (case %#)', (header) => {
    expect(toTokenParts(header)).toBeUndefined();
  });
});

describe('toHour', () => {
  it('is the start of the hour', () => {
    expect(toHour(Date.parse('2026-11-30T12:59:59.999Z'))).toBe(Date.parse('2026-11-30T12:00:00.000Z'));
    expect(toHour(Date.parse('2026-11-30T12:00:00.000Z'))).toBe(Date.parse('2026-11-30T12:00:00.000Z'));
  });
});

describe('isUsable', () => {
  const record: TokenRecord = {
    id: ID,
    name: 'mcp',
    secretHash: hashSecret(SECRET),
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };

  it.each([
    { what: 'the right secret', record, secret: SECRET, usable: true },
    { what: 'another secret', record, secret: '0e'.repeat(32), usable: false },
    { what: 'a revoked token', record: { ...record, revokedAt: 5 }, secret: SECRET, usable: false },
    { what: 'a token just before its expiry', record: { ...record, expiresAt: 11 }, secret: SECRET, usable: true },
    { what: 'a token at its expiry', record: { ...record, expiresAt: 10 }, secret: SECRET, usable: false },
  ])('$what: $usable', ({ record, secret, usable }) => {
    expect(isUsable(record, secret, 10)).toBe(usable);
  });

  it('stores no secret', () => {
    expect(JSON.stringify(record)).not.toContain(SECRET);
  });
});
