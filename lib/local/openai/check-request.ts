import * as z from 'zod';

const Message = z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.string() });
const Format = z.object({
  type: z.literal('json_schema'),
  json_schema: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    strict: z.boolean().nullish(),
    schema: z.record(z.string(), z.unknown()),
  }),
});
const Request = z.object({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  max_completion_tokens: z.int().positive().nullish(),
  response_format: Format.optional(),
});

export type ChatRequest = z.output<typeof Request>;

interface Schema {
  readonly [keyword: string]: unknown;
}

/** Keywords of JSON Schema that strict mode takes; others are refused as OpenAI refuses them. */
const STRICT = new Set(
  ['type', 'description', 'enum', 'const', 'items', 'properties', 'required', 'additionalProperties', 'anyOf'].concat([
    '$ref',
    '$defs',
    'pattern',
    'format',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'title',
    'multipleOf',
  ]),
);
const MAX_DEPTH = 10;

/** The request, or the message with which OpenAI would answer 400. */
export function checkRequest(body: unknown): { readonly request: ChatRequest } | { readonly message: string } {
  const parsed = Request.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { message: `Invalid value for '${issue?.path.join('.') ?? ''}': ${issue?.message ?? ''}` };
  }
  const format = parsed.data.response_format?.json_schema;
  if (format?.strict !== true) return { request: parsed.data };
  const fault = format.schema['type'] === 'object' ? strictFault(format.schema, []) : "schema must be of type 'object'";
  return fault === undefined
    ? { request: parsed.data }
    : { message: `Invalid schema for response_format '${format.name}': ${fault}` };
}

function strictFault(schema: Schema, path: readonly string[]): string | undefined {
  const where = `In context=(${path.map((part) => `'${part}'`).join(', ')})`;
  const unknown = Object.keys(schema).find((keyword) => !STRICT.has(keyword));
  if (unknown !== undefined) return `${where}, '${unknown}' is not permitted.`;
  if (path.length > 2 * MAX_DEPTH) return `${where}, the schema exceeds ${MAX_DEPTH} levels of nesting.`;
  const own = schema['type'] === 'object' ? objectFault(schema, where) : undefined;
  return own ?? childFault(schema, path);
}

function objectFault(schema: Schema, where: string): string | undefined {
  if (schema['additionalProperties'] !== false) {
    return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const missing = Object.keys(schema['properties'] ?? {}).find((name) => !required.has(name));
  return missing === undefined
    ? undefined
    : `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

function childFault(schema: Schema, path: readonly string[]): string | undefined {
  const named = ['properties', '$defs'].flatMap((key) =>
    Object.entries((schema[key] ?? {}) as Record<string, Schema>).map(([name, child]) => [[key, name], child] as const),
  );
  const listed = ((schema['anyOf'] ?? []) as Schema[]).map((child, i) => [['anyOf', String(i)], child] as const);
  const items = schema['items'] === undefined ? [] : [[['items'], schema['items'] as Schema] as const];
  return [...named, ...listed, ...items]
    .map(([step, child]) => strictFault(child, [...path, ...step]))
    .find((fault) => fault !== undefined);
}
