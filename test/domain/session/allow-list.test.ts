import { describe, expect, it } from 'vitest';
import { ForbiddenError, InputError } from '#lib/domain/errors.ts';
import { ensureAllowed, parseAllowList } from '#lib/domain/session/allow-list.ts';

describe('ensureAllowed', () => {
  it.each([
    ['acme', 'acme/widgets'],
    ['acme/*', 'https://github.com/Acme/Widgets.git'],
    ['ACME/Widgets', 'git@github.com:acme/widgets.git'],
    ['other/*, acme/widgets', 'acme/widgets'],
  ])('%s allows %s', (list, repository) => {
    expect(() => ensureAllowed(repository, parseAllowList(list))).not.toThrow();
  });

  it.each([
    ['acme/*', 'acme-evil/widgets'],
    ['acme/*', 'evil/acme'],
    ['acme/widgets', 'acme/widgets2'],
    ['acme/widgets', 'acme/other'],
    ['', 'acme/widgets'],
    [' , ', 'acme/widgets'],
  ])('%j refuses %s', (list, repository) => {
    expect(() => ensureAllowed(repository, parseAllowList(list))).toThrow(ForbiddenError);
  });

  it('says where an operator adds it, deployed and on a laptop', () => {
    expect(() => ensureAllowed('acme/widgets', [])).toThrow(
      /list of repositories is empty.*to repositories\.allowed in healer\.<stage>\.yml and deploys again \(of `npm start`: to ALLOWED_REPOSITORIES, and starts it again\)\.$/,
    );
    expect(() => ensureAllowed('acme/widgets', ['other/*'])).toThrow(/not in the list.*"acme\/widgets" or "acme\/\*"/);
  });

  it('tells wrong input from a refusal', () => {
    expect(() => ensureAllowed('nonsense', ['acme/*'])).toThrow(InputError);
  });
});

describe('parseAllowList', () => {
  it.each(['*', '*/*', '*/widgets', 'acme/wid*', 'acme/widgets/x', 'https://github.com/acme', 'a b'])(
    'refuses the entry %j, which would mean more or less than it seems',
    (entry) => {
      expect(() => parseAllowList(`acme/*,${entry}`)).toThrow(InputError);
    },
  );
});
