import type { Deployment } from '#lib/domain/deployment/deployment.ts';
import { toStage } from '#lib/domain/deployment/stage.ts';
import { UsageError } from '../command.ts';
import { readDeployment } from '../deployment-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Which deployment: it is the stack `healer-<name>` in that region. */
export interface Stage {
  readonly name: string;
  readonly region: string;
}

const REGION = /^[a-z]{2}(-[a-z]+)+-\d+$/;

/**
 * The deployment that the words of a call and the environment name.
 * @throws ConfigError when there can be no stage of that name, UsageError when there can be no such region
 */
export function parseStage(values: { readonly stage?: string; readonly region?: string }, env: Env): Stage {
  const name = toStage(values.stage ?? (env['HEALER_STAGE'] || 'dev'));
  const region = values.region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'eu-central-1');
  if (!REGION.test(region)) throw new UsageError('--region must be a region of AWS, e.g. eu-central-1');
  return { name, region };
}

/** The same, with the configuration that stands in its file. */
export interface ConfiguredStage extends Stage {
  readonly deployment: Deployment;
}

/**
 * Options of every command that is about a deployment, for `parseArgs`. Its region is that of the stage's file unless
 * another one is named.
 */
export const FILE_OPTIONS = {
  stage: { type: 'string' },
  region: { type: 'string' },
  folder: { type: 'string' },
} as const;

/** The same for help texts. */
export const FILE_HELP = `  --stage STAGE      of the deployment (default: HEALER_STAGE, else dev)
  --folder FOLDER    where healer.<stage>.yml is (default: here)
  --region REGION    another one than the file's (without a file: AWS_REGION,
                     else eu-central-1)`;

/** @throws ConfigError when there can be no such stage, or its file is missing or wrong */
export async function readStage(
  values: { readonly stage?: string; readonly region?: string; readonly folder?: string },
  env: Env,
): Promise<ConfiguredStage> {
  const { name } = parseStage({ stage: values.stage }, env);
  const deployment = await readDeployment(name, values.folder ?? '.');
  return { ...parseStage({ stage: name, region: values.region ?? deployment.region }, env), deployment };
}

export const stackOf = ({ name }: Stage): string => `healer-${name}`;
