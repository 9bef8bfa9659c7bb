import { systemRandom } from '#lib/adapters/system/ids.ts';
import { ConfigError, SourceError } from '#lib/domain/errors.ts';
import { openAppClient } from '../github-app/app-client.ts';
import type { SecretStore } from '../secret/secret-store.ts';
import type { ConfiguredStage } from '../stage/stage.ts';

/**
 * Sends the App's events to the address, signed with the stored secret; without one, it is made and stored.
 * @throws ConfigError when the App is not set up, or GitHub refuses
 */
export async function setWebhook(stage: ConfiguredStage, secrets: SecretStore, url: string): Promise<void> {
  const appId = await secrets.read('github-app-id');
  const privateKey = await secrets.read('github-app-key');
  if (appId === undefined || privateKey === undefined) {
    throw new ConfigError('no App is set up: run this without --webhook first, or store its id and key');
  }
  const client = await openAppClient({ apiUrl: stage.deployment.github.apiUrl, appId, privateKey });
  const secret = (await secrets.read('github-webhook-secret'))?.trim() || (await makeSecret(secrets));
  try {
    await client.setHook(url, secret);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new ConfigError(`${error.message}. ${error.advice}`, { cause: error });
  }
}

async function makeSecret(secrets: SecretStore): Promise<string> {
  const secret = Buffer.from(systemRandom.bytes(32)).toString('hex');
  await secrets.put('github-webhook-secret', secret, { isReplacing: true });
  return secret;
}
