import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parsePatterns } from '#lib/domain/detection/patterns/parse-patterns.ts';
import type { Pattern } from '#lib/domain/detection/patterns/pattern.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'lib/domain/detection/patterns/built-in.generated.ts');

/** All built-in patterns, files in the order of their names. @throws InputError naming file, pattern and field. */
export function readPatternFiles(): readonly Pattern[] {
  const folder = join(root, 'patterns');
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.yml'))
    .toSorted();
  return files.flatMap((file) => parsePatterns(file, parse(readFileSync(join(folder, file), 'utf8'))));
}

/** The module that carries the patterns into the bundle, so that no YAML is parsed at a cold start. */
export function toModule(patterns: readonly Pattern[]): string {
  const built = patterns.map(({ tests: _tests, ...pattern }) => pattern);
  return `// Made by scripts/build-patterns.ts from patterns/*.yml; edit those.
import type { BuiltPattern } from './pattern.ts';

export const BUILT_IN_PATTERNS: readonly BuiltPattern[] = ${JSON.stringify(built, null, 2)};
`;
}

/** The module as it is committed: formatted like all sources. */
export function toFormattedModule(patterns: readonly Pattern[]): string {
  const biome = join(root, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', `--stdin-file-path=${target}`], {
    input: toModule(patterns),
    cwd: root,
  }).toString();
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(target, toFormattedModule(readPatternFiles()));
}
