import { hasDeployment } from '../deployment-file.ts';
import { parseStage, readStage, type Stage } from './stage.ts';

/**
 * The deployment that the words of a call name, for commands that need no configuration: where the stage's file lies at
 * hand, its region is the file's.
 * @throws ConfigError when there can be no such stage or its file is wrong, UsageError when there can be no such region
 */
export async function findStage(
  values: { readonly stage?: string; readonly region?: string; readonly folder?: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<Stage> {
  const stage = parseStage(values, env);
  const isHere = values.region === undefined && (await hasDeployment(stage.name, values.folder ?? '.'));
  return isHere ? readStage(values, env) : stage;
}
