import type { Deployment } from '#lib/domain/deployment/deployment.ts';
import { toConfigError } from '#lib/domain/deployment/faults.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { toSetupCommand } from './github-app/setup-command.ts';
import { type SecretRow, toSecretRows } from './secret/list-secrets.ts';
import { openSecretStore } from './secret/secret-store.ts';

/**
 * Asks AWS whether the secrets that the configuration wants are stored. Returns a sentence when the operator is known but
 * may not look: no reason to stop.
 * @throws ConfigError with a fault for each required secret that is missing or not encrypted, or when AWS cannot be asked
 */
export async function checkSecrets(deployment: Deployment): Promise<string | undefined> {
  const stage = { name: deployment.stage, region: deployment.region, deployment };
  try {
    const rows = toSecretRows(stage, await openSecretStore(stage).list());
    const faults = rows.flatMap((row) => toFault(row, deployment));
    if (faults.length > 0) throw toConfigError('The secrets have', faults);
    return undefined;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return `It is not known whether the secrets are stored: ${error.message}.`;
  }
}

const STATES: Readonly<Record<string, string>> = { missing: 'is missing', unencrypted: 'is stored unencrypted' };

function toFault({ name, state, what, advice }: SecretRow, deployment: Deployment) {
  if (!(state in STATES)) return [];
  const isAppMissing = state === 'missing' && name.startsWith('github-app-');
  const other = isAppMissing ? `; ${toSetupCommand(deployment)} makes the App and stores both` : '';
  return [{ path: '', message: `The secret ${name} (${what}) ${STATES[state]}: ${advice}${other}` }];
}

const isDenied = (error: unknown): error is ConfigError =>
  error instanceof ConfigError && error.cause instanceof Error && error.cause.name.startsWith('AccessDenied');
