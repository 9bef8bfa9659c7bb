import { describe, expect, it } from 'vitest';
import { toCommandHead } from '#lib/domain/detection/readers/commands.ts';

describe('the head by which two runs of a command are the same', () => {
  it.each([
    ['git push -u origin task-7', '', 'git push'],
    ["bash -lc 'cd /workspace/repo && npm ci'", '', 'npm ci'],
    ['mkdir -p /data/out', 'Permission denied', 'mkdir'],
    ['touch src/a.ts', '', 'touch'],
    ['git fetch origin && git push origin x', 'error: failed to push some refs', 'git push'],
    ['git add . && git commit -m x', '', 'git add'],
  ])('%s', (command, output, head) => {
    expect(toCommandHead(command, output)).toBe(head);
  });
});
