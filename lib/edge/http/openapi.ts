import * as z from 'zod';
import { VERSION } from '#lib/version.ts';
import { Diagnosis, Incident, IncidentDetail } from './incident-schema.ts';
import { LIMITS } from './limits.ts';
import { OPERATIONS, type Operation } from './openapi-paths.ts';
import {
  ErrorReply,
  GatewayError,
  Healer,
  IncidentErrorReply,
  SessionErrorReply,
  StartErrorReply,
} from './reply-schema.ts';
import { Coverage, Session, SessionIncident } from './session-schema.ts';
import { StartRequest } from './start-request.ts';

type Json = { [key: string]: unknown };

const DESCRIPTION = [
  'Announce plays to Healer and read what it found.',
  'Answers may gain fields; read those that you know and ignore the others.',
  'A request may be sent again after a 429, a 5xx or a lost connection: every call is safe to repeat.',
].join(' ');

/** Schemas with a name of their own in the document. */
const NAMED = {
  StartRequest,
  Session,
  SessionIncident,
  Coverage,
  Incident,
  IncidentDetail,
  Diagnosis,
  Healer,
  Error: ErrorReply,
  StartError: StartErrorReply,
  SessionError: SessionErrorReply,
  IncidentError: IncidentErrorReply,
  GatewayError,
};

/** The API as OpenAPI 3.1, from the schemas that validate. `npm run openapi` writes it beside this file. */
export function toOpenApi(): Json {
  const { schemas, operations } = toSchemas();
  return {
    openapi: '3.1.0',
    info: { title: 'Healer', version: VERSION, description: DESCRIPTION, license: { name: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: toPaths(operations),
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Made by `npx healer token create`.' },
      },
    },
  };
}

/** Bodies, answers and parameters of an operation as JSON Schema. */
interface OperationSchemas {
  readonly body?: Json;
  readonly answer?: Json;
  readonly path?: Json;
  readonly query?: Json;
}

/** Converts everything at once, so that shared shapes become references. */
function toSchemas(): { schemas: Json; operations: Readonly<Record<string, OperationSchemas>> } {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const parts = Object.entries(OPERATIONS).flatMap(([key, { path, query, body, answer }]) =>
    Object.entries({ path, query, body, answer: typeof answer === 'string' ? undefined : answer }).flatMap(
      ([part, schema]) => (schema === undefined ? [] : [{ key, part, schema }]),
    ),
  );
  for (const { key, part, schema } of parts) if (!registry.has(schema)) registry.add(schema, { id: `${key} ${part}` });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  });
  const all = converted.schemas as Readonly<Record<string, Json>>;
  const operations: Record<string, Record<string, Json>> = {};
  for (const { key, part, schema } of parts) {
    const id = registry.get(schema)?.id ?? '';
    const isNamed = Object.hasOwn(NAMED, id);
    (operations[key] ??= {})[part] = isNamed ? { $ref: `#/components/schemas/${id}` } : withoutIds(all[id]);
  }
  const named = Object.keys(NAMED).toSorted();
  return { schemas: Object.fromEntries(named.map((id) => [id, withoutIds(all[id])])), operations };
}

function withoutIds(schema: Json | undefined): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema ?? {};
  return rest;
}

/** The format says it; the expression behind it is long. */
function tidy({ jsonSchema }: { jsonSchema: { format?: string | undefined; pattern?: string | undefined } }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

function toPaths(schemas: Readonly<Record<string, OperationSchemas>>): Json {
  const paths: Record<string, Json> = {};
  for (const [key, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = toOperation(operation, schemas[key] ?? {});
  }
  return paths;
}

function toOperation({ id, summary, isOpen, ...rest }: Operation, schemas: OperationSchemas): Json {
  const parameters = [...toParameters('path', schemas.path), ...toParameters('query', schemas.query)];
  return {
    operationId: id,
    summary,
    ...(isOpen === true && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.body && { requestBody: { required: true, content: { 'application/json': { schema: schemas.body } } } }),
    responses: { 200: toAnswer(rest.answer, schemas.answer), ...toErrors(rest, isOpen === true) },
  };
}

function toParameters(place: 'path' | 'query', schema: Json | undefined): Json[] {
  return Object.entries((schema?.properties ?? {}) as Record<string, Json>).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: name === 'limit' ? LIMIT : value,
  }));
}

/** A query holds text; what the text must be is a number. */
const LIMIT = { type: 'integer', minimum: 1, maximum: LIMITS.page, default: 100 };

function toAnswer(answer: Operation['answer'], schema: Json | undefined): Json {
  if (answer === 'html') return { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } };
  if (answer === 'openapi') return toContent('OpenAPI 3.1.', { type: 'object' });
  return toContent('Done.', schema ?? {});
}

const toContent = (description: string, schema: Json): Json => ({
  description,
  content: { 'application/json': { schema } },
});

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not as expected; `errors` names each fault.',
  401: 'There is no token.',
  403: 'The token is not known, or the repository is not in the list of allowed ones.',
  404: 'It does not exist.',
  409: 'It contradicts what is stored; `errors` names what differs.',
  413: `The body is larger than ${LIMITS.bodyBytes} bytes.`,
  415: 'The body is no JSON.',
  429: 'Too many requests; send it again after `retry-after` seconds, or after a pause.',
  500: 'Healer could not answer; its log says why.',
  503: 'Healer did not answer in time; sending the request again is safe.',
};

/** Statuses of every route that asks for a token. API Gateway answers them, in its own shape, or Healer does. */
const GATEWAY = [401, 403, 429, 500, 503];

function toErrors({ error = ErrorReply, errors = [] }: Pick<Operation, 'error' | 'errors'>, isOpen: boolean): Json {
  const own = { $ref: `#/components/schemas/${nameOf(error)}` };
  const gateway = { $ref: '#/components/schemas/GatewayError' };
  const statuses = [...errors, ...(isOpen ? [429, 500, 503] : GATEWAY)].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      toContent(MEANINGS[status] ?? '', GATEWAY.includes(status) ? { anyOf: [own, gateway] } : own),
    ]),
  );
}

const nameOf = (schema: z.ZodType): string =>
  Object.entries(NAMED).find(([, named]) => named === schema)?.[0] ?? 'Error';
