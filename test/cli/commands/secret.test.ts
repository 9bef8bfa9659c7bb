import { generateKeyPairSync } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli, startCli } from '#test/support/cli.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

const PEM = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const EC = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

let store: ParameterStore;
let aws: AwsPeer;
let place: ReturnType<typeof aStageFolder>;
const inStage = (overrides: Partial<DeploymentInput> = {}): void => void (place = aStageFolder(overrides));
beforeEach(async () => {
  store = aParameterStore();
  aws = await startAwsPeer(store.actions);
  inStage();
});
afterEach(async () => {
  place.remove();
  await aws.stop();
});

const secret = (args: readonly string[], stdin = '') =>
  cli(['secret', ...args, '--stage', 'prod', '--folder', place.folder], {}, Readable.from([Buffer.from(stdin)]));
const valueOf = (name: string) => store.parameters.get(`/healer/prod/${name}`);

describe('healer secret set', () => {
  it.each([
    ['github-app-id', '123456\n', '123456'],
    ['github-app-key', PEM, PEM.trim()],
    ['github-webhook-secret', 'a'.repeat(64), 'a'.repeat(64)],
    ['loki-password', 'pass word\r\n', 'pass word'],
    ['kubernetes-token', 'eyJ.x.y', 'eyJ.x.y'],
    ['notify-webhook', 'https://hooks.example.com/services/T0', 'https://hooks.example.com/services/T0'],
  ])('stores %s from stdin, encrypted, and prints its path alone', async (name, stdin, value) => {
    const { code, stdout, stderr } = await secret(['set', name], stdin);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`/healer/prod/${name} is set, encrypted, in eu-central-1.\n`);
    expect(valueOf(name)).toMatchObject({ value, type: 'SecureString' });
  });

  it.each([
    ['github-app-id', 'Iv1.8a61f9b3a7aba766', 'the number that GitHub calls App ID'],
    ['github-app-key', 'not-a-key-at-all', 'the whole .pem file'],
    ['github-app-key', PEM.replace(/-----END[^]*/, ''), 'the whole .pem file'],
    ['github-app-key', EC, 'the whole .pem file'],
    ['github-webhook-secret', 'short', '16 characters'],
    ['loki-password', 'two\nlines', 'one line'],
    ['openai-key-evaluation', 'with a space', 'without spaces'],
    ['notify-webhook', 'http://hooks.example.com/T0', 'https'],
    ['loki-password', ' \n', 'there is no value'],
    ['loki-password', 'x'.repeat(5_000), 'at most 4096 bytes'],
  ])('refuses for %s what cannot be one, without repeating it', async (name, stdin, sentence) => {
    const { code, stdout, stderr } = await secret(['set', name], stdin);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain(stdin.trim().slice(0, 12) || 'never');
    expect(store.parameters.size).toBe(0);
  });

  it('replaces a stored value only when told to', async () => {
    await secret(['set', 'loki-password'], 'first');
    const refused = await secret(['set', 'loki-password'], 'second');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('/healer/prod/loki-password is set already; --force replaces it');
    expect(valueOf('loki-password')?.value).toBe('first');
    expect((await secret(['set', 'loki-password', '--force'], 'second')).code).toBe(0);
    expect(valueOf('loki-password')?.value).toBe('second');
  });

  it('puts it where the configuration says', async () => {
    place.remove();
    inStage({ secrets: { prefix: '/acme/healer' }, region: 'us-east-1' });
    const { stdout } = await secret(['set', 'loki-password', '--json'], 'x');
    expect(JSON.parse(stdout)).toEqual({ name: 'loki-password', path: '/acme/healer/loki-password' });
    expect([...store.parameters.keys()]).toEqual(['/acme/healer/loki-password']);
  });

  it.each([
    [['set'], 'the name of a secret is one of github-app-id'],
    [['set', 'hunter2'], 'the name of a secret is one of'],
    [['set', 'loki-password', 'hunter2'], 'by stdin'],
    [['forget'], 'say what to do: set, list'],
    [['list', 'more'], 'too many words'],
  ])('says of %j what would be right', async (args, sentence) => {
    const { code, stderr } = await secret(args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('hunter2');
  });

  it('says what to do without a file, and without the right', async () => {
    const missing = await cli(['secret', 'list', '--stage', 'other', '--folder', place.folder]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('healer init --stage other')]);
    aws.refuse('AmazonSSM.PutParameter', 'AccessDeniedException');
    const denied = await secret(['set', 'loki-password'], 'x');
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('ssm:PutParameter on /healer/prod/*')]);
  });
});

