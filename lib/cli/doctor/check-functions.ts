import { type FunctionConfiguration, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { ConfigError } from '#lib/domain/errors.ts';
import { FLOW } from '#lib/flow.ts';
import type { Ward } from './aws.ts';
import type { StackState } from './check-stack.ts';
import { type Finding, ok, unknown, wrong } from './finding.ts';

/** Every function stands, can run, and has the role that the template gives it. */
export async function checkFunctions(ward: Ward, { resources }: StackState): Promise<readonly Finding[]> {
  const found = await Promise.all(FLOW.map((stage) => lookAtFunction(ward, stage.function, resources)));
  const told = found.filter((finding) => finding !== null);
  return told.length > 0 ? told : [ok('functions', `${FLOW.length} are active, each with the role of its own`)];
}

/** @returns null for a function that is well */
async function lookAtFunction(ward: Ward, name: string, resources: StackState['resources']): Promise<Finding | null> {
  const FunctionName = `${ward.stack}-${name}`;
  const toWrong = (seen: string) =>
    wrong('functions', seen, `npx serverless deploy --stage ${ward.stage.name} restores it.`);
  try {
    const asked = ward.lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const found = await ward.ask(asked, `the function ${FunctionName}`, 'lambda:GetFunctionConfiguration');
    if (found.State === 'Pending') {
      return unknown('functions', `${name} is Pending`, 'AWS makes it ready: ask again in a minute.');
    }
    const fault = faultOfState(name, found) ?? faultOfRole(name, found, roleOf(name, resources));
    return fault === null ? null : toWrong(fault);
  } catch (error) {
    const isMissing =
      error instanceof ConfigError && (error.cause as Error | undefined)?.name === 'ResourceNotFoundException';
    if (isMissing) return toWrong(`${name} is not there`);
    throw error;
  }
}

function faultOfState(name: string, { State, StateReason, LastUpdateStatus }: FunctionConfiguration): string | null {
  if (State !== undefined && State !== 'Active') return `${name} is ${State} (${StateReason ?? 'no reason given'})`;
  return LastUpdateStatus === 'Failed' ? `the last update of ${name} failed` : null;
}

/** A role that somebody has put in its place may do more, or less. */
function faultOfRole(name: string, { Role = '' }: FunctionConfiguration, own: string | undefined): string | null {
  const role = Role.split('/').at(-1);
  return own !== undefined && role !== own ? `${name} runs with the role ${role}, not with its own` : null;
}

const roleOf = (name: string, resources: StackState['resources']): string | undefined =>
  resources.find(({ logicalId }) => logicalId === `${toPascal(name)}Role`)?.physicalId;

/** `session-write` becomes `SessionWrite`, as roles are named in infra/roles.yml. */
const toPascal = (name: string): string =>
  name
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');
