import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EmbeddedLoki, LokiOptions } from '#lib/local/loki/server.ts';
import { startLoki } from '#lib/local/loki/server.ts';
import { ask, linesOf, QUERY_RANGE, someMinutesAgo } from '#test/contracts/log-source/peer.ts';

const running: EmbeddedLoki[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map((loki) => loki.stop()));
});

async function start(options: LokiOptions = {}): Promise<EmbeddedLoki> {
  const loki = await startLoki(options);
  running.push(loki);
  return loki;
}

const line = (text: string, ns = someMinutesAgo()) => [{ stream: { app: 'a' }, values: [[String(ns), text] as const] }];
const read = (loki: EmbeddedLoki, headers = {}) => ask(loki, QUERY_RANGE, { query: '{app="a"}' }, { headers });

describe('faults', () => {
  it.each([
    ['busy', 429, 'too many outstanding requests'],
    ['unavailable', 503, 'Service Unavailable'],
    ['html', 200, '<!DOCTYPE html>'],
  ] as const)('%s', async (fault, status, text) => {
    const loki = await start();
    loki.faults.use(fault);
    const reply = await read(loki);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text)]);
    loki.faults.clear();
    expect((await read(loki)).status).toBe(200);
  });

  it('down resets the connection until it is cleared, and pushes in the process still arrive', async () => {
    const loki = await start();
    loki.faults.use('down');
    await expect(read(loki)).rejects.toThrow('fetch failed');
    loki.push(line('meanwhile'));
    loki.faults.clear();
    expect(linesOf(await read(loki))).toEqual(['meanwhile']);
  });

  it('busy carries Retry-After, and ends after the given number of requests', async () => {
    const loki = await start();
    loki.faults.use('busy', { times: 1, retryAfter: 7 });
    const reply = await fetch(`${loki.url}/loki/api/v1/labels`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await read(loki)).status).toBe(200);
  });

  it('truncated cuts the right answer', async () => {
    const loki = await start();
    loki.faults.use('truncated', { times: 1 });
    const cut = await (await fetch(`${loki.url}/loki/api/v1/labels`)).text();
    const whole = await (await fetch(`${loki.url}/loki/api/v1/labels`)).text();
    expect(whole.startsWith(cut)).toBe(true);
    expect(cut.length).toBe(Math.floor(whole.length / 2));
  });

  it('late lines show when the clock has passed their delay', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const loki = await start();
    loki.faults.delayLines(60_000);
    loki.push(line('late'));
    vi.setSystemTime(Date.now() + 59_999);
    expect(linesOf(await read(loki))).toEqual([]);
    vi.setSystemTime(Date.now() + 1);
    expect(linesOf(await read(loki))).toEqual(['late']);
  });
});

describe('tenants', () => {
  it('each sees its own lines, and none is 401 in plain text', async () => {
    const loki = await start({ tenants: true });
    loki.push(line('for a'), 'a');
    loki.push(line('for b'), 'b');
    const missing = await read(loki);
    expect([missing.status, missing.text.trim()]).toEqual([401, 'no org id']);
    expect(linesOf(await read(loki, { 'x-scope-orgid': 'a' }))).toEqual(['for a']);
    expect((await read(loki, { 'x-scope-orgid': 'a|b' })).status).toBe(400);
  });
});

describe('pushes', () => {
  it.each([
    ['no JSON', 'x', 400],
    ['no streams', '{}', 400],
    ['a number as time', '{"streams":[{"stream":{"a":"b"},"values":[[1,"x"]]}]}', 400],
    ['a number in the metadata', '{"streams":[{"stream":{"a":"b"},"values":[["1","x",{"k":1}]]}]}', 400],
    ['a stream without labels', '{"streams":[{"stream":{},"values":[["1","x"]]}]}', 400],
  ])('%s is refused', async (_case, body, status) => {
    const loki = await start();
    const reply = await fetch(`${loki.url}/loki/api/v1/push`, { method: 'POST', body });
    expect(reply.status).toBe(status);
    expect(loki.count()).toBe(0);
  });

  it('may be gzipped', async () => {
    const loki = await start();
    const body = gzipSync(JSON.stringify({ streams: line('packed') }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await fetch(`${loki.url}/loki/api/v1/push`, { method: 'POST', headers, body })).status).toBe(204);
    expect(linesOf(await read(loki))).toEqual(['packed']);
  });

  it('are kept in a file for the next start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'healer-loki-'));
    try {
      const file = join(folder, 'entries.jsonl');
      const before = await start({ file });
      before.push(line('kept'));
      const after = await start({ file });
      expect([linesOf(await read(after)), after.count()]).toEqual([['kept'], 1]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('says when it is ready', async () => {
  const loki = await start();
  expect((await fetch(`${loki.url}/ready`)).status).toBe(200);
  expect((await fetch(`${loki.url}/other`)).status).toBe(404);
});
