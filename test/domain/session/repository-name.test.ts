import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';

describe('toRepositoryName', () => {
  it.each([
    ['acme/widgets', 'acme/widgets'],
    ['Acme/Widgets', 'acme/widgets'],
    [' acme/widgets ', 'acme/widgets'],
    ['acme/widgets.git', 'acme/widgets'],
    ['acme/.github', 'acme/.github'],
    ['acme/a.b_c-d', 'acme/a.b_c-d'],
    ['https://github.com/acme/widgets', 'acme/widgets'],
    ['https://github.com/acme/widgets/', 'acme/widgets'],
    ['https://github.com/acme/widgets.git', 'acme/widgets'],
    ['http://www.github.com/acme/widgets', 'acme/widgets'],
    ['github.com/acme/widgets', 'acme/widgets'],
    ['git@github.com:acme/widgets.git', 'acme/widgets'],
    ['ssh://git@github.com/acme/widgets.git', 'acme/widgets'],
  ])('reads %s', (text, name) => {
    expect(toRepositoryName(text)).toBe(name);
  });

  it.each([
    '',
    'acme',
    'acme/',
    '/widgets',
    'acme/..',
    'acme/widgets/tree/main',
    '-acme/widgets',
    'https://gitlab.com/acme/widgets',
    'https://github.com.evil.example/acme/widgets',
    'https://evil.example/github.com/acme/widgets',
    'https://user:secret-word@github.com/acme/widgets',
    'git@evil.example:acme/widgets.git',
    'acme/wid gets',
    'acme/widgets\nacme/other',
  ])('refuses %j and does not repeat it', (text) => {
    expect(() => toRepositoryName(text)).toThrow(/owner\/name/);
    expect(() => toRepositoryName(text)).not.toThrow(/secret-word|evil/);
  });

  it('is stable: a canonical name stays what it is', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{0,20}$/);
    fc.assert(
      fc.property(part, part, (owner, name) => {
        const canonical = toRepositoryName(`${owner}/${name}`);
        expect(toRepositoryName(canonical)).toBe(canonical);
        expect(toRepositoryName(`https://github.com/${owner}/${name}.git`)).toBe(canonical);
      }),
    );
  });
});
