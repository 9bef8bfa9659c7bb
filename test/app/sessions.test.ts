import { describe, expect, it } from 'vitest';
import { authorize } from '#lib/app/authorize.ts';
import { endSession } from '#lib/app/end-session.ts';
import { getSession } from '#lib/app/get-session.ts';
import { listSessions, type SessionsQuery } from '#lib/app/list-sessions.ts';
import type { Queues, StartOutcome } from '#lib/app/ports.ts';
import { startSession } from '#lib/app/start-session.ts';
import { ConflictError, ForbiddenError, InputError, NotFoundError } from '#lib/domain/errors.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { hashSecret, type TokenRecord } from '#lib/domain/token.ts';
import { aDeclaration, aSession } from '#test/support/builders/session.ts';

const NOON = Date.parse('2026-11-30T12:00:00.000Z');
const clock = { now: () => NOON };
const options = { source: 'loki', allowed: ['acme/*'], maxAge: 1_000, retention: 10_000 };

/** Queues that remember what they were sent, or refuse it. */
function aQueue(fault?: Error) {
  const sent: unknown[] = [];
  const faults: unknown[] = [];
  const queues: Queues = {
    send: async (...message) => {
      if (fault !== undefined) throw fault;
      sent.push(message);
    },
  };
  return {
    sent,
    faults,
    ports: { queues, clock, redactor: createRedactor(), onLookFault: (error: unknown) => faults.push(error) },
  };
}

const looks = (seconds: readonly number[]) => seconds.map((s) => ['window', { source: 'loki', namespace: 'cto' }, s]);

/** A store that answers a start with `outcome`, and remembers what it was asked to store. */
function aStore(outcome: (session: StartOutcome['session']) => StartOutcome) {
  const asked: unknown[] = [];
  const start = async (...args: Parameters<typeof outcome>) => {
    asked.push(args);
    return outcome(args[0]);
  };
  return { asked, sessions: { start } };
}

describe('startSession', () => {
  it('stores the declaration with its start, its end at the latest, and its removal', async () => {
    const { asked, sessions } = aStore((session) => ({ kind: 'started', session }));
    const started = await startSession({ sessions, ...aQueue().ports }, options, aDeclaration());
    expect(started).toEqual({ session: aSession(), isRepeated: false });
    expect(asked).toEqual([[aSession(), { expiresAt: NOON + 1_000, removeAt: NOON + 11_000 }]]);
  });

  it('tells that it was repeated', async () => {
    const { sessions } = aStore((session) => ({ kind: 'repeated', session }));
    expect(await startSession({ sessions, ...aQueue().ports }, options, aDeclaration())).toMatchObject({
      isRepeated: true,
    });
  });

  it('names what differs', async () => {
    const { sessions } = aStore(() => ({ kind: 'differs', session: aSession({ namespace: 'other' }) }));
    const start = startSession({ sessions, ...aQueue().ports }, options, aDeclaration());
    await expect(start).rejects.toThrow(ConflictError);
    await expect(start).rejects.toMatchObject({ faults: [{ path: 'namespace' }] });
  });

  it('asks for a look at a started session, and for none at a repeated one', async () => {
    const queue = aQueue();
    for (const kind of ['started', 'repeated'] as const) {
      const { sessions } = aStore((session) => ({ kind, session }));
      await startSession({ sessions, ...queue.ports }, options, aDeclaration());
    }
    expect(queue.sent).toEqual(looks([10]));
  });

  it('starts the session although no look can be asked for', async () => {
    const queue = aQueue(new Error('SQS is away'));
    const { sessions } = aStore((session) => ({ kind: 'started', session }));
    const started = await startSession({ sessions, ...queue.ports }, options, aDeclaration());
    expect(started.isRepeated).toBe(false);
    expect(queue.faults).toHaveLength(1);
  });

  it('stores nothing of a repository that is not allowed', async () => {
    const { asked, sessions } = aStore((session) => ({ kind: 'started', session }));
    const start = startSession({ sessions, ...aQueue().ports }, options, aDeclaration({ repository: 'evil/acme' }));
    await expect(start).rejects.toThrow(ForbiddenError);
    expect(asked).toEqual([]);
  });
});

