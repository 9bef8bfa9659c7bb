import { describe, expect, it } from 'vitest';
import { parseOptions } from '#lib/local/options.ts';

const DEFAULTS = { port: 8083, once: false, keep: false, live: false, file: false, faults: [], help: false };

describe('parseOptions', () => {
  it.each([
    [[], {}, DEFAULTS],
    [['--once', '--keep'], {}, { ...DEFAULTS, once: true, keep: true }],
    [['--port', '9000'], {}, { ...DEFAULTS, port: 9000 }],
    [['--port=0'], {}, { ...DEFAULTS, port: 0 }],
    [[], { HEALER_PORT: '9001' }, { ...DEFAULTS, port: 9001 }],
    [['--port', '9000'], { HEALER_PORT: '9001' }, { ...DEFAULTS, port: 9000 }],
    [['--live'], {}, { ...DEFAULTS, live: true }],
    [['--live', '--file'], {}, { ...DEFAULTS, live: true, file: true }],
    [['-h'], {}, { ...DEFAULTS, help: true }],
  ])('%j with %j', (args, env, expected) => {
    expect(parseOptions(args, env)).toEqual(expected);
  });

  it.each([
    [['--nonsense'], "Unknown option '--nonsense'"],
    [['word'], "Unexpected argument 'word'"],
    [['--port'], "Option '--port <value>' argument missing"],
  ])('refuses %j with a sentence that points to the help', (args, message) => {
    expect(() => parseOptions(args, {})).toThrow(message);
    expect(() => parseOptions(args, {})).toThrow('npm start -- --help lists what is known');
  });

  it.each([
    [['--file'], '--file goes with --live'],
    [['--live', '--once'], '--once and --fault belong to the demo'],
    [['--live', '--fault', 'drop-once'], '--once and --fault belong to the demo'],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args, {})).toThrow(message);
  });

  it.each(['x', '-1', '65536', '80.5', ''])('refuses the port "%s"', (port) => {
    expect(() => parseOptions([`--port=${port}`], {})).toThrow('the port must be a number from 0 to 65535');
  });
});
