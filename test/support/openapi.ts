import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';

const FILE = new URL('../../lib/edge/http/openapi.generated.json', import.meta.url);

type Json = { [key: string]: unknown };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Requests may hold fields that nobody reads. */
const REQUESTS: ReadonlySet<string> = new Set(['StartRequest', 'requestBody']);

/** The published document lets answers gain fields; in an answer here, one that it does not name is a mistake. */
function close(value: unknown): void {
  if (!isObject(value)) return;
  if (isObject(value['properties'])) value['additionalProperties'] = false;
  for (const [key, inner] of Object.entries(value)) if (!REQUESTS.has(key)) close(inner);
}

async function load(): Promise<OpenAPIBackend> {
  const definition = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
  close(definition);
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    validate: true,
    ajvOpts: { strict: false, allErrors: true },
    customizeAjv: (ajv) => {
      addFormats.default(ajv);
      return ajv;
    },
  });
  await api.init();
  return api;
}

let loaded: Promise<OpenAPIBackend> | undefined;

/** What the API's own document finds wrong with an answer: one sentence a fault, none when it is as published. */
export async function answerFaults(routeKey: string, status: number | undefined, body: unknown): Promise<string[]> {
  loaded ??= load();
  const api = await loaded;
  const [method = '', path = ''] = routeKey.split(' ');
  const operation = api.getOperations().find((each) => each.path === path && each.method === method.toLowerCase());
  if (operation === undefined) return [`${routeKey} is not in the document`];
  if (!Object.hasOwn(operation.responses ?? {}, String(status))) return [`${routeKey}: status ${status} is not in it`];
  const { errors } = api.validateResponse(body, operation, status);
  return (errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${routeKey} ${status}: ${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

/** What the document finds wrong with the JSON body of a request. */
export async function bodyFaults(routeKey: string, body: unknown): Promise<string[]> {
  loaded ??= load();
  const api = await loaded;
  const [method = '', path = ''] = routeKey.split(' ');
  const request = { method, path, headers: { 'content-type': 'application/json' }, body };
  const { errors } = api.validateRequest(request, api.matchOperation(request));
  return (errors ?? []).map(({ instancePath, message }) => `${routeKey}: ${instancePath} ${message}`);
}
