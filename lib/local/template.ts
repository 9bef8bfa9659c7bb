import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Names,
  resolveValue,
  type TemplateObject,
  type TemplateValue,
  toText,
  unknownIntrinsics,
} from './intrinsics.ts';
import { ACCOUNT, isKnownType, PARTITION, type Place, physicalNames } from './resource-types.ts';

/** A resource with its intrinsics resolved to local names, ARNs and URLs. */
export interface Resource {
  readonly logicalId: string;
  readonly properties: TemplateObject;
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: TemplateObject;
  readonly Condition?: string;
}

interface RawTemplate {
  readonly Resources: { readonly [logicalId: string]: RawResource };
}

/** The compiled template of a package, as the local stack reads it. */
export interface Template {
  /** The resources of one type, in the template's order. Throws an Error that names what cannot be resolved. */
  readonly of: (type: string) => readonly Resource[];
  /** What `Ref` means: the name of a table, the URL of a queue. */
  readonly ref: (logicalId: string) => string;
  /** What `Fn::GetAtt` of the two means. */
  readonly attribute: (logicalId: string, attribute: string) => string;
}

const TEMPLATE_FILE = 'cloudformation-template-update-stack.json';

/**
 * Reads the template of a packaged service.
 * @throws Error that names every resource type and intrinsic which the local stack does not know, with logical ids.
 */
export function readTemplate(packageDirectory: string, place: Place): Template {
  const raw = JSON.parse(readFileSync(join(packageDirectory, TEMPLATE_FILE), 'utf8')) as RawTemplate;
  const faults = Object.entries(raw.Resources).flatMap(([id, resource]) => faultsOf(id, resource));
  if (faults.length > 0) {
    throw new Error(`the local stack cannot run this template:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
  const names = namesOf(raw, place);
  return {
    of: (type) => resourcesOf(raw, type, names),
    ref: (logicalId) => String(names.ref(logicalId)),
    attribute: names.attribute,
  };
}

function faultsOf(logicalId: string, resource: RawResource): readonly string[] {
  const faults = unknownIntrinsics(resource.Properties ?? {}).map(
    (name) => `unknown intrinsic ${name} in ${logicalId}`,
  );
  if (resource.Condition !== undefined) faults.push(`unknown intrinsic Condition in ${logicalId}`);
  return isKnownType(resource.Type) ? faults : [`unknown resource type ${resource.Type} of ${logicalId}`, ...faults];
}

function resourcesOf(raw: RawTemplate, type: string, names: Names): readonly Resource[] {
  const entries = Object.entries(raw.Resources).filter(([, resource]) => resource.Type === type);
  return entries.map(([logicalId, resource]) => ({
    logicalId,
    properties: resolveValue(resource.Properties ?? {}, names) as TemplateObject,
  }));
}

function namesOf(raw: RawTemplate, place: Place): Names {
  const pseudo: { readonly [name: string]: string | undefined } = {
    'AWS::AccountId': ACCOUNT,
    'AWS::NoValue': undefined,
    'AWS::Partition': PARTITION,
    'AWS::Region': place.region,
    'AWS::StackName': 'local',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const physical = (logicalId: string) => {
    const resource = raw.Resources[logicalId];
    if (!resource) throw new Error(`the template refers to ${logicalId}, which it does not define`);
    const property = (name: string): TemplateValue | undefined =>
      resolveValue(resource.Properties?.[name] ?? null, names) ?? undefined;
    return physicalNames({ type: resource.Type, logicalId, property, place });
  };
  const names: Names = {
    ref: (id) => (id in pseudo ? pseudo[id] : physical(id).ref),
    attribute(id, attribute) {
      const found = physical(id).attributes[attribute];
      if (found === undefined) throw new Error(`unknown attribute in Fn::GetAtt ${id}.${attribute}`);
      return found;
    },
  };
  return names;
}

/** The text of a property. @throws Error naming the resource when it is absent. */
export function textOf(resource: Resource, property: string): string {
  const value = resource.properties[property];
  if (value === undefined || value === null) throw new Error(`${resource.logicalId} has no ${property}`);
  return toText(value);
}

/** The number of a property, or `otherwise` when it is absent. */
export const numberOf = (resource: Resource, property: string, otherwise: number): number =>
  Number(resource.properties[property] ?? otherwise);
