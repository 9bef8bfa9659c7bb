import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { type Api, createApi } from './api.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { makeDeployer } from './deployer.ts';
import { type Emulator, REGION } from './emulator.ts';
import { openService, type Service } from './service.ts';

/** The deployed service, its peers, and what the checks hand on to each other. */
export interface Deployment {
  readonly emulator: Emulator;
  readonly service: Service;
  readonly loki: EmbeddedLoki;
  readonly github: EmbeddedGitHub;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly api: Api;
  readonly deliveries: Deliveries;
  /** By which GitHub signs its events. */
  readonly webhookSecret: string;
  /** Facts that a later check compares with. */
  readonly notes: Map<string, unknown>;
}

export const REPOSITORY = 'acme/widgets';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The file that declares the misspelt tool, as the play announces it, and one that knows the right name. */
const FILES = {
  'cto-config.json': json({ version: '1.0', ...(misspeltToolPlay.announcement['cto_config'] as object) }),
  'tools.json': json({ tools: ['docs_lookup', 'github_create_branch', 'github_create_pull_request'] }),
};

/** What the operator decides; `healer init` takes it by stdin. */
const toConfiguration = (loki: EmbeddedLoki, github: EmbeddedGitHub): DeploymentInput => ({
  region: REGION,
  repositories: { allowed: ['acme/*'] },
  loki: { url: loki.url },
  github: { apiUrl: github.url },
  alarms: { email: 'oncall@example.com' },
});

/** Starts the peers on loopback and opens the service; nothing is deployed yet. */
export async function openDeployment(root: string, folder: string, emulator: Emulator): Promise<Deployment> {
  const loki = await startLoki();
  const api = createApi(emulator.endpoint);
  const deliveries = await openDeliveries(api);
  const webhookSecret = randomBytes(32).toString('hex');
  const github = await startGitHub({
    repositories: [{ name: REPOSITORY, isPrivate: true, files: FILES }],
    webhook: { url: deliveries.url, secret: webhookSecret, deliverTo: deliveries.url },
  });
  const service = openService(root, folder, emulator, await makeDeployer(root, emulator));
  await service.tell(JSON.stringify(toConfiguration(loki, github)), 'init');
  const client = {
    endpoint: emulator.endpoint,
    region: REGION,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  return {
    emulator,
    service,
    loki,
    github,
    dynamodb: new DynamoDBClient(client),
    sqs: new SQSClient({ ...client, useQueueUrlAsEndpoint: false }),
    api,
    deliveries,
    webhookSecret,
    notes: new Map(),
  };
}

export async function closeDeployment({ service, loki, github, deliveries, dynamodb, sqs }: Deployment): Promise<void> {
  await service.stop();
  for (const client of [dynamodb, sqs]) client.destroy();
  await Promise.all([loki.stop(), github.stop(), deliveries.stop()]);
}
