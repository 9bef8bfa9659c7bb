import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';

/** Keys of who deploys and operates. */
export interface Deployer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const ACCOUNT = '000000000000';
const NAME = 'healer-deployer';

/**
 * What AWS understands otherwise: the emulator does not see which path or queue some calls are about, and asks for a right
 * to each batch where AWS asks for the right to what is in it.
 */
const OF_EMULATOR = [
  'ssm:GetParametersByPath',
  'sqs:ChangeMessageVisibilityBatch',
  'sqs:DeleteMessageBatch',
  'sqs:SendMessageBatch',
  'sqs:StartMessageMoveTask',
];

/**
 * Makes a user that may do what the policies for deployers and operators grant, as docs/deploy.md says, and nothing else.
 * @throws Error with the answer of IAM when it refuses
 */
export async function makeDeployer(root: string, emulator: Emulator): Promise<Deployer> {
  const own = { Effect: 'Allow', Action: OF_EMULATOR, Resource: '*' };
  await askIam(emulator, { Action: 'CreateUser', UserName: NAME });
  for (const name of ['deployer', 'operator'])
    await attach(emulator, name, readFileSync(join(root, 'docs', `${name}-policy.json`), 'utf8'));
  await attach(emulator, 'emulator', JSON.stringify({ Version: '2012-10-17', Statement: [own] }));
  const answer = await askIam(emulator, { Action: 'CreateAccessKey', UserName: NAME });
  const valueOf = (name: string): string => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer)?.[1] ?? '';
  return { accessKeyId: valueOf('AccessKeyId'), secretAccessKey: valueOf('SecretAccessKey') };
}

async function attach(emulator: Emulator, PolicyName: string, PolicyDocument: string): Promise<void> {
  await askIam(emulator, { Action: 'CreatePolicy', PolicyName, PolicyDocument });
  const PolicyArn = `arn:aws:iam::${ACCOUNT}:policy/${PolicyName}`;
  await askIam(emulator, { Action: 'AttachUserPolicy', UserName: NAME, PolicyArn });
}

/** IAM of the emulator, asked as its root, whose signature it does not check. */
async function askIam({ endpoint }: Emulator, words: Readonly<Record<string, string>>): Promise<string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const credential = `Credential=test/${day}/us-east-1/iam/aws4_request`;
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=${randomBytes(32).toString('hex')}`,
    },
    body: new URLSearchParams({ Version: '2010-05-08', ...words }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`IAM refused ${words['Action']}: ${text.slice(0, 300)}`);
  return text;
}
