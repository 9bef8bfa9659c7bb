import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Makes `test/support/github-openapi/api.generated.json` from GitHub's OpenAPI description: the operations that Healer
 * uses, their parameters and request bodies, without answers and prose. The whole description is 385 MB on disk, so it is
 * fetched into a temporary directory when GitHub's API has changed:
 *
 *     cd "$(mktemp -d)" && npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-*.tgz
 *     node <repository>/scripts/prune-github-openapi.ts "$PWD/package/generated/api.github.com.json"
 */
const OUTPUT = fileURLToPath(new URL('../test/support/github-openapi/api.generated.json', import.meta.url));

const REPOSITORY = '/repos/{owner}/{repo}';
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  '/app/installations/{installation_id}/access_tokens': ['post'],
  [`${REPOSITORY}/installation`]: ['get'],
  [REPOSITORY]: ['get'],
  [`${REPOSITORY}/issues`]: ['get', 'post'],
  [`${REPOSITORY}/issues/{issue_number}`]: ['get', 'patch'],
  [`${REPOSITORY}/issues/{issue_number}/comments`]: ['get', 'post'],
  [`${REPOSITORY}/issues/{issue_number}/events`]: ['get'],
  [`${REPOSITORY}/collaborators/{username}/permission`]: ['get'],
  [`${REPOSITORY}/git/ref/{ref}`]: ['get'],
  [`${REPOSITORY}/git/refs`]: ['post'],
  [`${REPOSITORY}/git/refs/{ref}`]: ['patch'],
  [`${REPOSITORY}/git/blobs`]: ['post'],
  [`${REPOSITORY}/git/blobs/{file_sha}`]: ['get'],
  [`${REPOSITORY}/git/trees`]: ['post'],
  [`${REPOSITORY}/git/trees/{tree_sha}`]: ['get'],
  [`${REPOSITORY}/git/commits`]: ['post'],
  [`${REPOSITORY}/git/commits/{commit_sha}`]: ['get'],
  [`${REPOSITORY}/pulls`]: ['get', 'post'],
  [`${REPOSITORY}/pulls/{pull_number}`]: ['get', 'patch'],
  [`${REPOSITORY}/pulls/{pull_number}/files`]: ['get'],
  [`${REPOSITORY}/pulls/{pull_number}/reviews`]: ['get'],
  [`${REPOSITORY}/pulls/{pull_number}/comments`]: ['get'],
  [`${REPOSITORY}/commits/{ref}/check-runs`]: ['get'],
  [`${REPOSITORY}/commits/{ref}/status`]: ['get'],
  [`${REPOSITORY}/statuses/{sha}`]: ['post'],
  [`${REPOSITORY}/actions/runs`]: ['get'],
  [`${REPOSITORY}/actions/runs/{run_id}/jobs`]: ['get'],
  [`${REPOSITORY}/actions/jobs/{job_id}/logs`]: ['get'],
};

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys whose values are prose or samples wherever they stand for a keyword; a property may still be called so. */
const PROSE = new Set(['description', 'example', 'examples', 'externalDocs', 'x-github', 'x-github-breaking-changes']);

function withoutProse(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !PROSE.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutProse(one, !isNames && key === 'properties')]));
}

function child(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined;
}

/** The operation without its answers; OpenAPI asks for at least one. */
function toOperation(operation: Json | undefined, name: string): JsonObject {
  if (!isObject(operation)) throw new Error(`${name} is not in the description`);
  const { operationId, parameters, requestBody } = operation;
  const kept: JsonObject = { operationId: operationId ?? name, responses: { default: { description: '' } } };
  if (parameters !== undefined) kept.parameters = withoutProse(parameters);
  if (requestBody !== undefined) kept.requestBody = withoutProse(requestBody);
  return kept;
}

/** Copies what `value` refers to, and what that refers to. */
function collect(value: Json, from: JsonObject, into: JsonObject): void {
  if (Array.isArray(value)) for (const one of value) collect(one, from, into);
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') {
    const [, , kind = '', name = ''] = value.$ref.split('/');
    const group = (into[kind] ??= {}) as JsonObject;
    if (name in group) return;
    const found = withoutProse(child(from[kind], name) ?? {});
    group[name] = found;
    collect(found, from, into);
    return;
  }
  for (const one of Object.values(value)) collect(one, from, into);
}

function prune(whole: JsonObject): JsonObject {
  const paths: JsonObject = {};
  for (const [path, methods] of Object.entries(OPERATIONS)) {
    const operations = methods.map((method) => {
      return [method, toOperation(child(child(whole.paths, path), method), `${method} ${path}`)];
    });
    paths[path] = Object.fromEntries(operations) as JsonObject;
  }
  const components: JsonObject = {};
  collect(paths, whole.components as JsonObject, components);
  const info = { title: 'GitHub REST API, pruned', version: child(whole.info, 'version') ?? '' };
  return { openapi: whole.openapi ?? '3.0.3', info, paths, components };
}

const [, , source] = process.argv;
if (source === undefined) throw new Error('usage: prune-github-openapi.ts <path of api.github.com.json>');
const pruned = prune(JSON.parse(readFileSync(source, 'utf8')) as JsonObject);
writeFileSync(OUTPUT, `${JSON.stringify(pruned, null, 1)}\n`);
console.log(`${OUTPUT}: ${Object.keys(OPERATIONS).length} paths`);
