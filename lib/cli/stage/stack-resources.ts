import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { answerOf } from './aws-advice.ts';
import { toClientConfig } from './aws-client.ts';
import { type Stage, stackOf } from './stage.ts';

/** A resource of a deployment's stack. */
export interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  /** The name or id by which its service knows it. */
  readonly physicalId: string;
}

/** All resources of the stack. @throws ConfigError in an operator's words, also when there is no such stack */
export async function listStackResources(stage: Stage): Promise<readonly StackResource[]> {
  const client = new CloudFormationClient(toClientConfig(stage));
  const StackName = stackOf(stage);
  const list = async () => {
    const found: StackResource[] = [];
    let NextToken: string | undefined;
    do {
      const page = await client.send(new ListStackResourcesCommand({ StackName, NextToken }));
      for (const {
        LogicalResourceId = '',
        ResourceType = '',
        PhysicalResourceId = '',
      } of page.StackResourceSummaries ?? []) {
        found.push({ logicalId: LogicalResourceId, type: ResourceType, physicalId: PhysicalResourceId });
      }
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return found;
  };
  const rights = 'cloudformation:ListStackResources on it';
  return answerOf(list(), { thing: `the stack ${StackName}`, place: stage.region, rights });
}
