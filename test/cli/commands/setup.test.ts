import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { APP_EVENTS, APP_PERMISSIONS } from '#lib/app/app-permissions.ts';
import { openAppClient } from '#lib/cli/github-app/app-client.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anEmbeddedGitHub } from '#test/contracts/github/peers.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { type AwsStage, anAwsStage, STAGE_API, stageActions } from '#test/support/aws-stage.ts';
import { type CliRun, cli, startCli } from '#test/support/cli.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

const HOOK = `${STAGE_API}/api/v1/webhooks/github`;
const SECRET = 'a'.repeat(64);

let github: EmbeddedGitHub;
let store: ParameterStore;
let aws: AwsPeer;
let place: ReturnType<typeof aStageFolder>;
let stage: AwsStage;

beforeEach(async () => {
  stage = anAwsStage();
  github = await anEmbeddedGitHub({ webhook: { url: 'https://old.example.com/', secret: 'old' } });
  store = aParameterStore();
  aws = await startAwsPeer({ ...store.actions, ...stageActions(stage) });
  place = aStageFolder({ github: { apiUrl: github.url, webUrl: github.url } });
});
afterEach(async () => {
  place.remove();
  await Promise.all([github.stop(), aws.stop()]);
});

const words = (args: readonly string[]) => ['setup', 'github', ...args, '--stage', 'prod', '--folder', place.folder];
const setup = (...args: string[]) => cli(words(args));
const client = () => openAppClient({ apiUrl: github.url, appId: github.appId, privateKey: github.privateKey });

async function addressOf(run: CliRun): Promise<string> {
  return vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(run.stdout())?.[0], { timeout: 30_000 });
}

/** Asks with that Host and that path, as no browser of this run would. */
const statusOf = (port: string, host: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

const unescape = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** What a browser does with the page: the form's address and its manifest. */
async function openPage(url: string) {
  const page = await fetch(url);
  const html = await page.text();
  const [, action = ''] = /action="([^"]*)"/.exec(html) ?? [];
  const [, value = ''] = /name="manifest" value="([^"]*)"/.exec(html) ?? [];
  return { page, action: unescape(action), manifest: unescape(value) };
}

