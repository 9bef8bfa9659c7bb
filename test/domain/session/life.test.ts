import { describe, expect, it } from 'vitest';
import { asOf, hasExpired } from '#lib/domain/session/life.ts';
import { aSession } from '#test/support/builders/session.ts';

const END = Date.parse('2026-12-02T12:00:00.000Z');

describe('asOf', () => {
  it('leaves an active session alone until its very last millisecond', () => {
    expect(asOf(aSession(), END, END - 1)).toEqual(aSession());
  });

  it('shows an active session whose time is over as cancelled at that time', () => {
    const ended = {
      status: 'cancelled',
      endedAt: '2026-12-02T12:00:00.000Z',
      lastUpdated: '2026-12-02T12:00:00.000Z',
      endedBy: 'expiry',
    };
    expect(asOf(aSession(), END, END)).toEqual({ ...aSession(), ...ended });
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('leaves a %s session alone', (status) => {
    const session = aSession({ status, endedAt: '2026-11-30T13:00:00.000Z' });
    expect(asOf(session, END, END + 1)).toBe(session);
    expect(hasExpired(status, END, END + 1)).toBe(false);
  });
});
