import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE_HTML, PAGE_POLICY } from '#lib/edge/http/page/page.generated.ts';
import { pageRoute } from '#lib/edge/http/page/page-route.ts';
import { Document } from '#lib/edge/http/reply.ts';
import { toApiRequest } from '#lib/edge/http/request.ts';
import { anApiEvent } from '#test/support/builders/lambda.ts';
import { PAGE_FILE, toPageModule } from '../../scripts/build-page.ts';

const hashes = (tag: string) =>
  [...PAGE_HTML.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );

describe('the built page', () => {
  it('is committed as its sources make it (npm run page writes it)', async () => {
    expect(readFileSync(PAGE_FILE, 'utf8')).toBe(await toPageModule());
  });

  it('has one script and one style, and a policy that names both and allows nothing else', () => {
    expect([hashes('script'), hashes('style')]).toEqual([
      [expect.any(String) as string],
      [expect.any(String) as string],
    ]);
    for (const hash of [...hashes('script'), ...hashes('style')]) expect(PAGE_POLICY).toContain(hash);
    expect(PAGE_POLICY).not.toMatch(/unsafe|\*|https?:/);
    expect(PAGE_HTML).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//);
    expect(PAGE_HTML).not.toMatch(/ (?:style|on\w+)=/);
  });

  it('is answered with the policy and without caching', async () => {
    const answer = (await pageRoute(toApiRequest(anApiEvent('GET /')))) as Document;
    expect(answer).toBeInstanceOf(Document);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
    });
  });
});
