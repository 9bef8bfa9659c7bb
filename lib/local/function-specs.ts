import { basename, join } from 'node:path';
import { type TemplateObject, toText } from './intrinsics.ts';
import { parseFunctionReference } from './resource-types.ts';
import { numberOf, type Resource, type Template, textOf } from './template.ts';

/** One function of the template, as the workers run it. */
export interface FunctionSpec {
  /** Its name in `serverless.yml`, which is also the name of its zip: `session-read`. */
  readonly name: string;
  readonly fullName: string;
  readonly arn: string;
  readonly handler: string;
  readonly zip: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: { readonly [name: string]: string };
  readonly aliases: readonly string[];
  /** How many invocations run at once; more wait. */
  readonly concurrency: number;
}

/** Invocations at once of a function that no mapping limits, e.g. by HTTP. */
const DEFAULT_CONCURRENCY = 10;

/** The functions of a packaged service. */
export function functionSpecs(template: Template, packageDirectory: string): readonly FunctionSpec[] {
  const aliases = template.of('AWS::Lambda::Alias');
  const mappings = template.of('AWS::Lambda::EventSourceMapping');
  return template.of('AWS::Lambda::Function').map((resource): FunctionSpec => {
    const fullName = textOf(resource, 'FunctionName');
    const zip = basename(toText((resource.properties['Code'] as TemplateObject)['S3Key']));
    return {
      name: basename(zip, '.zip'),
      fullName,
      arn: template.attribute(resource.logicalId, 'Arn'),
      handler: textOf(resource, 'Handler'),
      zip: join(packageDirectory, zip),
      timeoutMs: numberOf(resource, 'Timeout', 3) * 1000,
      memoryMb: numberOf(resource, 'MemorySize', 128),
      environment: environmentOf(resource),
      aliases: aliases.filter((alias) => isOf(alias, fullName)).map((alias) => textOf(alias, 'Name')),
      concurrency: concurrencyOf(
        resource,
        mappings.filter((mapping) => isOf(mapping, fullName)),
      ),
    };
  });
}

const isOf = (resource: Resource, fullName: string): boolean =>
  parseFunctionReference(textOf(resource, 'FunctionName')).functionName === fullName;

function environmentOf(resource: Resource): { readonly [name: string]: string } {
  const { Variables = {} } = (resource.properties['Environment'] ?? {}) as { Variables?: TemplateObject };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, toText(value)]));
}

/** The maximum concurrency of the function's mapping, and never more than what is reserved for it. */
function concurrencyOf(resource: Resource, mappings: readonly Resource[]): number {
  const limits = mappings.map((mapping) => maximumConcurrency(mapping));
  const reserved = numberOf(resource, 'ReservedConcurrentExecutions', Number.POSITIVE_INFINITY);
  return Math.min(reserved, limits.length > 0 ? Math.max(...limits) : DEFAULT_CONCURRENCY);
}

/** How many batches of a mapping are worked on at once. */
export function maximumConcurrency(mapping: Resource): number {
  const { MaximumConcurrency } = (mapping.properties['ScalingConfig'] ?? {}) as { MaximumConcurrency?: number };
  return MaximumConcurrency ?? DEFAULT_CONCURRENCY;
}
