import { expect, it } from 'vitest';
import { parseLoad } from '#lib/domain/cost/load.ts';
import { InputError } from '#lib/domain/errors.ts';

it('fills in what is left out', () => {
  expect(parseLoad({})).toMatchObject({ sessions: 100, namespaces: 1, incidentsPerDay: 5 });
  expect(parseLoad({ sessions: '1000' })).toMatchObject({ namespaces: 5, incidentsPerDay: 50 });
});

it.each([
  [{ sessions: '0' }, '--sessions must be a whole number from 1 to 1000000'],
  [{ sessions: '1.5' }, '--sessions must be a whole number'],
  [{ sessions: '-3' }, '--sessions must be a whole number'],
  [{ sessions: 'many' }, '--sessions must be a whole number'],
  [{ sessions: '1e9' }, '--sessions must be a whole number'],
  [{ linesPerMinute: 'a lot' }, '--lines-per-minute must be a number from 0'],
  [{ incidentsPerDay: '' }, '--incidents-per-day must be a number from 0'],
  [{ sessionMinutes: '0' }, '--session-minutes must be a number from 1'],
  [{ sessions: '3', namespaces: '4' }, '--namespaces must be at most the number of sessions'],
])('refuses %o', (texts, sentence) => {
  expect(() => parseLoad(texts)).toThrow(InputError);
  expect(() => parseLoad(texts)).toThrow(sentence);
});

it('tells all faults at once, and repeats no value', () => {
  const read = () => parseLoad({ sessions: 'secret-1', linesPerMinute: 'secret-2' });
  expect(read).toThrow(/--sessions .*; --lines-per-minute /);
  expect(read).not.toThrow(/secret/);
});
