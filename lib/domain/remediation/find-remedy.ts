import type { Finding } from '../detection/finding.ts';
import { remedyMissingKey } from './missing-key.ts';
import { remedyMisspeltTool } from './misspelt-tool.ts';
import { findConfiguration } from './play-configuration.ts';
import { remedyPromptReference } from './prompt-reference.ts';
import type { Proposal } from './proposal.ts';

const REMEDIES = [remedyMisspeltTool, remedyMissingKey, remedyPromptReference];

/** Files that the remedies look into, of all files of a repository. */
export function remedyFiles(paths: readonly string[]): readonly string[] {
  const { config, schema, catalogues } = findConfiguration(paths);
  return [config, schema, ...catalogues].filter((path) => path !== undefined);
}

/**
 * The fix that follows from the finding and the repository alone, without a model.
 * @param paths all files of the repository
 * @param texts contents of {@link remedyFiles}
 */
export function findRemedy(
  finding: Finding,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): Proposal | undefined {
  for (const remedy of REMEDIES) {
    const proposal = remedy(finding, paths, texts);
    if (proposal !== undefined) return proposal;
  }
  return undefined;
}
