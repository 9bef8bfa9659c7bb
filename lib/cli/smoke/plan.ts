import { systemIds } from '#lib/adapters/system/ids.ts';
import type { Deployment } from '#lib/domain/deployment/deployment.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import { UsageError } from '../command.ts';
import type { FoundStage } from '../stage/stage.ts';

/** What a smoke test announces, and with whose words. */
export interface SmokePlan {
  readonly stage: FoundStage;
  /** Marked, so that people and lists know it. */
  readonly playId: string;
  readonly repository: string;
  readonly namespace: string;
  /** Address of the API; undefined: the stack knows it. */
  readonly url: string | undefined;
  /** A token of the caller; undefined: one is made for the time of the test. */
  readonly token: string | undefined;
}

export interface SmokeWords {
  readonly repository?: string | undefined;
  readonly namespace?: string | undefined;
  readonly url?: string | undefined;
}

/** Play ids of smoke tests begin so. */
const MARK = 'healer-smoke';
/** Of an owner whose every repository is watched, this one is named: nothing is written to it, and it need not exist. */
const NO_REPOSITORY = 'healer-smoke';
const DEFAULT_NAMESPACE = 'cto';

/**
 * Repository and namespace as the words say, else as the deployment is configured.
 * @throws UsageError when neither says which repository, or the caller must bring a token
 */
export function toPlan(
  stage: FoundStage,
  words: SmokeWords,
  env: Readonly<Record<string, string | undefined>>,
): SmokePlan {
  const { deployment } = stage;
  const token = env['HEALER_TOKEN'] || undefined;
  const authorization = deployment?.api.authorization ?? 'token';
  if (authorization === 'iam') {
    throw new UsageError('smoke speaks with bearer tokens, and this deployment takes signed requests (iam) alone');
  }
  if (authorization === 'jwt' && token === undefined) {
    throw new UsageError('this deployment takes tokens of your own issuer: put one into HEALER_TOKEN');
  }
  return {
    stage,
    playId: `${MARK}-${systemIds.uuid().slice(0, 8)}`,
    repository: words.repository === undefined ? repositoryOf(deployment) : toRepositoryName(words.repository),
    namespace: words.namespace ?? deployment?.kubernetes?.namespaces[0] ?? DEFAULT_NAMESPACE,
    url: words.url ?? (env['HEALER_URL'] || undefined),
    token,
  };
}

function repositoryOf(deployment: Deployment | null): string {
  const [first] = deployment?.repositories.allowed ?? [];
  if (first === undefined) {
    throw new UsageError(
      "say which repository it may announce with --repository owner/name, or call it where the stage's file is",
    );
  }
  return first.endsWith('/*') ? first.replace('*', NO_REPOSITORY) : first;
}
