import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#test/support/template/package-cache.ts';
import { type Check, runChecks } from '../../scripts/prove-deploy/check.ts';
import type { Deployment } from '../../scripts/prove-deploy/deployment.ts';
import { ensurePython } from '../../scripts/prove-deploy/python.ts';

const REQUIREMENTS = join(ROOT, 'scripts/prove-deploy/requirements.txt');

describe('the Python environment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'healer-test-'));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says how to get Python where there is none', async () => {
    vi.stubEnv('PATH', folder);
    await expect(ensurePython(join(folder, 'python'), REQUIREMENTS)).rejects.toThrow(
      /apt-get install python3 python3-venv/,
    );
    expect(existsSync(join(folder, 'python'))).toBe(false);
  });

  it('is made of pinned packages with hashes alone', () => {
    const text = readFileSync(REQUIREMENTS, 'utf8').replaceAll('\\\n', '');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines)
      expect(line).toMatch(/^[\w-]+==[\w.]+( ; python_version < "3\.11")? ( *--hash=sha256:[0-9a-f]{64})+$/);
  });
});

describe('the checks of a deployment', () => {
  const aCheck = (name: string, run: Check['run']): Check => ({
    name,
    functions: ['detect'],
    advice: 'look there',
    run,
  });
  const deployment = {
    service: { logs: async (name: string) => `START\n{"message":"the log of ${name}"}\nEND` },
    emulator: { log: join(import.meta.dirname, 'emulator.log.txt') },
  } as unknown as Deployment;
  let printed: string[];

  beforeEach(() => {
    printed = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  });

  afterEach(() => vi.restoreAllMocks());

  it('print a line each', async () => {
    const checks = [aCheck('first', async () => 'seen'), aCheck('second', async () => '')];
    expect(await runChecks(checks, deployment)).toEqual({ held: 2, failed: undefined });
    expect(printed.map((line) => line.replace(/[\d.]+ s/, '… s').trim())).toEqual([
      '… s  ok  first: seen',
      '… s  ok  second',
    ]);
  });

  it('stop at the first that fails, with log lines and advice', async () => {
    const late = vi.fn(async () => 'never');
    const checks = [
      aCheck('first', async () => ''),
      aCheck('bad', async () => Promise.reject(new Error('why'))),
      aCheck('late', late),
    ];
    expect(await runChecks(checks, deployment)).toEqual({ held: 1, failed: 'bad' });
    expect(late).not.toHaveBeenCalled();
    const text = printed.join('\n');
    for (const part of [
      'FAILED  bad: why',
      'function detect',
      'the log of detect',
      'Worker init failed',
      'Advice: look there',
    ]) {
      expect(text).toContain(part);
    }
  });
});
