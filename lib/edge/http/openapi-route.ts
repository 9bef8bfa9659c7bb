import type { Route } from './http-api.ts';
import { Document } from './reply.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** `GET /openapi.json`. The document is read when it is asked for: a cold start does not pay for it. */
export const openApiRoute: Route = async () => {
  const { default: document } = await import('./openapi.generated.json', { with: { type: 'json' } });
  return new Document(HEADERS, JSON.stringify(document));
};
