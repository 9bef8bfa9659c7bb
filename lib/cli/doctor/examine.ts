import { type SecretRow, toSecretRows } from '../secret/list-secrets.ts';
import { openSecretStore } from '../secret/secret-store.ts';
import { type ConfiguredStage, type FoundStage, isConfigured } from '../stage/stage.ts';
import { closeWard, openWard, type Ward } from './aws.ts';
import { failWithoutFile, toFileFindings } from './check-file.ts';
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
 * Looks at everything that a deployment needs to work; without its file, at what can be seen without one.
 * @throws ConfigError when AWS cannot be asked at all, or when there is neither file nor stack
 */
export async function examine(stage: FoundStage): Promise<readonly Finding[]> {
  const ward = openWard(stage);
  try {
    const { finding, state } = await checkStack(ward).catch((error: unknown) => failWithoutFile(stage, error));
    if (state === null && stage.lack?.kind === 'missing') return failWithoutFile(stage, null);
    const app = isConfigured(stage) ? { stage, rows: listRows(stage) } : null;
    const parts = await Promise.all([
      state === null ? [] : examineStack(ward, state),
      app === null ? [] : attempt('secrets', async () => toSecretFindings(await app.rows)),
      state === null ? [] : attempt('Loki', () => checkSources(ward)),
      app === null ? [] : attempt('GitHub App', () => examineApp(app, state?.apiUrl)),
      state === null ? [] : checkModels(ward),
    ]);
    return [...toFileFindings(stage), finding, ...parts.flat()];
  } finally {
    closeWard(ward);
  }
}

async function examineStack(ward: Ward, state: StackState): Promise<readonly Finding[]> {
  const parts = await Promise.all([
    attempt('functions', () => checkFunctions(ward, state)),
    attempt('schedule', () => checkSchedule(ward, state)),
    attempt('last sweep', () => checkSweep(ward, state)),
    attempt('queues', () => checkMappings(ward)),
    attempt('dead letters', () => checkDeadLetters(ward)),
  ]);
  return parts.flat();
}

interface Configured {
  readonly stage: ConfiguredStage;
  readonly rows: Promise<readonly SecretRow[]>;
}

const listRows = async (stage: ConfiguredStage): Promise<readonly SecretRow[]> =>
  toSecretRows(stage, await openSecretStore(stage).list());

async function examineApp({ stage, rows }: Configured, apiUrl: string | undefined): Promise<readonly Finding[]> {
  // Who may not list the secrets is told so in their line; the webhook is looked at as that of a stage that has all.
  const hasSecret = await rows.then(
    (all) => all.some(({ name, state }) => name === 'github-webhook-secret' && state !== 'optional'),
    () => true,
  );
  return checkGitHub(stage, openSecretStore(stage), { apiUrl, hasSecret });
}
