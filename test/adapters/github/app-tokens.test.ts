import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { appTokens } from '#lib/adapters/github/app-tokens.ts';
import { PERMISSIONS } from '#lib/app/mint-token.ts';
import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { anEmbeddedGitHub, askRaw, clock } from '#test/contracts/github/peers.ts';
import { faultsOf } from '#test/support/github-openapi/validate.ts';

let github: EmbeddedGitHub;
afterEach(() => github.stop());

/** The broker's adapter on the embedded GitHub, with other secrets where given. */
function anApp(secrets: { id?: string; key?: string } = {}) {
  const get = async (name: string) =>
    name === 'github-app-id' ? (secrets.id ?? github.appId) : (secrets.key ?? github.privateKey);
  return appTokens({ secrets: { get }, apiUrl: github.url, clock });
}

const foreignKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

describe('appTokens', () => {
  it('mints an hour for one repository with just the permissions asked for', async () => {
    github = await anEmbeddedGitHub({ repositories: [{ name: 'acme/shop' }, { name: 'acme/other', isPrivate: true }] });
    const token = await anApp().mint('acme/shop', PERMISSIONS.read);
    expect(token).toMatchObject({ installationId: '1001', author: 'healer[bot]' });
    expect(token.expiresAt - Date.now()).toBeGreaterThan(3_500_000);
    const [installation, minted] = github.requests();
    expect(minted?.body).toEqual({ repositories: ['shop'], permissions: PERMISSIONS.read });
    expect(await faultsOf(minted ?? { method: '', path: '' })).toEqual([]);
    expect(await faultsOf(installation ?? { method: '', path: '' })).toEqual([]);
    const other = await askRaw(`${github.url}/repos/acme/other/issues`, token.token, 'GET');
    expect(other.status).toBeGreaterThanOrEqual(403);
  });

  it('mints anew each time, so that no token is near its end', async () => {
    github = await anEmbeddedGitHub();
    const app = anApp();
    const first = await app.mint('acme/shop', PERMISSIONS.write);
    expect((await app.mint('acme/shop', PERMISSIONS.write)).token).not.toBe(first.token);
  });

  it('takes a key that was stored in one line', async () => {
    github = await anEmbeddedGitHub();
    const key = github.privateKey.replaceAll('\n', String.raw`\n`);
    await expect(anApp({ key }).mint('acme/shop', PERMISSIONS.read)).resolves.toHaveProperty('token');
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'not installed',
      () => anApp().mint('acme/out', PERMISSIONS.read),
      { status: 404, advice: expect.stringContaining('installed') },
    ],
    ['no such repository', () => anApp().mint('acme/none', PERMISSIONS.read), { status: 404 }],
    [
      'foreign key',
      () => anApp({ key: foreignKey() }).mint('acme/shop', PERMISSIONS.read),
      { status: 401, advice: expect.stringContaining('private key') },
    ],
    ['foreign App id', () => anApp({ id: '1' }).mint('acme/shop', PERMISSIONS.read), { status: 401 }],
    [
      'no key at all',
      () => anApp({ key: 'hunter2' }).mint('acme/shop', PERMISSIONS.read),
      { advice: expect.stringContaining('.pem') },
    ],
    [
      'rights missing',
      () => anApp().mint('acme/shop', PERMISSIONS.write),
      { status: 422, advice: expect.stringContaining('permissions') },
    ],
  ])('%s is permanent, with advice, and without the key', async (_name, mint, expected) => {
    github = await anEmbeddedGitHub({
      repositories: [{ name: 'acme/shop' }, { name: 'acme/out', isInstalled: false }],
      appPermissions: PERMISSIONS.read,
    });
    const failure = await mint().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SourceError', retryable: false, ...expected });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toMatch(/hunter2|BEGIN|eyJ/);
  });

  it('suspended is permanent, a server fault and a limit are not', async () => {
    github = await anEmbeddedGitHub();
    github.suspend(true);
    await expect(anApp().mint('acme/shop', PERMISSIONS.read)).rejects.toMatchObject({
      status: 403,
      retryable: false,
      advice: expect.stringContaining('Unsuspend'),
    });
    github.suspend(false);
    github.faults.add({ kind: 'status', status: 503, times: 1 });
    await expect(anApp().mint('acme/shop', PERMISSIONS.read)).rejects.toMatchObject({ status: 503, retryable: true });
    github.faults.add({ kind: 'secondary-limit', retryAfterSeconds: 5, method: 'POST' });
    await expect(anApp().mint('acme/shop', PERMISSIONS.read)).rejects.toMatchObject({ retryAfterMs: 5_000 });
    github.faults.clear();
    github.faults.add({ kind: 'html' });
    await expect(anApp().mint('acme/shop', PERMISSIONS.read)).rejects.toMatchObject({ retryable: true });
  });
});
