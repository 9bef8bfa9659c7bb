import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toOpenApi } from '#lib/edge/http/openapi.ts';
import { OPERATIONS } from '#lib/edge/http/openapi-paths.ts';
import { openApiRoute } from '#lib/edge/http/openapi-route.ts';
import { Document } from '#lib/edge/http/reply.ts';
import { toApiRequest } from '#lib/edge/http/request.ts';
import { parseStartRequest } from '#lib/edge/http/start-request.ts';
import { anApiEvent } from '#test/support/builders/lambda.ts';
import { answerFaults } from '#test/support/openapi.ts';
import { OPEN_ROUTES } from '#test/support/template/rules/functions.ts';
import { OPENAPI_FILE, toOpenApiText } from '../../../scripts/build-openapi.ts';

type Json = { [key: string]: unknown };
const document = toOpenApi();
const operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
);

/** Routes of serverless.yml; the webhook's contract is GitHub's. */
function deployedRoutes(): string[] {
  const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
    functions: Record<string, { events?: readonly { httpApi?: { method: string; path: string } }[] }>;
  };
  const events = Object.values(functions).flatMap(({ events: all = [] }) => all.flatMap((each) => each.httpApi ?? []));
  return events.map(({ method, path }) => `${method} ${path}`).filter((key) => !key.includes('/webhooks/'));
}

/** Every value below a key of this name. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)]);
}

describe('the OpenAPI document', () => {
  it('is committed as the schemas make it (npm run openapi writes it)', () => {
    expect(readFileSync(OPENAPI_FILE, 'utf8')).toBe(toOpenApiText());
  });

  it('is what the route answers', async () => {
    const answer = await openApiRoute(toApiRequest(anApiEvent('GET /openapi.json')));
    expect(answer).toBeInstanceOf(Document);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(String(answer.body))).toEqual(document);
  });

  it('has every route that is deployed', () => {
    expect(operations.map(({ key }) => key).toSorted()).toEqual(deployedRoutes().toSorted());
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(deployedRoutes().toSorted());
  });

  it('asks for a token wherever the template does', () => {
    const open = operations.filter(({ operation }) => operation['security'] !== undefined).map(({ key }) => key);
    expect(open.toSorted()).toEqual(OPEN_ROUTES.filter((key) => !key.includes('/webhooks/')).toSorted());
  });

  it('names each operation once and refers to what is there', () => {
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    const { schemas } = document['components'] as { schemas: Json };
    const references = valuesOf(document, '$ref').map((reference) =>
      String(reference).replace('#/components/schemas/', ''),
    );
    expect(references.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !references.includes(name))).toEqual([]);
  });

  it('describes each variable of a path', () => {
    for (const { key, operation } of operations) {
      const variables = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = (operation['parameters'] ?? []) as readonly { name: string; in: string }[];
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(variables);
    }
  });

  it('gives limits as the validation has them', () => {
    const { StartRequest } = (document['components'] as { schemas: Record<string, Json> }).schemas;
    expect(StartRequest?.['required']).toEqual(['play_id', 'repository']);
    expect(JSON.stringify(StartRequest)).toContain('"maxItems":500');
    expect(parseStartRequest({ play_id: 'a', repository: 'acme/widgets' })).toMatchObject({ playId: 'a' });
  });
});

describe('answers in tests', () => {
  const healer = { request_id: 'r' };
  const health = { status: 'healthy', version: '1', service: 'healer-play-api', healer };

  it.each([
    { key: 'GET /health', status: 200, body: health, faults: 0 },
    { key: 'GET /health', status: 200, body: { ...health, extra: 1 }, faults: 1 },
    { key: 'GET /health', status: 200, body: { ...health, version: 1 }, faults: 1 },
    { key: 'GET /health', status: 418, body: health, faults: 1 },
    { key: 'GET /unknown', status: 200, body: health, faults: 1 },
    {
      key: 'GET /api/v1/sessions',
      status: 400,
      body: { status: 'error', message: 'm', errors: [], healer },
      faults: 0,
    },
  ])('$key $status is held against it (case %#)', async ({ key, status, body, faults }) => {
    expect(await answerFaults(key, status, body)).toHaveLength(faults);
  });
});
