import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { MINIMAL } from './builders/a-deployment.ts';

/** A folder with the file of a stage, as an operator has it. */
export function aStageFolder(overrides: Partial<DeploymentInput> = {}, stage = 'prod') {
  const folder = mkdtempSync(join(tmpdir(), 'healer-stage-'));
  writeFileSync(join(folder, `healer.${stage}.yml`), stringify({ ...MINIMAL, ...overrides }));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