describe('endSession', () => {
  const ending = (stored: ReturnType<typeof aSession> | undefined) =>
    endSession({ sessions: { end: async () => stored }, ...aQueue().ports }, 'loki', 'play-1', 'failed');
  const endedAt = '2026-11-30T12:00:00.000Z';

  it('answers the session as it ended', async () => {
    const session = aSession({ status: 'failed', endedAt });
    expect(await ending(session)).toBe(session);
  });

  it('asks for a look at the last lines', async () => {
    const queue = aQueue();
    const session = aSession({ status: 'failed', endedAt });
    await endSession({ sessions: { end: async () => session }, ...queue.ports }, 'loki', 'play-1', 'failed');
    expect(queue.sent).toEqual(looks([5]));
  });

  it('says that it ended otherwise, or does not exist', async () => {
    await expect(ending(aSession({ status: 'cancelled', endedAt }))).rejects.toThrow(ConflictError);
    await expect(ending(aSession({ status: 'cancelled', endedAt }))).rejects.toThrow(/is cancelled since 2026-11-30/);
    await expect(ending(undefined)).rejects.toThrow(NotFoundError);
  });
});

describe('getSession', () => {
  it('answers the session or says that there is none', async () => {
    expect(await getSession({ get: async () => aSession() }, 'play-1')).toEqual(aSession());
    await expect(getSession({ get: async () => undefined }, 'play-1')).rejects.toThrow(NotFoundError);
  });
});

describe('listSessions', () => {
  it('asks for the canonical repository', async () => {
    const asked: SessionsQuery[] = [];
    const list = async (query: SessionsQuery) => {
      asked.push(query);
      return { items: [] };
    };
    const ports = { sessions: { list }, incidents: { ofPlay: async () => [] } };
    await listSessions(ports, { limit: 5, repository: 'https://github.com/Acme/Widgets' });
    await listSessions(ports, { limit: 5 });
    expect(asked).toEqual([{ limit: 5, repository: 'acme/widgets' }, { limit: 5 }]);
    await expect(listSessions(ports, { limit: 5, repository: 'x' })).rejects.toThrow(InputError);
  });
});

describe('authorize', () => {
  const [id, secret] = ['0'.repeat(16), 'a'.repeat(64)];
  const record: TokenRecord = {
    id,
    name: 'mcp',
    secretHash: hashSecret(secret),
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };

  /** The hours that were noted, and the faults of noting, when a right token of that record is checked at noon. */
  async function use(lastUsedAt: number | null, fault?: Error) {
    const [noted, faults]: [number[], unknown[]] = [[], []];
    const tokens = {
      find: async () => ({ ...record, lastUsedAt }),
      noteUse: async (_id: string, hour: number) => {
        if (fault !== undefined) throw fault;
        noted.push(hour);
      },
    };
    const ports = {
      tokens,
      clock: { now: () => NOON + 1_234_567 },
      onNoteFault: (error: unknown) => faults.push(error),
    };
    expect(await authorize(ports, `Bearer hlr_${id}_${secret}`)).toMatchObject({ isAuthorized: true });
    return { noted, faults };
  }

  it.each([
    ['the first use', null, [NOON]],
    ['a use in a later hour', NOON - 3_600_000, [NOON]],
    ['a second use in the hour', NOON, []],
  ])('notes %s by its hour', async (_case, lastUsedAt, noted) => {
    expect(await use(lastUsedAt)).toEqual({ noted, faults: [] });
  });

  it('lets a request in whose use cannot be noted', async () => {
    const fault = new Error('the table is away');
    expect(await use(null, fault)).toEqual({ noted: [], faults: [fault] });
  });

  it.each([
    { header: `Bearer hlr_${id}_${secret}`, stored: record, reason: undefined, reads: 1 },
    { header: `Bearer hlr_${id}_${'b'.repeat(64)}`, stored: record, reason: 'unusable', reads: 1 },
    { header: `Bearer hlr_${id}_${secret}`, stored: { ...record, revokedAt: 1 }, reason: 'unusable', reads: 1 },
    { header: `Bearer hlr_${id}_${secret}`, stored: undefined, reason: 'unknown', reads: 1 },
    { header: `Bearer hlr_${id}`, stored: record, reason: 'malformed', reads: 0 },
    { header: undefined, stored: record, reason: 'malformed', reads: 0 },
  ])('answers $reason after $reads reads (case %#)', async ({ header, stored, reason, reads }) => {
    let count = 0;
    const find = async () => {
      count += 1;
      return stored;
    };
    const expected = reason ? { isAuthorized: false, reason } : { isAuthorized: true, tokenId: id, tokenName: 'mcp' };
    const ports = { tokens: { find, noteUse: async () => {} }, clock, onNoteFault: () => {} };
    expect(await authorize(ports, header)).toEqual(expected);
    expect(count).toBe(reads);
  });
});
