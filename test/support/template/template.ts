/** A CloudFormation template as far as the rules read it. Values stay unknown: the rules narrow what they look at. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** What a rule found: `resource` is the logical id, `message` says what is wrong and what would be right. */
export interface Violation {
  readonly rule: string;
  readonly resource: string;
  readonly message: string;
}

/** @throws Error when the text is not a template with resources. */
export function parseTemplate(text: string): Template {
  const template: unknown = JSON.parse(text);
  if (!('Resources' in record(template))) throw new Error('not a CloudFormation template: it has no Resources');
  return template as Template;
}

/** The value as an object; an absent or other value reads as one without keys. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The value as a list: CloudFormation lets a single item stand for a list of one. */
export function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The value at a path of keys, undefined where the path ends early. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => record(inner)[key], value);
}

/** A property of a resource. */
export function property(resource: Resource | undefined, ...path: readonly string[]): unknown {
  return at(resource?.Properties, ...path);
}

export type Entry = readonly [id: string, resource: Resource];

/** Logical ids and resources of a type, in the order of the template. */
export function ofType(template: Template, type: string): readonly Entry[] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}
