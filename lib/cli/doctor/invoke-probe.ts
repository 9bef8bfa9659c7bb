import { InvokeCommand } from '@aws-sdk/client-lambda';
import type * as z from 'zod';
import type { ProbeRequest } from '#lib/domain/probe.ts';
import type { Ward } from './aws.ts';
import { FoundWrong } from './finding.ts';

/**
 * What a function answers to a probe.
 * @throws ConfigError when it cannot be invoked, FoundWrong when it fails, or answers as another version does
 */
export async function invokeProbe<T>(
  ward: Ward,
  name: 'detect' | 'evaluate' | 'remediate',
  answer: z.ZodType<T>,
  request: Partial<ProbeRequest> = {},
): Promise<T> {
  const FunctionName = `${ward.stack}-${name}`;
  const Payload = JSON.stringify({ healer: 'probe', ...request });
  const asked = ward.probes.send(new InvokeCommand({ FunctionName, Payload }));
  const response = await ward.ask(asked, `the function ${FunctionName}`, 'lambda:InvokeFunction');
  const told = parseJson(Buffer.from(response.Payload ?? []).toString('utf8'));
  if (response.FunctionError !== undefined) {
    throw new FoundWrong(
      `${name} failed: ${errorOf(told)}`,
      `The log of ${name} says more; deploying again restores its settings.`,
    );
  }
  const parsed = answer.safeParse(told);
  if (parsed.success) return parsed.data;
  throw new FoundWrong(
    `${name} does not answer as this version of Healer does`,
    `Another version is deployed: npx serverless deploy --stage ${ward.stage.name}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MOST = 300;

/** Lambda tells type and message of what was thrown. */
function errorOf(told: unknown): string {
  const { errorType, errorMessage } = (told ?? {}) as { errorType?: unknown; errorMessage?: unknown };
  const words = [errorType, errorMessage].filter((word) => typeof word === 'string');
  return words.length === 0 ? 'no reason given' : words.join(': ').slice(0, MOST);
}
