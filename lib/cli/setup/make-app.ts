import { ConfigError, ConflictError, HealerError } from '#lib/domain/errors.ts';
import type { SecretStore } from '../secret/secret-store.ts';
import { type MadeApp } from './convert-code.ts';

/** @throws ConflictError when an App is set up already: its key would be lost */
export async function ensureNoApp(secrets: SecretStore): Promise<void> {
  const stored = (await secrets.list()).map(({ name }) => name);
  if (!stored.includes('github-app-id') && !stored.includes('github-app-key')) return;
  throw new ConflictError(
    `an App is set up already (${secrets.pathOf('github-app-id')}); --force makes another one and replaces its secrets`,
  );
}

/**
 * Stores what GitHub hands out once; the key first, which cannot be had again.
 * @throws ConfigError that says where another key comes from, when it could not be stored
 */
export async function storeApp(secrets: SecretStore, app: MadeApp): Promise<void> {
  try {
    await secrets.put('github-app-key', app.pem.trim(), { isReplacing: true });
    await secrets.put('github-app-id', String(app.id), { isReplacing: true });
    const { webhook_secret: secret } = app;
    if (secret) await secrets.put('github-webhook-secret', secret, { isReplacing: true });
  } catch (error) {
    const reason = error instanceof HealerError ? error.message : 'the store did not answer';
    throw new ConfigError(
      `GitHub made the App, but not all of it could be stored: ${reason}. Generate another key at ${app.html_url}, and ` +
        'store both with healer secret set github-app-id and github-app-key; then healer setup github --webhook',
      { cause: error },
    );
  }
}
