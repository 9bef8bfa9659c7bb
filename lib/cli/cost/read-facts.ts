import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FunctionFacts, TemplateFacts } from '#lib/domain/cost/facts.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { METRICS, type MetricName } from '#lib/metrics.ts';

/** The repository that this command is part of: its template is what a deployment consists of. */
const ROOT = join(import.meta.dirname, '../../..');

interface Service {
  readonly provider: { readonly memorySize: number; readonly timeout: number };
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  readonly resources: readonly string[];
}

interface ServiceFunction {
  readonly memorySize?: number;
  readonly timeout?: number;
  readonly events?: readonly {
    readonly sqs?: { readonly maximumConcurrency?: number };
    readonly schedule?: { readonly rate: readonly string[] };
  }[];
}

interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly Metrics?: readonly { readonly MetricStat?: unknown }[] };
}

/** Written where something goes wrong, or is refused: a healthy stage has none of them. */
const RARE: ReadonlySet<string> = new Set<MetricName>([
  'BlindSources',
  'DetectionLag',
  'PublishFailures',
  'IncidentsEscalated',
  'BrokerDenied',
]);

/** Written where a model is asked. */
const OF_MODELS: ReadonlySet<string> = new Set<MetricName>(['BudgetUsed']);

/**
 * What the template in this repository says.
 * @throws ConfigError when it lacks what a cost depends on
 */
export function readFacts(root: string = ROOT): TemplateFacts {
  const service = readYaml(join(root, 'serverless.yml')) as Service;
  const functions = Object.fromEntries(
    Object.entries(service.functions).map(([name, own]) => [name, toFunctionFacts(own, service.provider)]),
  );
  const files = service.resources.flatMap((entry) => /^\$\{file\(([\w./-]+)\)\}$/.exec(entry)?.[1] ?? []);
  const resources = files.flatMap((file) => readResources(join(root, file)));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  return {
    functions,
    sweepEveryS: toSeconds(Object.values(service.functions)),
    alarmMetrics: ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0),
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    metrics: Object.keys(METRICS).filter((name) => !RARE.has(name) && !OF_MODELS.has(name)).length,
    modelMetrics: OF_MODELS.size,
  };
}

function readResources(path: string): readonly Resource[] {
  if (path.endsWith('.yml'))
    return Object.values((readYaml(path) as { Resources?: Record<string, Resource> }).Resources ?? {});
  // What a script builds is known by the types that it names: only the framework can run it.
  return [...readFileSync(path, 'utf8').matchAll(/Type: '(AWS::\w+::\w+)'/g)].map(([, Type = '']) => ({ Type }));
}

function toFunctionFacts(own: ServiceFunction, provider: Service['provider']): FunctionFacts {
  const queue = own.events?.find(({ sqs }) => sqs !== undefined)?.sqs;
  return {
    memoryMb: own.memorySize ?? provider.memorySize,
    timeoutS: own.timeout ?? provider.timeout,
    maxConcurrency: queue?.maximumConcurrency ?? null,
    isQueueFed: queue !== undefined,
  };
}

/** An alarm over an expression is billed by the metrics in it. */
const metricsOf = ({ Properties }: Resource): number =>
  Math.max(1, Properties?.Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1);

const UNIT_S = { minute: 60, hour: 3600, day: 86_400 } as const;

function toSeconds(functions: readonly ServiceFunction[]): number {
  const rates = functions.flatMap(({ events = [] }) => events.flatMap(({ schedule }) => schedule?.rate ?? []));
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rates[0] ?? '') ?? [];
  if (rates.length === 1 && unit !== undefined) return Number(count) * UNIT_S[unit as keyof typeof UNIT_S];
  throw new ConfigError('serverless.yml must have one schedule of the form rate(1 minute): the sweep.');
}

/** CloudFormation's own tags (`!Ref`) say nothing of cost. */
function readYaml(path: string): unknown {
  return parse(readFileSync(path, 'utf8'), { logLevel: 'silent' });
}