/** A person who says yes on GitHub; returns where GitHub sends the browser. */
async function sayYes(url: string): Promise<string> {
  const { action, manifest } = await openPage(url);
  const answer = await fetch(action, { method: 'POST', body: new URLSearchParams({ manifest }), redirect: 'manual' });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

describe('healer setup github', () => {
  it('hands GitHub exactly the permissions and events, stores what comes back, and says where to install', async () => {
    const run = startCli(words(['--organization', 'acme']));
    const url = await addressOf(run);
    const { page, action, manifest } = await openPage(url);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(action).toMatch(new RegExp(`^${github.url}/organizations/acme/settings/apps/new\\?state=[\\w-]{32}$`));
    expect(JSON.parse(manifest)).toMatchObject({
      name: 'healer-prod-acme',
      public: false,
      default_permissions: APP_PERMISSIONS,
      default_events: APP_EVENTS,
      hook_attributes: { url: HOOK, active: true },
      redirect_url: `${new URL(url).origin}/created`,
    });
    const back = await fetch(await sayYes(url));
    expect([back.status, await back.text()]).toEqual([200, expect.stringContaining('The App is made')]);
    expect(await run.code).toBe(0);
    expect(store.valueOf('/healer/prod/github-app-id')).toBe(github.appId);
    expect(store.valueOf('/healer/prod/github-app-key')).toBe(github.privateKey.trim());
    expect(store.valueOf('/healer/prod/github-webhook-secret')).toMatch(/^[0-9a-f]{40}$/);
    expect([...store.parameters.values()].map(({ type }) => type)).toEqual(
      Array.from({ length: 3 }, () => 'SecureString'),
    );
    expect(await (await client()).hookUrl()).toBe(HOOK);
    const printed = run.stdout() + run.stderr();
    expect(printed).toContain('/apps/healer/installations/new');
    for (const { value } of store.parameters.values()) if (value.length > 8) expect(printed).not.toContain(value);
  });

  it('sends events nowhere before there is a deployment, and says what to do then', async () => {
    stage.status = undefined;
    const run = startCli(words(['--personal']));
    const url = await addressOf(run);
    const { action, manifest } = await openPage(url);
    expect(action).toContain(`${github.url}/settings/apps/new?`);
    expect(JSON.parse(manifest)).toMatchObject({ hook_attributes: { url: expect.stringContaining('.invalid/') } });
    await fetch(await sayYes(url));
    expect(await run.code).toBe(0);
    expect(run.stdout()).toContain('npx healer setup github --webhook --stage prod');
  });

  it('takes no answer that is not of this run, and goes on waiting', async () => {
    const run = startCli(words(['--organization', 'acme']));
    const url = await addressOf(run);
    const target = new URL(await sayYes(url));
    for (const [name, value] of [
      ['state', 'x'.repeat(32)],
      ['state', ''],
      ['code', 'a/../b'],
    ] as const) {
      const wrong = new URL(target);
      wrong.searchParams.set(name, value);
      expect((await fetch(wrong)).status).toBe(400);
    }
    expect((await fetch(new URL('/', target))).status).toBe(404);
    expect((await fetch(target, { method: 'POST' })).status).toBe(404);
    for (const [host, path] of [
      [target.host, '//'],
      ['elsewhere.example.com', new URL(url).pathname],
      ['elsewhere.example.com', target.pathname + target.search],
    ] as const) {
      expect(await statusOf(target.port, host, path)).toBe(404);
    }
    expect(store.parameters.size).toBe(0);
    await fetch(target);
    expect(await run.code).toBe(0);
  });

  it('says so when GitHub does not know the code', async () => {
    const run = startCli(words(['--organization', 'acme']));
    const target = new URL(await sayYes(await addressOf(run)));
    target.searchParams.set('code', 'unknown');
    expect((await fetch(target)).status).toBe(502);
    expect(await run.code).toBe(2);
    expect(run.stderr()).toContain('GitHub answered 404');
    expect(run.stderr()).not.toContain('unknown');
  });

  it('says where another key comes from when the key cannot be stored', async () => {
    const run = startCli(words(['--organization', 'acme']));
    const url = await addressOf(run);
    aws.refuse('AmazonSSM.PutParameter', 'AccessDeniedException');
    await fetch(await sayYes(url));
    expect(await run.code).toBe(2);
    expect(run.stderr()).toMatch(/ssm:PutParameter.*Generate another key at .*\/apps\/healer/);
    expect(run.stderr()).not.toContain('PRIVATE KEY');
  });

  it('ends on Ctrl-C', async () => {
    const run = startCli(words(['--organization', 'acme']));
    await addressOf(run);
    run.interrupt();
    expect(await run.code).toBe(2);
    expect(run.stderr()).toContain('stopped');
  });

  it('does not lose the key of an App that is set up', async () => {
    store.put('/healer/prod/github-app-id', '1');
    const { code, stderr } = await setup('--organization', 'acme');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--force')]);
    const run = startCli(words(['--organization', 'acme', '--force']));
    await fetch(await sayYes(await addressOf(run)));
    expect(await run.code).toBe(0);
    expect(store.valueOf('/healer/prod/github-app-id')).toBe(github.appId);
  });

  it('only shows the manifest', async () => {
    const { code, stdout } = await setup('--organization', 'acme', '--name', 'Our Healer', '--manifest-only');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'Our Healer',
      url: `${github.url}/acme`,
      default_events: APP_EVENTS,
    });
    expect(aws.names()).toEqual([]);
  });

  it.each([
    [[], '--organization'],
    [['--organization', 'acme', '--personal'], '--organization'],
    [['--organization', 'a/b'], 'the name of an organization'],
    [['--organization', 'acme', '--name', 'x'.repeat(35)], '1 to 34 characters'],
    [['--organization', 'acme', '--port', '99999'], '--port'],
    [['--webhook', '--webhook-url', 'http://x.example.com'], 'with https'],
  ])('says of %j what would be right', async (args, sentence) => {
    const { code, stderr } = await setup(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('sets up nothing but GitHub', async () => {
    expect((await cli(['setup', 'gitlab'])).stderr).toContain('say what to set up: github');
  });
});

describe('healer setup github --webhook', () => {
  beforeEach(() => {
    store.put('/healer/prod/github-app-id', `${github.appId}\n`);
    store.put('/healer/prod/github-app-key', github.privateKey);
  });

  it('sends the events to the stack, signed with the stored secret', async () => {
    store.put('/healer/prod/github-webhook-secret', SECRET);
    const { code, stdout } = await setup('--webhook');
    expect([code, stdout]).toEqual([0, `The App's events go to ${HOOK}.\n`]);
    expect(await (await client()).hookUrl()).toBe(HOOK);
    expect(github.requests().find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      url: HOOK,
      secret: SECRET,
    });
  });

  it('makes and stores a secret where there is none', async () => {
    const { code } = await setup('--webhook', '--webhook-url', 'https://hooks.example.com/github');
    expect(code).toBe(0);
    const secret = store.valueOf('/healer/prod/github-webhook-secret');
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(github.requests().find(({ method }) => method === 'PATCH')?.body).toMatchObject({ secret });
  });

  it('says what is missing', async () => {
    stage.status = undefined;
    expect((await setup('--webhook')).stderr).toContain('npx serverless deploy --stage prod');
    stage.status = 'CREATE_COMPLETE';
    store.put('/healer/prod/github-app-key', 'no key');
    expect((await setup('--webhook')).stderr).toContain('no private key in PEM');
    store.put('/healer/prod/github-app-key', github.privateKey);
    store.put('/healer/prod/github-app-id', '999');
    expect((await setup('--webhook')).stderr).toContain('GitHub answered 401');
    store.parameters.clear();
    expect((await setup('--webhook')).stderr).toContain('no App is set up');
  });
});
