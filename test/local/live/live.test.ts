import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { toNanos } from '#lib/domain/time.ts';
import { demoApi } from '#lib/local/demo/api.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import type { Write } from '#lib/local/live/dry-run-github.ts';
import { toText } from '#lib/local/live/print-write.ts';
import { readLiveSettings } from '#lib/local/live/settings.ts';
import { startLive } from '#lib/local/live/start-live.ts';
import { createLook } from '#lib/local/live/watch.ts';
import { startLoki } from '#lib/local/loki/server.ts';
import { packageService } from '#test/support/template/package-service.ts';

/** Packaging takes some seconds when the sources have changed. */
const TIMEOUT_MS = 180_000;
const MINUTE = 60_000;
const PERSONAL = 'personal-token-of-octavia';
const { announcement, lines } = misspeltToolPlay;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Credentials = (github: EmbeddedGitHub) => Readonly<Record<string, string>>;

/** The packaged service on a Loki and a GitHub that stand in for real ones. */
async function startOnPeers({ credentials, isFiling = false }: { credentials: Credentials; isFiling?: boolean }) {
  const [{ dir }, loki, github] = await Promise.all([
    packageService(),
    startLoki(),
    startGitHub({
      repositories: [{ name: 'acme/widgets', isPrivate: true }],
      users: [{ login: 'octavia', token: PERSONAL, permissions: { 'acme/widgets': 'admin' } }],
    }),
  ]);
  closers.push(() => Promise.all([loki.stop(), github.stop()]));
  const runDirectory = mkdtempSync(join(tmpdir(), 'healer-test-'));
  closers.push(() => rmSync(runDirectory, { recursive: true, force: true }));
  const settings = readLiveSettings({
    LOKI_URL: loki.url,
    GITHUB_API_URL: github.url,
    GITHUB_WEB_URL: 'https://github.example.com',
    ALLOWED_REPOSITORIES: 'acme/*',
    ...credentials(github),
  });
  const writes: Write[] = [];
  const onWrite = (write: Write) => void writes.push(write);
  const live = await startLive({ settings, packageDirectory: dir, runDirectory, isFiling, onWrite });
  closers.push(() => live.stop());
  return { live, loki, github, writes };
}

type World = Awaited<ReturnType<typeof startOnPeers>>;

/** A play whose agent lacks a tool; all its lines are in Loki at once. */
async function play({ live: { stack }, loki }: World): Promise<void> {
  await demoApi(stack).start(announcement);
  const start = stack.clock.now();
  for (const { at, pod, line } of lines) {
    const stream = { namespace: 'cto', pod, container: 'agent' };
    loki.push([{ stream, values: [[String(toNanos(start + at * 100)), line]] }]);
  }
  await stack.advance(6 * MINUTE);
}

interface Issue {
  readonly title: string;
  readonly body: string;
  readonly user: { readonly login: string };
}

const issuesOn = async (github: EmbeddedGitHub) =>
  (await github.asAdmin('GET', '/repos/acme/widgets/issues?state=all')).data as readonly Issue[];

/** What GitHub was asked that is no read; minting a token is none that a person could see. */
const writesOn = (github: EmbeddedGitHub) =>
  github.requests().filter(({ method, path }) => method !== 'GET' && !path.endsWith('/access_tokens'));

const APP: Credentials = ({ appId, privateKey }) => ({ GITHUB_APP_ID: appId, GITHUB_APP_KEY: privateKey });
const TOKEN: Credentials = () => ({ GITHUB_TOKEN: PERSONAL });

describe('npm start -- --live', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['as the App', APP, 'healer[bot]'],
    ['with a personal token', TOKEN, 'octavia'],
  ])(
    'renders an issue and writes nothing until filing is switched on, then files it once, %s',
    async (_, credentials, author) => {
      const world = await startOnPeers({ credentials });
      const { live, github, writes } = world;
      await play(world);
      expect(await issuesOn(github)).toEqual([]);
      expect(writesOn(github)).toEqual([]);
      const [held, ...others] = writes;
      expect(others).toEqual([]);
      expect(toText(held!)).toMatch(/^held, nothing is written on GitHub: POST \/repos\/acme\/widgets\/issues\n/);
      expect(toText(held!)).toContain('github_create_brnch');

      expect(await live.startFiling()).toBe(1);
      await live.stack.advance(2 * MINUTE);
      const [issue, ...more] = await issuesOn(github);
      expect(more).toEqual([]);
      expect(issue?.user.login).toBe(author);
      expect(issue?.title).toBe((JSON.parse(held!.body) as Issue).title);
      expect(issue?.body).toContain('https://github.example.com/acme/widgets/issues');
      expect(issue?.body).not.toContain('127.0.0.1');

      await live.stack.advance(20 * MINUTE);
      expect(await issuesOn(github)).toHaveLength(1);
      expect(await live.startFiling()).toBe(0);
    },
  );

  it('tells the dry run in the history of the incident, and prints it once', async () => {
    const world = await startOnPeers({ credentials: APP });
    await play(world);
    const printed: string[] = [];
    const look = createLook(world.live.stack, (line) => printed.push(line));
    await look();
    await look();
    expect(printed.filter((line) => line.includes('Dry run: nothing is written on GitHub'))).toHaveLength(1);
  });

  it('files at once when it is told to', async () => {
    const world = await startOnPeers({ credentials: APP, isFiling: true });
    await play(world);
    expect(await issuesOn(world.github)).toHaveLength(1);
    expect(world.writes.map(toText)).toContain('written on GitHub: POST /repos/acme/widgets/issues, answered 201');
  });
});
