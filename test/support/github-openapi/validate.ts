import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';

/** A request as a client or the embedded GitHub's record has it; `path` may carry a query. */
export interface CheckedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

type Json = { [key: string]: unknown };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** GitHub's description says `nullable` without a `type`, which the validator refuses; null is then one more choice. */
function repair(value: unknown): void {
  if (!isObject(value)) return;
  for (const [key, one] of Object.entries(value)) {
    repair(one);
    if (!isObject(one) || one.nullable !== true || 'type' in one) continue;
    const { nullable: _nullable, ...rest } = one;
    value[key] = { anyOf: [rest, { type: 'string', nullable: true, enum: [null] }] };
  }
}

/** A body with a key that GitHub does not know is a mistake here, although GitHub ignores it. */
function closeBodies(document: Json): void {
  for (const path of Object.values(document.paths as Json)) {
    for (const operation of Object.values(path as Json)) {
      const content = ((operation as Json).requestBody as Json | undefined)?.content as Json | undefined;
      const schema = (content?.['application/json'] as Json | undefined)?.schema as Json | undefined;
      if (schema?.properties !== undefined) schema.additionalProperties = false;
    }
  }
}

async function load(): Promise<OpenAPIBackend> {
  const document = JSON.parse(readFileSync(new URL('api.generated.json', import.meta.url), 'utf8')) as Json;
  repair(document);
  closeBodies(document);
  const api = new OpenAPIBackend({
    definition: document as unknown as Document,
    quick: true,
    validate: true,
    ajvOpts: { strict: false, logger: false },
    customizeAjv: (ajv) => {
      addFormats.default(ajv);
      return ajv;
    },
  });
  await api.init();
  return api;
}

let loaded: Promise<OpenAPIBackend> | undefined;

/**
 * What GitHub's own description finds wrong with a request: one sentence a fault, none when it is right. A branch in a
 * path counts as one part, as in GitHub's documents.
 */
export async function faultsOf(request: CheckedRequest): Promise<string[]> {
  loaded ??= load();
  const api = await loaded;
  const url = new URL(request.path, 'http://api');
  const checked = {
    method: request.method,
    path: url.pathname.replace(
      /(\/git\/refs?\/)(.+)$/,
      (_all, start: string, ref: string) => start + encodeURIComponent(ref),
    ),
    query: Object.fromEntries(url.searchParams),
    headers: { 'content-type': 'application/json' },
    body: request.body,
  };
  const operation = api.matchOperation(checked);
  if (operation === undefined) return [`${request.method} ${url.pathname} is not in the description`];
  const { errors } = api.validateRequest(checked, operation);
  return (errors ?? []).map((error) => `${operation.operationId}: ${error.instancePath} ${error.message ?? ''}`);
}
