import { describe, expect, it } from 'vitest';
import type { Detection } from '#lib/domain/detection/detection.ts';
import { anEntry, at, detectIn, entriesOf, labels, POD } from './support.ts';

const INIT = '{"type":"system","subtype":"init","tools":["Bash"],"mcp_servers":[]}';
const WORK = '{"type":"assistant","message":{"content":[{"type":"text","text":"I read the code."}]}}';
const END = '{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"done"}';
const ENDED = { session: true, pods: new Set([POD]) };
const patterns = ({ findings }: Detection) => findings.map(({ pattern }) => pattern);

describe('a run that was killed', () => {
  it('is told by its missing closing event once its pod has ended', () => {
    const entries = entriesOf([0, INIT], [5, WORK]);
    expect(patterns(detectIn(entries, { ended: ENDED }))).toEqual(['check.killed-run']);
    expect(patterns(detectIn(entries, { ended: { session: true } }))).toEqual([]);
  });

  it.each([
    [
      'codex',
      '{"type":"thread.started","thread_id":"t"}',
      '{"type":"item.completed","item":{"type":"agent_message","text":"I look."}}',
    ],
    [
      'gemini',
      '{"type":"init","session_id":"s","model":"m"}',
      '{"type":"message","role":"assistant","content":"I look."}',
    ],
    [
      'opencode',
      '{"type":"step_start","sessionID":"s","part":{}}',
      '{"type":"text","sessionID":"s","part":{"text":"I look."}}',
    ],
  ])('%s', (_cli, start, work) => {
    expect(patterns(detectIn(entriesOf([0, start], [5, work]), { ended: ENDED }))).toEqual(['check.killed-run']);
  });

  it.each([
    ['a run that closed', entriesOf([0, INIT], [5, WORK], [6, END])],
    [
      'a run that closed before other programs of its container spoke',
      entriesOf([0, INIT], [6, END], [7, 'uploading logs']),
    ],
    ['plain output, which has no closing event', entriesOf([0, 'claude -p'], [5, 'I read the code.'])],
    ['a pod that runs no agent', entriesOf([0, '{"level":30,"msg":"listening"}'])],
  ])('not: %s', (_name, entries) => {
    expect(patterns(detectIn(entries, { ended: ENDED }))).toEqual([]);
  });

  it('is an echo where the log says why', () => {
    const detection = detectIn(
      entriesOf(
        [0, INIT],
        [5, WORK],
        [6, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
      ),
      { ended: ENDED },
    );
    expect(labels(detection)).toHaveLength(1);
    expect(patterns(detection)).not.toEqual(['check.killed-run']);
  });

  it('each pod for itself', () => {
    const other = 'play-1-cleo-abcde';
    const entries = [...entriesOf([0, INIT], [5, WORK]), anEntry(0, INIT, other), anEntry(6, END, other)];
    const { findings } = detectIn(entries, { ended: { pods: new Set([POD, other]) }, until: at(10) });
    expect(findings.map(({ pod }) => pod)).toEqual([POD]);
  });
});
