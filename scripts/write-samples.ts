import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CorpusCase, loadCases, SETS } from '#test/corpus/score.ts';

/**
 * Writes some cases as plain log files, for `npx healer scan test/corpus/samples/*.log`: what `kubectl logs --prefix
 * --timestamps` would have printed of their pods, or the bare lines of one pod.
 */
const SAMPLES: Readonly<Record<string, { readonly file: string; readonly isBare?: true }>> = {
  c169: { file: 'tool-inventory.log' },
  c185: { file: 'tools-server-out-of-memory.log' },
  c120: { file: 'expired-token.log' },
  c161: { file: 'template-not-found.log' },
  'r-codex-f2-warn': { file: 'codex-mcp-server.log' },
  'r-gemini-f11-text': { file: 'gemini-quota.log', isBare: true },
  'r-opencode-f20': { file: 'opencode-push-refused.log', isBare: true },
  'r-codex-h1': { file: 'healthy-codex.log' },
};

const FOLDER = join(import.meta.dirname, '../test/corpus/samples');

/** The file of a case, as text. */
export function toSample(corpusCase: CorpusCase, isBare: boolean): string {
  const start = Date.parse(corpusCase.start);
  const lines = corpusCase.lines.map(({ t, pod, container, line }) => {
    const moment = new Date(start + Math.floor(t * 1000)).toISOString().replace('Z', '000000Z');
    return isBare ? line : `[pod/${pod}/${container}] ${moment} ${line}`;
  });
  return `${lines.join('\n')}\n`;
}

/** All sample files by their name. */
export function toSamples(): ReadonlyMap<string, string> {
  const cases = SETS.flatMap((set) => loadCases(set));
  const found = cases.flatMap((corpusCase) => {
    const sample = SAMPLES[corpusCase.id];
    return sample === undefined ? [] : [[sample.file, toSample(corpusCase, sample.isBare === true)] as const];
  });
  return new Map(found);
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, text] of toSamples()) writeFileSync(join(FOLDER, file), text);
}
