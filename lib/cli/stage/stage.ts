import type { Deployment } from '#lib/domain/deployment/deployment.ts';
import { isRegion, sayRegion } from '#lib/domain/deployment/regions.ts';
import { fileOf, toStage } from '#lib/domain/deployment/stage.ts';
import type { ConfigError } from '#lib/domain/errors.ts';
import { UsageError } from '../command.ts';
import { readDeployment, toFolderWords } from '../deployment-file.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Words of a call that say which deployment is meant. */
export interface StageWords {
  readonly stage?: string;
  readonly region?: string;
  readonly folder?: string;
}

/** Which deployment: it is the stack `healer-<name>` in that region. */
export interface Stage {
  readonly name: string;
  readonly region: string;
}

/** @throws ConfigError when there can be no stage of that name */
export const toStageName = ({ stage }: StageWords, env: Env): string =>
  toStage(stage ?? (env['HEALER_STAGE'] || 'dev'));

/**
 * The deployment that the words of a call and the environment name, without a look at its file.
 * @throws ConfigError when there can be no stage of that name, UsageError when there is no such region
 */
export const parseStage = (words: StageWords, env: Env): Stage => ({
  name: toStageName(words, env),
  region: toRegion(words, env),
});

/** @throws UsageError, naming what holds the wrong region */
function toRegion({ region }: StageWords, env: Env): string {
  const named = [
    ['--region', region],
    ['AWS_REGION', env['AWS_REGION'] || undefined],
    ['AWS_DEFAULT_REGION', env['AWS_DEFAULT_REGION'] || undefined],
  ] as const;
  const [source, text = 'eu-central-1'] = named.find(([, value]) => value !== undefined) ?? [];
  if (isRegion(text)) return text;
  throw new UsageError(`${source} ${sayRegion(text)}`);
}

/** A deployment together with what stands in its file. */
export interface FoundStage extends Stage {
  /** Null where no file is at hand, or none that is right. */
  readonly deployment: Deployment | null;
  /** What is the matter with the file; null when it is right. */
  readonly lack: { readonly kind: 'missing' | 'wrong'; readonly error: ConfigError } | null;
  /** Words that name it in the next command, such as `--stage prod`. */
  readonly words: string;
}

/** The same, of a file that is at hand and right. */
export interface ConfiguredStage extends FoundStage {
  readonly deployment: Deployment;
}

export const isConfigured = (stage: FoundStage): stage is ConfiguredStage => stage.deployment !== null;

/** Options of every command that is about a deployment, for `parseArgs`. */
export const FILE_OPTIONS = {
  stage: { type: 'string' },
  region: { type: 'string' },
  folder: { type: 'string' },
} as const;

/** The same for help texts. */
export const FILE_HELP = `  --stage STAGE      of the deployment (default: HEALER_STAGE, else dev)
  --folder FOLDER    where healer.<stage>.yml is (default: here)
  --region REGION    without that file (default: AWS_REGION, else eu-central-1);
                     with it, the file says the region`;

/**
 * The deployment that the words of a call name, with its configuration.
 * @throws ConfigError when there can be no such stage, or its file is missing or wrong; UsageError when the words name
 * another region than the file
 */
export async function readStage(words: StageWords, env: Env): Promise<ConfiguredStage> {
  const name = toStageName(words, env);
  const { folder = '.' } = words;
  const deployment = await readDeployment(name, folder);
  const { region } = deployment;
  checkRegion(words, name, region);
  return { name, region, deployment, lack: null, words: `--stage ${name}${toFolderWords(folder)}` };
}

/**
 * One rule for every command that asks AWS: what a stage's file says of its region counts, and nothing overrules it.
 * @throws UsageError when `--region` names another one, or none at all
 */
export function checkRegion({ region }: StageWords, stage: string, own: string): void {
  if (region === undefined || region === own) return;
  if (!isRegion(region)) throw new UsageError(`--region ${sayRegion(region)}`);
  throw new UsageError(
    `--region ${region} contradicts ${fileOf(stage)}, whose region is ${own}: leave it out, or change the file`,
  );
}

export const stackOf = ({ name }: Stage): string => `healer-${name}`;
