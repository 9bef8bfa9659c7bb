import { describe, expect, it } from 'vitest';
import { gatherForge } from '#lib/app/gather-forge.ts';
import type { Forge } from '#lib/app/ports.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { ForgePull } from '#lib/domain/evidence/forge.ts';
import { anOccurrence } from '#test/support/builders/an-incident.ts';
import { aSession } from '#test/support/builders/session.ts';

const START = Date.parse('2026-11-30T12:00:00Z');
const session = { ...aSession({ playId: 'play-7f3a' }), startedAt: '2026-11-30T12:00:00.000Z' };

const PULL: ForgePull = {
  number: 4,
  title: 'Add the cart',
  author: 'acme-rex[bot]',
  state: 'open',
  branch: 'agent/task-7',
  head: '0'.repeat(40),
  createdAt: START,
  updatedAt: START,
};
const NOTE = { kind: 'comment', author: 'ann', name: '', state: '', at: START, text: 'hello' } as const;

const aForge = (change: Partial<Forge> = {}): Forge => ({
  pulls: async () => ({ items: [PULL], gaps: [] }),
  pull: async () => undefined,
  activity: async () => ({ items: [NOTE], gaps: ['Only the first 100 comments were read.'] }),
  ...change,
});

const gather = (forge: Forge | null, now = () => START + 60_000, lines: readonly string[] = []) =>
  gatherForge(
    { forge, clock: { now } },
    session,
    anOccurrence(),
    lines.map((line) => ({ ns: 1n, line, labels: {} })),
  );

const fail = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('gatherForge', () => {
  it('gives pieces and passes gaps on', async () => {
    const { pieces, gaps } = await gather(aForge());
    expect(pieces.map(({ kind }) => kind)).toEqual(['github', 'github']);
    expect(gaps).toEqual(['Only the first 100 comments were read.']);
  });

  it('gives nothing where GitHub is not read', async () => {
    expect(await gather(null)).toEqual({ pieces: [], gaps: [] });
  });

  it.each([
    new SourceError({ source: 'github', message: 'GitHub answered 403', retryable: true, advice: 'Healer waits.' }),
    new SourceError({ source: 'github-token', message: 'not installed', retryable: false, advice: 'Install it.' }),
    new GuardError('allow-list', 'POST is no request of a reader'),
  ])('is a gap, never a failure: $message', async (error) => {
    const failing = aForge({ pulls: fail(error) });
    const { pieces, gaps } = await gather(failing);
    expect(pieces).toEqual([]);
    expect(gaps).toEqual([expect.stringContaining('GitHub could not be read: ')]);
  });

  it('keeps what was read before GitHub failed', async () => {
    const error = new SourceError({ source: 'github', message: 'cut', retryable: true, advice: 'Wait.' });
    const { pieces, gaps } = await gather(aForge({ activity: fail(error) }));
    expect(pieces).toHaveLength(1);
    expect(gaps).toEqual(['GitHub could not be read: cut. Wait.']);
  });

  it('does not hide faults of its own', async () => {
    const broken = aForge({ pulls: () => Promise.reject(new TypeError('x is undefined')) });
    await expect(gather(broken)).rejects.toBeInstanceOf(TypeError);
  });

  it('stops when GitHub is too slow, and says so', async () => {
    let now = START;
    const pulls = [1, 2, 3].map((number) => ({ ...PULL, number }));
    const slow = aForge({
      pulls: async () => ({ items: pulls, gaps: [] }),
      activity: async () => {
        now += 30_000;
        return { items: [NOTE], gaps: [] };
      },
    });
    const { gaps } = await gather(slow, () => now);
    expect(gaps).toEqual(['GitHub answered so slowly that not all of the pull requests were read.']);
  });

  it('asks for a pull request that the logs name', async () => {
    const asked: number[] = [];
    const forge = aForge({
      pulls: async () => ({ items: [], gaps: [] }),
      pull: async (_, number) => {
        asked.push(number);
        return { ...PULL, number };
      },
    });
    const { pieces } = await gather(forge, undefined, ['opened https://github.com/acme/widgets/pull/31']);
    expect(asked).toEqual([31]);
    expect(pieces[0]?.text).toContain('pull request #31');
  });
});
