import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type PlantedTree, plant } from '#test/support/planted.ts';

let tree: PlantedTree | undefined;

afterEach(async () => {
  await tree?.remove();
  tree = undefined;
});

/** Runs `.ci/run` with an `npm` that answers each of its calls by these lines of shell. */
async function runWith(answers: Readonly<Record<string, string>>): Promise<{ code: number; lines: readonly string[] }> {
  const cases = Object.entries(answers).map(([words, shell]) => `"${words}"*) ${shell} ;;`);
  const files = { 'package-lock.json': '{}', 'bin/npm': `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\nesac\n` };
  // The installation's mark goes into a folder of the tree, never into this project's packages.
  tree = await plant({ ...files, 'node_modules/.keep': '' }, ['.ci/run'], { linksPackages: false });
  const { dir } = tree;
  await chmod(join(dir, 'bin/npm'), 0o755);
  const env = { ...process.env, PATH: [join(dir, 'bin'), process.env['PATH']].join(delimiter) };
  return new Promise((resolve) => {
    execFile('bash', ['.ci/run'], { cwd: dir, env }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trimEnd().split('\n') });
    });
  });
}

const GOOD = {
  ci: 'true',
  'run check': 'true',
  test: "echo '12 passed, 0 failed'",
  'run e2e': "echo '3 passed, 0 failed'",
  'run prove:privilege': 'true',
  'run prove:deploy': 'true',
};

describe('.ci/run', () => {
  it('ends with the counts of the tests', async () => {
    const { code, lines } = await runWith(GOOD);
    expect([code, lines.at(-1)]).toEqual([0, '15 passed, 0 failed']);
    const steps = ['install', 'check', 'test', 'e2e', 'privilege', 'deploy'];
    expect(lines.slice(-2 - steps.length, -2).map((line) => line.split(/ +/)[0])).toEqual(steps);
  });

  it.each([
    ['a failed check', { ...GOOD, 'run check': 'exit 1' }, '15 passed, 1 failed'],
    ['failed tests', { ...GOOD, test: "printf '10 passed, 2 failed\\n'; exit 1" }, '13 passed, 2 failed'],
    [
      'tests that crash after their count',
      { ...GOOD, test: "printf '12 passed, 0 failed\\n'; exit 1" },
      '15 passed, 1 failed',
    ],
    ['tests that count nothing', { ...GOOD, test: 'true' }, '3 passed, 1 failed'],
    ['a failed demo', { ...GOOD, 'run e2e': "printf '2 passed, 1 failed\\n'; exit 1" }, '14 passed, 1 failed'],
    ['a role that lacks a right', { ...GOOD, 'run prove:privilege': 'exit 1' }, '15 passed, 1 failed'],
    ['a deployment that fails', { ...GOOD, 'run prove:deploy': 'exit 1' }, '15 passed, 1 failed'],
    [
      'everything failed',
      Object.fromEntries(Object.keys(GOOD).map((name) => [name, name === 'ci' ? 'true' : 'exit 1'])),
      '0 passed, 5 failed',
    ],
    ['a failed installation', { ...GOOD, ci: 'exit 1' }, '0 passed, 1 failed'],
  ])('ends with 1 on %s', async (_, answers, last) => {
    const { code, lines } = await runWith(answers);
    expect([code, lines.at(-1)]).toEqual([1, last]);
  });

  it('reads counts through colours and past the tail of npm', async () => {
    const coloured = "printf '\\033[32m7 passed, 1 failed, 2 skipped\\033[0m\\nnpm error code 1\\n'; exit 1";
    expect((await runWith({ ...GOOD, test: coloured })).lines.at(-1)).toBe('10 passed, 1 failed');
  });
});
