import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAgentsPage, toScanSchema } from '../../scripts/build-docs.ts';
import { toSamples } from '../../scripts/write-samples.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('what is written out of the sources', () => {
  it.each([
    ['docs/agents.md', toAgentsPage],
    ['docs/scan.schema.generated.json', toScanSchema],
  ])('%s is in step (node scripts/build-docs.ts)', (path, written) => {
    expect(read(path)).toBe(written());
  });

  it('the samples are in step with their cases (node scripts/write-samples.ts)', () => {
    const folder = 'test/corpus/samples';
    const files = Object.fromEntries(readdirSync(join(root, folder)).map((file) => [file, read(join(folder, file))]));
    expect(files).toEqual(Object.fromEntries(toSamples()));
  });
});
