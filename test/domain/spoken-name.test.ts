import { describe, expect, it } from 'vitest';
import { isSpeakable, toSpoken } from '#lib/domain/spoken-name.ts';
import { PLANTED } from '../../scripts/fuzz-mutate.ts';

describe('a name in an error', () => {
  it.each(['play-widgets-m8k3t', 'rex', 'Rex_2', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a'.repeat(19)])(
    'may be %s',
    (name) => {
      expect([isSpeakable(name), toSpoken('session', name)]).toEqual([true, `session ${name}`]);
    },
  );

  it.each([...PLANTED, '', '-a', 'a b', 'a'.repeat(20), 'a.'.repeat(32), '<b>', '\u202Ea'])('may not be %j', (name) => {
    expect([isSpeakable(name), toSpoken('session', name)]).toEqual([false, 'session with this id']);
  });
});
