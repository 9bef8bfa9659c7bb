import { describe, expect, it } from 'vitest';
import { toBlindSpots } from '#lib/domain/detection/blind-spots.ts';
import { toVisibleCli, VISIBILITY } from '#lib/domain/detection/visibility.ts';

const unknown = { hasStream: false, hasTools: false, hasServers: false };
const seen = { hasStream: true, hasTools: true, hasServers: true };

describe('what cannot be seen', () => {
  it('names the setting that would show it, and whom it concerns', () => {
    const spots = toBlindSpots([
      { agent: 'rex', cli: 'codex', ...unknown },
      { agent: 'cleo', cli: 'Codex', ...unknown },
    ]);
    expect(spots).toEqual([
      'A10 cannot be seen for codex before a missing tool is called (rex, cleo).',
      'A12 cannot be seen for codex without RUST_LOG=warn (rex, cleo).',
    ]);
  });

  it.each([
    ['Claude Code in its stream', { agent: 'rex', cli: 'claude-code', ...seen }, []],
    [
      'Claude Code whose start was not read',
      { agent: null, cli: 'claude-code', ...unknown, hasStream: true },
      ['A10 and A12 cannot be seen for claude-code: its start event was not read.'],
    ],
    [
      'Claude Code as declared',
      { agent: 'rex', cli: 'claude', ...unknown },
      ['A10 and A12 cannot be seen for claude-code without --output-format stream-json --verbose (rex).'],
    ],
    [
      'servers that were listed after all',
      { agent: 'rex', cli: 'opencode', ...unknown, hasServers: true },
      ['A10 cannot be seen for opencode before a missing tool is called (rex).'],
    ],
    [
      'an unknown CLI',
      { agent: 'rex', cli: 'aider', ...unknown },
      ['A10 and A12 may stay unseen for aider, whose start event lists neither tools nor servers (rex).'],
    ],
    [
      'no CLI at all',
      { agent: 'rex', cli: null, ...unknown },
      ['A10 and A12 may stay unseen: no event stream of a known CLI was read (rex).'],
    ],
  ])('%s', (_name, agent, spots) => expect(toBlindSpots([agent])).toEqual(spots));

  it('a row that is seen with a setting names it, another one does not', () => {
    for (const row of VISIBILITY) expect([row, row.setting !== null]).toEqual([row, row.seen === 'with a setting']);
  });

  it.each([
    ['claude', 'claude-code'],
    ['Codex', 'codex'],
    ['aider', null],
    [null, null],
  ])('%s is %s', (name, cli) => {
    expect(toVisibleCli(name)).toBe(cli);
  });
});
