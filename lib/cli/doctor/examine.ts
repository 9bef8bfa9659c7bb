import { toSecretRows } from '../secret/list-secrets.ts';
import { openSecretStore } from '../secret/secret-store.ts';
import type { ConfiguredStage } from '../stage/stage.ts';
import { closeWard, openWard, type Ward } from './aws.ts';
import { checkFunctions } from './check-functions.ts';
import { checkGitHub } from './check-github.ts';
import { checkModels } from './check-models.ts';
import { checkDeadLetters, checkMappings } from './check-queues.ts';
import { checkSchedule } from './check-schedule.ts';
import { toSecretFindings } from './check-secrets.ts';
import { checkSources } from './check-sources.ts';
import { checkStack, type StackState } from './check-stack.ts';
import { checkSweep } from './check-sweep.ts';
import { attempt, type Finding } from './finding.ts';

/**
 * Looks at everything that a deployment needs to work.
 * @throws ConfigError when AWS cannot be asked at all
 */
export async function examine(stage: ConfiguredStage): Promise<readonly Finding[]> {
  const ward = openWard(stage);
  try {
    const { finding, state } = await checkStack(ward);
    const secrets = openSecretStore(stage);
    const parts = await Promise.all([
      state === null ? [] : examineStack(ward, state),
      attempt('secrets', async () => toSecretFindings(toSecretRows(stage, await secrets.list()))),
      state === null ? [] : attempt('Loki', () => checkSources(ward)),
      attempt('GitHub App', () => checkGitHub(stage, secrets, state?.apiUrl)),
      state === null ? [] : checkModels(ward),
    ]);
    return [finding, ...parts.flat()];
  } finally {
    closeWard(ward);
  }
}

async function examineStack(ward: Ward, state: StackState): Promise<readonly Finding[]> {
  const parts = await Promise.all([
    attempt('functions', () => checkFunctions(ward, state)),
    attempt('schedule', () => checkSchedule(ward, state)),
    attempt('last sweep', () => checkSweep(ward)),
    attempt('queues', () => checkMappings(ward)),
    attempt('dead letters', () => checkDeadLetters(ward)),
  ]);
  return parts.flat();
}
