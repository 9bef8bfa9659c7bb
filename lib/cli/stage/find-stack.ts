import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { ConfigError } from '#lib/domain/errors.ts';
import { answerOf } from './aws-advice.ts';
import { toClientConfig } from './aws-client.ts';
import { type Stage, stackOf } from './stage.ts';

/** The stack of a stage; undefined when there is none. @throws ConfigError when AWS cannot be asked */
export async function findStack(stage: Stage): Promise<Stack | undefined> {
  const client = new CloudFormationClient(toClientConfig(stage));
  const StackName = stackOf(stage);
  const request = { thing: `the stack ${StackName}`, place: stage.region, rights: 'cloudformation:DescribeStacks' };
  try {
    const { Stacks = [] } = await answerOf(client.send(new DescribeStacksCommand({ StackName })), request);
    return Stacks[0];
  } catch (error) {
    if (error instanceof ConfigError && isUnknownStack(error.cause)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** CloudFormation says of a stack that is not there that the request is invalid. */
const isUnknownStack = (fault: unknown): boolean =>
  fault instanceof Error && fault.name === 'ValidationError' && /does not exist/.test(fault.message);

/** Address of the session API, without a slash at its end; undefined before the first deployment has ended. */
export const toApiUrl = ({ Outputs = [] }: Stack): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === 'HttpApiUrl')?.OutputValue?.replace(/\/+$/, '');

/** The same, asked of AWS. @throws ConfigError when it cannot be asked */
export async function findApiUrl(stage: Stage): Promise<string | undefined> {
  const stack = await findStack(stage);
  return stack && toApiUrl(stack);
}
