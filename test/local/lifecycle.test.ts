import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

/** Open servers and threads of this process. */
const open = () => process.getActiveResourcesInfo().filter((name) => /TCPServer|MessagePort|Worker/.test(name)).length;

describe('stop', () => {
  it('closes every socket and thread, whatever a function is doing', async () => {
    const before = open();
    const stack = await startFixture();
    await stack.act('bare');
    const stuck = stack.invoke('stuck', { does: 'spin' }).catch((error: unknown) => error);
    await expect.poll(() => stack.busy()).toContain('stuck');
    await stack.stop();
    expect(await stuck).toMatchObject({ errorType: expect.stringMatching(/^(Runtime\.ExitError|Sandbox\.Stopped)$/) });
    await expect(fetch(stack.url)).rejects.toThrow('fetch failed');
    await expect(fetch(stack.endpoint)).rejects.toThrow('fetch failed');
    await expect.poll(open).toBe(before);
  });

  it('may be asked twice', async () => {
    const stack = await startFixture();
    await Promise.all([stack.stop(), stack.stop()]);
    await expect(fetch(stack.url)).rejects.toThrow('fetch failed');
  });
});

describe('a port that is taken', () => {
  it('is named with the way to choose another, and leaves nothing open', async () => {
    const first = await startFixture();
    const before = open();
    await expect(startFixture({ port: first.port })).rejects.toThrow(
      `port ${first.port} is taken by another program; choose another one with --port or HEALER_PORT`,
    );
    await expect.poll(open).toBe(before);
    await first.stop();
  });
});

describe('a stack that is kept', () => {
  let runDirectory: string;
  beforeEach(() => {
    runDirectory = mkdtempSync(join(tmpdir(), 'healer-test-'));
  });
  afterEach(() => rmSync(runDirectory, { recursive: true, force: true }));

  it('finds its records and its messages again', async () => {
    const first: Fixture = await startFixture({ runDirectory, keep: true });
    await first.act('send', { body: { id: 'done' } });
    await first.idle();
    await first.act('send', { body: { id: 'later' }, delay: 600 });
    await first.act('send', { body: { id: 'failed', does: 'poison' } });
    await first.idle();
    await first.stop();

    const second: Fixture = await startFixture({ runDirectory, keep: true });
    expect([await second.count('done'), await second.count('later'), await second.count('failed')]).toEqual([1, 0, 1]);
    await second.advance(601_000);
    expect([await second.count('done'), await second.count('later'), await second.count('failed')]).toEqual([1, 1, 5]);
    await second.stop();
  });
});
