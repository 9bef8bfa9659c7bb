import {
  GetParameterCommand,
  GetParametersByPathCommand,
  ParameterAlreadyExists,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { isSecretName, type SecretName } from '#lib/domain/deployment/secrets.ts';
import { type Millis } from '#lib/domain/time.ts';
import { answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import type { ConfiguredStage } from '../stage/stage.ts';

/** A secret that is stored; its value is not asked for. */
export interface StoredSecret {
  readonly name: SecretName;
  readonly since: Millis | null;
  /** False: it can be read without the right to decrypt, and Healer refuses it. */
  readonly isEncrypted: boolean;
}

/** The secrets of a stage, with the operator's own credentials. Every method throws ConfigError in an operator's words. */
export interface SecretStore {
  /** Path of a secret in the Parameter Store. */
  pathOf(name: SecretName): string;
  list(): Promise<readonly StoredSecret[]>;
  /** Stores the value, encrypted; false when one is there and may not be replaced. */
  put(name: SecretName, value: string, options: { readonly isReplacing: boolean }): Promise<boolean>;
  /** The value; undefined when none is stored. */
  read(name: SecretName): Promise<string | undefined>;
}

export function openSecretStore(stage: Pick<ConfiguredStage, 'name' | 'region' | 'deployment'>): SecretStore {
  const ssm = new SSMClient(toClientConfig(stage));
  const { prefix } = stage.deployment.secrets;
  const pathOf = (name: SecretName) => `${prefix}/${name}`;
  const about = (thing: string, right: string) => ({ thing, place: stage.region, rights: `${right} on ${prefix}/*` });
  return {
    pathOf,
    list: () => answerOf(listStored(ssm, prefix), about(`the secrets below ${prefix}`, 'ssm:GetParametersByPath')),
    put: (name, value, options) =>
      answerOf(
        putValue(ssm, { Name: pathOf(name), Value: value, Type: 'SecureString', Overwrite: options.isReplacing }),
        about(`the secret ${pathOf(name)}`, 'ssm:PutParameter'),
      ),
    read: (name) => answerOf(readValue(ssm, pathOf(name)), about(`the secret ${pathOf(name)}`, 'ssm:GetParameter')),
  };
}

async function listStored(ssm: SSMClient, prefix: string): Promise<readonly StoredSecret[]> {
  const stored: StoredSecret[] = [];
  let NextToken: string | undefined;
  do {
    const page = await ssm.send(new GetParametersByPathCommand({ Path: prefix, WithDecryption: false, NextToken }));
    for (const { Name = '', LastModifiedDate, Type } of page.Parameters ?? []) {
      const name = Name.slice(prefix.length + 1);
      if (!isSecretName(name)) continue;
      stored.push({ name, since: LastModifiedDate?.getTime() ?? null, isEncrypted: Type === 'SecureString' });
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return stored;
}

async function putValue(ssm: SSMClient, input: PutParameterCommand['input']): Promise<boolean> {
  try {
    await ssm.send(new PutParameterCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ParameterAlreadyExists) return false;
    throw error;
  }
}

async function readValue(ssm: SSMClient, path: string): Promise<string | undefined> {
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: path, WithDecryption: true }));
    return Parameter?.Value;
  } catch (error) {
    if (error instanceof Error && error.name === 'ParameterNotFound') return undefined;
    throw error;
  }
}
