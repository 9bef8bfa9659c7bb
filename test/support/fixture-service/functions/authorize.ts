import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { record } from './records.ts';

const ssm = new SSMClient({});

/** Lets in who shows the secret that the parameter store holds; `broken` shows what a failing authorizer does. */
export async function handler(event: APIGatewayRequestAuthorizerEventV2) {
  const [shown = ''] = event.identitySource ?? [];
  if (shown === 'broken') throw new Error('the authorizer is broken');
  if (shown === 'nonsense') return { answer: 'yes' };
  const { Parameter } = await ssm.send(
    new GetParameterCommand({ Name: process.env['SECRET_NAME'], WithDecryption: true }),
  );
  const isAuthorized = shown === `Bearer ${Parameter?.Value}`;
  await record('authorize', isAuthorized ? 'let in' : 'refused');
  return { isAuthorized, context: { holder: 'fixture', at: String(Date.now()) } };
}
