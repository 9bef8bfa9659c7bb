import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import { type FoundStage, stackOf } from '../stage/stage.ts';

/** Longer than any function runs that is asked from inside, and its cold start. */
const PROBE_MS = 120_000;

/** The stage, and the clients by which it is looked at, with the operator's own credentials. */
export interface Ward {
  readonly stage: FoundStage;
  /** Name of the stack; functions, queues and log groups begin with it. */
  readonly stack: string;
  readonly lambda: LambdaClient;
  /** Waits for a function to end, and asks once. */
  readonly probes: LambdaClient;
  readonly scheduler: SchedulerClient;
  readonly sqs: SQSClient;
  readonly logs: CloudWatchLogsClient;
  /** Waits for an answer. @throws ConfigError in an operator's words */
  readonly ask: <T>(work: Promise<T>, thing: string, rights: string) => Promise<T>;
}

export function openWard(stage: FoundStage): Ward {
  const config = toClientConfig(stage);
  const requestHandler = { ...config.requestHandler, requestTimeout: PROBE_MS };
  return {
    stage,
    stack: stackOf(stage),
    lambda: new LambdaClient(config),
    probes: new LambdaClient({ ...config, maxAttempts: 1, requestHandler }),
    scheduler: new SchedulerClient(config),
    // Emulators hand out queue URLs with a host of their own; the endpoint is the one to ask.
    sqs: new SQSClient({ ...config, useQueueUrlAsEndpoint: false }),
    logs: new CloudWatchLogsClient(config),
    ask: (work, thing, rights) => answerOf(work, { thing, place: stage.region, rights }),
  };
}

export function closeWard({ lambda, probes, scheduler, sqs, logs }: Ward): void {
  for (const client of [lambda, probes, scheduler, sqs, logs]) client.destroy();
}
