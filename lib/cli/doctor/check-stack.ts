import { fileOf } from '#lib/domain/deployment/stage.ts';
import type { Millis } from '#lib/domain/time.ts';
import { findStack, toApiUrl } from '../stage/find-stack.ts';
import { listStackResources, type StackResource } from '../stage/stack-resources.ts';
import type { Ward } from './aws.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** The stack as CloudFormation tells it. */
export interface StackState {
  readonly resources: readonly StackResource[];
  /** Address of the session API, without a slash at its end; undefined before the first deployment has ended. */
  readonly apiUrl: string | undefined;
  /** When its last deployment began; null when CloudFormation does not say. */
  readonly changedAt: Millis | null;
}

/** @returns the state where there is a stack to look into, and the line about it */
export async function checkStack(
  ward: Ward,
): Promise<{ readonly finding: Finding; readonly state: StackState | null }> {
  const stack = await findStack(ward.stage);
  if (stack === undefined) return { finding: isMissing(ward), state: null };
  const { StackStatus: status = '', LastUpdatedTime, CreationTime } = stack;
  const changed = LastUpdatedTime ?? CreationTime;
  const since = changed?.toISOString().slice(0, 16).replace('T', ' ') ?? 'unknown';
  const told = `${ward.stack} is ${status} since ${since} (${ward.stage.region})`;
  const resources = await listStackResources(ward.stage);
  const state = { resources, apiUrl: toApiUrl(stack), changedAt: changed?.getTime() ?? null };
  const advice = adviceOn(status, ward.stage.name);
  return { finding: advice === null ? ok('stack', told) : wrong('stack', told, advice), state };
}

const isMissing = ({ stack, stage }: Ward): Finding =>
  wrong(
    'stack',
    `there is no stack ${stack} in ${stage.region}`,
    `Deploy it: npx serverless deploy --stage ${stage.name}; or correct the region in ${fileOf(stage.name)}.`,
  );

function adviceOn(status: string, stage: string): string | null {
  if (status === 'ROLLBACK_COMPLETE') {
    return `Its first deployment failed: npx serverless remove --stage ${stage}, delete its tables, deploy again (docs/deploy.md).`;
  }
  if (status === 'UPDATE_ROLLBACK_COMPLETE')
    return 'The last deployment was undone: the events of the stack say why. Deploy again.';
  if (status.endsWith('_IN_PROGRESS')) return 'A deployment is under way: ask again when it has ended.';
  return /^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)
    ? null
    : 'The events of the stack say what failed. Deploy again.';
}
