import * as z from 'zod';

/** JSON Schema as zod writes it, as far as it is read here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Keywords that structured outputs know; all others are left out, and zod checks what they said when the answer is here. */
const KNOWN = new Set(['type', 'description', 'enum', 'const', 'items', 'properties', 'anyOf', '$ref', '$defs']);

/** Keywords that change what a schema means: leaving them out would ask for something else. */
const UNSUPPORTED = ['allOf', 'not', 'if', 'patternProperties', 'propertyNames', 'prefixItems', 'dependentSchemas'];

/**
 * The schema as OpenAI's strict mode demands it: every object closed, every property required, optional ones nullable.
 * @throws TypeError when the root is no object, or the schema says what strict mode cannot (records, tuples, intersections).
 */
export function toStrictSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' }) as JsonSchema;
  if (json['type'] !== 'object') throw new TypeError('the root of an answer must be an object');
  return toStrict(json);
}

function toStrict(schema: JsonSchema): JsonSchema {
  const unsupported = UNSUPPORTED.find((keyword) => keyword in schema);
  if (unsupported !== undefined) throw new TypeError(`strict mode has no ${unsupported}`);
  const strict = Object.fromEntries(
    Object.entries({ ...schema, ...alternatives(schema) })
      .filter(([keyword]) => KNOWN.has(keyword))
      .map(([keyword, value]) => [keyword, toStrictKeyword(keyword, value)]),
  );
  return schema['type'] === 'object' ? { ...strict, ...toClosed(schema) } : strict;
}

/** zod writes a discriminated union as `oneOf`; its branches exclude each other, so `anyOf` says the same. */
const alternatives = (schema: JsonSchema): JsonSchema => ('oneOf' in schema ? { anyOf: schema['oneOf'] } : {});

function toStrictKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'items':
      return toStrict(value as JsonSchema);
    case 'anyOf':
      return (value as JsonSchema[]).map(toStrict);
    case '$defs':
      return mapValues(value as Record<string, JsonSchema>, toStrict);
    default:
      return value;
  }
}

function toClosed(schema: JsonSchema): JsonSchema {
  const properties = propertiesOf(schema);
  if (![undefined, false].includes(schema['additionalProperties'] as undefined)) {
    throw new TypeError('strict mode has no open objects and no records; use a list of entries');
  }
  const required = requiredOf(schema);
  return {
    properties: mapValues(properties, (property, name) =>
      required.includes(name) ? toStrict(property) : toNullable(toStrict(property)),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const toNullable = (schema: JsonSchema): JsonSchema =>
  allowsNull(schema) ? schema : { anyOf: [schema, { type: 'null' }] };

const allowsNull = (schema: JsonSchema): boolean =>
  [schema['type']].flat().includes('null') || ((schema['anyOf'] as JsonSchema[] | undefined) ?? []).some(allowsNull);

/** The answer with the nulls left out that stand for optional properties only. */
export function dropAbsent(schema: z.ZodType, answer: unknown): unknown {
  const root = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  return dropNulls(root, root, answer);
}

function dropNulls(root: JsonSchema, schema: JsonSchema, value: unknown): unknown {
  const known = resolve(root, schema);
  if (Array.isArray(value)) {
    const items = known['items'] as JsonSchema | undefined;
    return items === undefined ? value : value.map((item) => dropNulls(root, items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  const branches = branchesOf(known).map((branch) => resolve(root, branch));
  const fitting = branches.find((branch) => fits(root, branch, value)) ?? known;
  return dropNullsOfObject(root, fitting, value as JsonSchema);
}

function dropNullsOfObject(root: JsonSchema, schema: JsonSchema, value: JsonSchema): unknown {
  const properties = propertiesOf(schema);
  const kept = Object.entries(value).filter(([name, one]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isAbsent = one === null && property !== undefined && !requiredOf(schema).includes(name);
    return !(isAbsent && !allowsNull(resolve(root, property)));
  });
  return Object.fromEntries(
    kept.map(([name, one]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined ? one : dropNulls(root, property, one)];
    }),
  );
}

const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[];

/** Whether the constants of an object's branch are those of the value. */
const fits = (root: JsonSchema, branch: JsonSchema, value: object): boolean =>
  branch['type'] === 'object' &&
  Object.entries(propertiesOf(branch)).every(([name, property]) => {
    const { const: constant } = resolve(root, property);
    return constant === undefined || (value as JsonSchema)[name] === constant;
  });

const resolve = (root: JsonSchema, schema: JsonSchema): JsonSchema => {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  if (reference === '#') return root;
  const name = reference.replace('#/$defs/', '');
  return (root['$defs'] as Record<string, JsonSchema> | undefined)?.[name] ?? schema;
};

const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] as Record<string, JsonSchema> | undefined) ?? {};

const requiredOf = (schema: JsonSchema): readonly string[] => (schema['required'] as string[] | undefined) ?? [];

const mapValues = <T, R>(record: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