describe('healer secret set at a terminal', () => {
  const PROMPT = 'loki-password, the password of loki.user:';

  /** A person, who types each answer when its question stands. */
  async function atTerminal(args: readonly string[], answers: readonly (readonly [question: string, typed: string])[]) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const run = startCli(['secret', ...args, '--stage', 'prod', '--folder', place.folder], {}, stdin);
    for (const [question, typed] of answers) {
      await vi.waitUntil(() => run.stderr().includes(question), { timeout: 30_000 });
      stdin.write(`${typed}\r`);
    }
    return { code: await run.code, stdout: run.stdout(), stderr: run.stderr() };
  }

  it('asks, and shows nothing of what is typed', async () => {
    const { code, stdout, stderr } = await atTerminal(['set', 'loki-password'], [[PROMPT, 'correct horse']]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('correct');
    expect(valueOf('loki-password')?.value).toBe('correct horse');
  });

  it.each([
    ['y', 0, 'second'],
    ['n', 2, 'first'],
  ])('asks before it replaces: %s', async (word, expected, value) => {
    await secret(['set', 'loki-password'], 'first');
    const { code } = await atTerminal(
      ['set', 'loki-password'],
      [
        [PROMPT, 'second'],
        ['Replace it?', word],
      ],
    );
    expect([code, valueOf('loki-password')?.value]).toEqual([expected, value]);
  });

  it('takes a key of several lines from a file alone', async () => {
    const { code, stderr } = await atTerminal(['set', 'github-app-key'], []);
    expect(code).toBe(2);
    expect(stderr).toContain('healer secret set github-app-key < FILE');
  });
});

describe('healer secret list', () => {
  it('tells set, missing, optional, unencrypted and unused apart, and no value', async () => {
    place.remove();
    inStage({ loki: { url: 'https://loki.example.com', user: 'healer' } });
    await secret(['set', 'github-app-id'], '123456');
    await secret(['set', 'notify-webhook'], 'https://hooks.example.com/T0');
    store.put('/healer/prod/github-app-key', PEM, 'String');
    store.put('/healer/prod/somebody-elses', 'x', 'String');
    const { code, stdout } = await secret(['list', '--json']);
    expect(code).toBe(1);
    const { secrets } = JSON.parse(stdout) as { secrets: { name: string; state: string; since: string | null }[] };
    expect(Object.fromEntries(secrets.map(({ name, state }) => [name, state]))).toEqual({
      'github-app-id': 'set',
      'github-app-key': 'unencrypted',
      'github-webhook-secret': 'optional',
      'loki-password': 'missing',
      'kubernetes-token': 'not wanted',
      'openai-key-evaluation': 'not wanted',
      'openai-key-remediation': 'not wanted',
      'notify-webhook': 'unused',
    });
    expect(secrets[0]?.since).toBe('2026-11-30T08:15:00.000Z');
    expect(stdout).not.toMatch(/123456|PRIVATE KEY|hooks\.example/);
    const table = (await secret(['list'])).stdout;
    expect(table).toContain('npx healer secret set loki-password --stage prod');
    expect(table).toMatch(/github-app-id +set since 2026-11-30 08:15/);
  });

  it('ends with 0 when all that is needed is there', async () => {
    await secret(['set', 'github-app-id'], '123456');
    await secret(['set', 'github-app-key'], PEM);
    expect((await secret(['list'])).code).toBe(0);
  });
});
