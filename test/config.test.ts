import { describe, expect, it } from 'vitest';
import { integer, list, oneOf, optional, parsed, readConfig, required } from '#lib/config.ts';
import { ConfigError } from '#lib/domain/errors.ts';

const settings = {
  table: required('TABLE', 'the name of the table'),
  hours: integer('HOURS', { min: 1, max: 720, fallback: 48 }),
  names: list('NAMES', 'names'),
  mode: oneOf('MODE', ['guarded', 'auto'], 'guarded'),
  url: optional('URL', 'a URL', undefined),
  even: parsed('EVEN', 'an even number', (text) => {
    if (Number(text) % 2 !== 0) throw new Error('odd');
    return Number(text);
  }),
};

describe('readConfig', () => {
  it('fills in what may be left out', () => {
    const expected = { table: 't', hours: 48, names: [], mode: 'guarded', url: undefined, even: 0 };
    expect(readConfig(settings, { TABLE: 't' })).toEqual(expected);
    expect(readConfig(settings, { TABLE: 't', HOURS: '', NAMES: ' ', MODE: '' })).toEqual(expected);
  });

  it('reads what is set', () => {
    const env = { TABLE: ' t ', HOURS: '720', NAMES: 'a, b,,c ', MODE: 'auto', URL: 'u', EVEN: '4' };
    const expected = { table: 't', hours: 720, names: ['a', 'b', 'c'], mode: 'auto', url: 'u', even: 4 };
    expect(readConfig(settings, env)).toEqual(expected);
  });

  it('lists all faults at once, with what would be right and without values', () => {
    const read = () => readConfig(settings, { HOURS: '721', MODE: 'secret-word', EVEN: '3' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      'The configuration has 4 fault(s): TABLE must be the name of the table (it is not set); ' +
        'HOURS must be a whole number from 1 to 720 (it is not); MODE must be one of guarded, auto (it is not); ' +
        'EVEN must be an even number (it is not).',
    );
  });

  it.each(['0', '-1', '1.5', '1e2', 'x', '721'])('takes no hours %s', (hours) => {
    expect(() => readConfig(settings, { TABLE: 't', HOURS: hours })).toThrow(/HOURS must be/);
  });
});
