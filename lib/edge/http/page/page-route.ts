import type { Route } from '../http-api.ts';
import { Document } from '../reply.ts';

/** `GET /`: the page without data. Its text is read when it is asked for: a cold start does not pay for it. */
export const pageRoute: Route = async () => {
  const { PAGE_HTML, PAGE_POLICY } = await import('./page.generated.ts');
  return new Document(
    {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    },
    PAGE_HTML,
  );
};
