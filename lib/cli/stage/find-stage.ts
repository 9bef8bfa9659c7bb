import { ConfigError } from '#lib/domain/errors.ts';
import { hasDeployment, readRegion } from '../deployment-file.ts';
import {
  checkRegion,
  type Env,
  type FoundStage,
  parseStage,
  readStage,
  type StageWords,
  toStageName,
} from './stage.ts';

/**
 * The deployment that the words of a call name, for commands that can do without its configuration. A file that is at hand
 * says the region, also when something else in it is wrong: a stage can be stopped whatever stands there.
 * @throws ConfigError when there can be no such stage, or its file is wrong and no region is known; UsageError when there is
 * no such region, or the file names another one
 */
export async function findStage(words: StageWords, env: Env): Promise<FoundStage> {
  try {
    return await readStage(words, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { kind, region } = await findRegion(words, env, error);
    const stage = parseStage({ ...words, region }, env);
    return {
      ...stage,
      deployment: null,
      lack: { kind, error },
      words: `--stage ${stage.name} --region ${stage.region}`,
    };
  }
}

/** The region that a wrong file names, or that the words name in its place. @throws the fault where neither does */
async function findRegion(words: StageWords, env: Env, fault: ConfigError) {
  const name = toStageName(words, env);
  const folder = words.folder ?? '.';
  if (!(await hasDeployment(name, folder))) return { kind: 'missing', region: words.region } as const;
  const own = await readRegion(name, folder);
  if (own !== undefined) checkRegion(words, name, own);
  const region = own ?? words.region;
  if (region === undefined) throw fault;
  return { kind: 'wrong', region } as const;
}
