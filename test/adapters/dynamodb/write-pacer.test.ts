import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { dynamoWritePacer } from '#lib/adapters/dynamodb/write-pacer.ts';
import type { WritePacer } from '#lib/app/ports.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';

const HOUR = 3_600_000;
const START = 1_780_000_000_000 - (1_780_000_000_000 % HOUR);

let server: TestTables;
let pacer: WritePacer;

beforeAll(async () => {
  server = await startTestTables();
  pacer = dynamoWritePacer(toDocumentClient(), server.tables.Incidents);
});
afterAll(() => server.stop());

describe('the pace of writes', () => {
  it('grants 60 a minute whoever asks, and says when the next one is free', async () => {
    const racers = Array.from({ length: 100 }, () => pacer.take('acme', START + 1));
    const taken = await Promise.all(racers);
    expect(taken.filter(({ granted }) => granted)).toHaveLength(60);
    expect(taken.filter(({ granted }) => !granted).every((no) => !no.granted && no.until === START + 60_000)).toBe(
      true,
    );
    expect((await pacer.take('acme', START + 60_000)).granted).toBe(true);
  });

  it('counts each installation by itself', async () => {
    expect((await pacer.take('other', START + 1)).granted).toBe(true);
  });

  it('grants 450 an hour', async () => {
    let granted = 0;
    for (let minute = 0; minute < 9; minute += 1) {
      const asked = Array.from({ length: 60 }, () => pacer.take('busy', START + minute * 60_000));
      granted += (await Promise.all(asked)).filter((one) => one.granted).length;
    }
    expect(granted).toBe(450);
    expect(await pacer.take('busy', START + 59 * 60_000)).toEqual({ granted: false, until: START + HOUR });
    expect((await pacer.take('busy', START + HOUR)).granted).toBe(true);
  });
});
