import type { DynamoDBDocumentClient, PutCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed } from './errors.ts';

/** Condition of a write that must be the first of its key, in tables whose partition key is `pk`. */
export const ABSENT = 'attribute_not_exists(pk)';

/** Puts under a condition. False: the condition did not hold, and nothing was written. Other errors are thrown. */
export async function putIf(client: DynamoDBDocumentClient, input: PutCommandInput): Promise<boolean> {
  try {
    await client.send(new PutCommand(input));
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}

/**
 * Updates under a condition and returns the item as it is afterwards. Undefined: the condition did not hold.
 *
 * @param abortSignal ends the request early, as an error.
 */
export async function updateIf(
  client: DynamoDBDocumentClient,
  input: UpdateCommandInput,
  abortSignal?: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  try {
    const answer = await client.send(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }), {
      ...(abortSignal && { abortSignal }),
    });
    return answer.Attributes ?? {};
  } catch (error) {
    if (isConditionFailed(error)) return undefined;
    throw error;
  }
}

/**
 * Builds `SET … REMOVE …` from plain values: null and undefined remove the attribute, since an index is sparse only over
 * absent ones. Attribute names are always placeholders, so that reserved words do no harm.
 */
export function toUpdate(values: Readonly<Record<string, unknown>>) {
  const sets: string[] = [];
  const removes: string[] = [];
  const names: Record<string, string> = {};
  const bound: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    names[`#${name}`] = name;
    if (value === null || value === undefined) removes.push(`#${name}`);
    else {
      sets.push(`#${name} = :${name}`);
      bound[`:${name}`] = value;
    }
  }
  const parts = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
  ];
  return { expression: parts.filter((part) => part !== '').join(' '), names, values: bound };
}
