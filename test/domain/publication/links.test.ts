import { describe, expect, it } from 'vitest';
import { toLinks, toWebUrl } from '#lib/domain/publication/links.ts';

describe('toWebUrl', () => {
  it.each([
    ['https://api.github.com', 'https://github.com'],
    ['https://ghe.example.com/api/v3', 'https://ghe.example.com'],
    ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
    ['http://127.0.0.1:4711', 'http://127.0.0.1:4711'],
  ])('%s serves people at %s', (api, web) => expect(toWebUrl(api)).toBe(web));
});

describe('toLinks', () => {
  it('names the repository of the play only where the issue stands elsewhere', () => {
    const urls = (target: string) => toLinks('https://github.com', target, 'acme/shop').items.map(({ url }) => url);
    const all = 'https://github.com/acme/shop/issues?q=is%3Aissue+label%3Ahealer';
    expect(urls('acme/shop')).toEqual([all]);
    expect(urls('acme/platform')[0]).toBe('https://github.com/acme/shop');
  });
});
