import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import type { Clock, Secrets } from '#lib/app/ports.ts';
import { HealerError, SourceError } from '#lib/domain/errors.ts';
import { faultName, faultStatus, isPassing } from './aws-fault.ts';

/** How long a value is kept: a rotated secret works within this time, without a deployment. */
const KEPT_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;

const fault = (message: string, advice: string, retryable: boolean, status?: number): SourceError =>
  new SourceError({ source: 'secrets', message, advice, retryable, status });

const storeAdvice = (parameter: string): string =>
  `Store it: aws ssm put-parameter --type SecureString --name ${parameter} --value file://<file with the secret>`;

function toSecretError(error: unknown, parameter: string): HealerError {
  if (error instanceof HealerError) return error;
  const name = faultName(error);
  if (name === 'ParameterNotFound') {
    return fault(`the secret ${parameter} is not stored`, storeAdvice(parameter), false, 404);
  }
  const advice = `Check that the function's role may read ${parameter} (ssm:GetParameter) and decrypt it.`;
  return fault(`the secret ${parameter} could not be read: ${name}`, advice, isPassing(error), faultStatus(error));
}

/**
 * Secrets from the SSM Parameter Store, `<prefix>/<name>`, as SecureString, kept in memory for five minutes.
 * @param deps.prefix e.g. `/healer/prod`
 * @throws SourceError from `get`; status 404 when the secret is not stored. No message holds a value.
 */
export function ssmSecrets(deps: { ssm: SSMClient; prefix: string; clock: Clock }): Secrets {
  const kept = new Map<string, { value: string; until: number }>();

  async function read(parameter: string): Promise<string> {
    const command = new GetParameterCommand({ Name: parameter, WithDecryption: true });
    const { Parameter: found } = await deps.ssm.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
    if (found?.Value === undefined || found.Value.trim() === '') {
      throw fault(`the secret ${parameter} is empty`, storeAdvice(parameter), false);
    }
    if (found.Type !== undefined && found.Type !== 'SecureString') {
      throw fault(`the secret ${parameter} is stored unencrypted, as ${found.Type}`, storeAdvice(parameter), false);
    }
    return found.Value;
  }

  return {
    async get(name) {
      const known = kept.get(name);
      if (known !== undefined && known.until > deps.clock.now()) return known.value;
      const parameter = `${deps.prefix.replace(/\/$/, '')}/${name}`;
      try {
        const value = await read(parameter);
        kept.set(name, { value, until: deps.clock.now() + KEPT_MS });
        return value;
      } catch (error) {
        throw toSecretError(error, parameter);
      }
    },
  };
}
