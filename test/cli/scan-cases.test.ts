import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { detectCase, loadCases, SETS } from '#test/corpus/score.ts';
import { callCli } from '#test/support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'healer-cases-'));
afterAll(() => rmSync(folder, { recursive: true }));

function aFile(content: string): string {
  const path = join(folder, 'cases.jsonl');
  writeFileSync(path, content);
  return path;
}

describe('scan --cases', () => {
  it.each(SETS)('%s: tells exactly what the scorer detects', async (set) => {
    const { code, stdout } = await callCli([
      'scan',
      '--cases',
      join(import.meta.dirname, '../corpus', set, 'cases.jsonl'),
    ]);
    const told = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const expected = loadCases(set).map((corpusCase) => ({
      id: corpusCase.id,
      findings: detectCase(corpusCase).map(({ lineIndex, finding }) => ({
        line_index: lineIndex,
        category: finding.category,
        code: finding.code,
        severity: finding.severity,
        pattern: finding.pattern,
      })),
    }));
    expect([code, told]).toEqual([1, expected]);
  });

  it('exit 0 when no case tells of anything', async () => {
    const quiet = {
      id: 'q1',
      start: '2026-01-08T16:04:11Z',
      lines: [{ t: 0.1, pod: 'p', container: 'c', line: 'ready' }],
    };
    expect(await callCli(['scan', '--cases', aFile(JSON.stringify(quiet))])).toEqual({
      code: 0,
      stdout: '{"id":"q1","findings":[]}\n',
      stderr: '',
    });
  });

  it.each([
    ['oops', /cases\.jsonl, line 1 is not JSON; expected a case/],
    ['{"id":"a","start":"then","lines":[]}', /line 1 is not a case; start: must be a moment/],
    ['\n{"id":"a","start":"2026-01-08T16:04:11Z","lines":[{"t":"x"}]}', /line 2 is not a case; lines\.0\.t: /],
    [
      '{"id":"a","start":"2026-01-08T16:04:11Z","session":{},"lines":[]}',
      /line 1, its session, is not a session: play_id/,
    ],
  ])('%j is refused with file, line and field', async (content, sentence) => {
    const { code, stderr } = await callCli(['scan', '--cases', aFile(content)]);
    expect([code, sentence.test(stderr), stderr]).toEqual([2, true, stderr]);
  });
});
