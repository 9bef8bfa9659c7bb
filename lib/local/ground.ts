import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Activity, createActivity } from './activity.ts';
import { type Calls, createCalls } from './aws/calls.ts';
import { listenForServices, serveServices } from './aws/endpoint.ts';
import { createLambdaApi, findFunction } from './aws/lambda-api.ts';
import { createParameterService } from './aws/parameters.ts';
import { createQueues, openQueueService, type QueueService } from './aws/queues.ts';
import { createTables, openTableService } from './aws/tables.ts';
import { installClock, type MovableClock } from './clock.ts';
import { functionEnvironment, unpackFunction } from './function-home.ts';
import { type FunctionSpec, functionSpecs } from './function-specs.ts';
import { createFunction, type LocalFunction } from './functions.ts';
import { type Logs, openLogs } from './logs.ts';
import { openSandbox } from './sandbox.ts';
import type { ServiceAccess, StackOptions } from './stack-options.ts';
import { readTemplate, type Template } from './template.ts';

/** Clock, logs, AWS services and functions: what HTTP API, mappings and schedules stand on. */
export interface Ground extends ServiceAccess {
  readonly template: Template;
  readonly clock: MovableClock;
  readonly logs: Logs;
  readonly activity: Activity;
  readonly calls: Calls;
  readonly queues: QueueService;
  readonly functions: readonly LocalFunction[];
}

/** Ends what was opened, the last first. */
export interface Closers {
  add(close: () => Promise<void> | void): void;
  readonly closeAll: () => Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}

const DEFAULT_REGION = 'eu-central-1';
const CREDENTIALS = { accessKeyId: 'local-runner', secretAccessKey: 'local' };

export async function openGround(options: StackOptions, closers: Closers): Promise<Ground> {
  const { runDirectory, packageDirectory, region = DEFAULT_REGION, keep = false } = options;
  const place = (name: string) => (keep ? join(runDirectory, name) : undefined);
  const clock = installClock();
  const logs = openLogs(join(runDirectory, 'logs'));
  closers.add(() => logs.stop());
  const queues = await openQueueService(region, place('queues'));
  closers.add(() => queues.stop());
  const tables = openTableService(place('tables'));
  const endpoint = await listenForServices(tables.server);
  closers.add(() => closeServer(tables.server));
  const template = readTemplate(packageDirectory, { region, endpoint });
  const [activity, calls] = [createActivity(), createCalls()];
  const functions: LocalFunction[] = [];
  const parameters = createParameterService(options.secrets ?? {});
  serveServices(tables.server, {
    region,
    calls,
    tables,
    queues,
    parameters,
    lambda: createLambdaApi(functions, calls),
    interruption: { when: options.interrupt, kill: (name, sandbox) => killFunction(functions, name, sandbox) },
  });
  const access: ServiceAccess = { endpoint, region, credentials: CREDENTIALS, ref: template.ref };
  createQueues(template, queues);
  await createTables(template.of('AWS::DynamoDB::Table'), new DynamoDBClient(access));
  const ground: Ground = { ...access, template, clock, logs, activity, calls, queues, functions };
  for (const spec of functionSpecs(template, packageDirectory)) functions.push(openFunction(spec, options, ground));
  closers.add(() => stopFunctions(functions));
  return ground;
}

function openFunction(spec: FunctionSpec, options: StackOptions, ground: Ground): LocalFunction {
  const { region, endpoint, clock, logs, activity } = ground;
  const home = unpackFunction(spec, join(options.runDirectory, 'functions'));
  const environment = functionEnvironment(spec, home, { region, endpoint, overrides: options.overrides ?? {} });
  return createFunction({
    spec,
    logs,
    activity,
    replacements: options.replacements?.[spec.name] ?? {},
    openSandbox: () =>
      openSandbox({
        id: randomUUID(),
        file: home.file,
        exportName: home.exportName,
        environment,
        offset: clock.offset,
        memoryMb: spec.memoryMb,
        onLine: (stream, text) => logs.write({ function: spec.name, stream, text }),
      }),
  });
}

/** Ends what works for a function, as a crash of its host does. */
export async function killFunction(functions: readonly LocalFunction[], name: string, sandbox?: string): Promise<void> {
  await findFunction(functions, name)?.function.kill(sandbox);
}

export async function stopFunctions(functions: readonly LocalFunction[]): Promise<void> {
  await Promise.all(functions.map((each) => each.stop()));
}

/** Closes a server and its open connections. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
