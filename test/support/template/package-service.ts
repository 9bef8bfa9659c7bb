import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { fileOf } from '#lib/domain/deployment/stage.ts';
import { MINIMAL } from '../builders/a-deployment.ts';
import { packageOnce, ROOT } from './package-cache.ts';
import { parseTemplate, type Template } from './template.ts';

/** A packaged service as `serverless deploy` would upload it. Read-only: all test files share one. */
export interface ServicePackage {
  /** Holds the templates and one `<function>.zip` each. */
  readonly dir: string;
  readonly template: Template;
}

/** Reads the template of a folder that `serverless package --package <dir>` has written. */
export async function readPackage(dir: string): Promise<ServicePackage> {
  const text = await readFile(join(dir, 'cloudformation-template-update-stack.json'), 'utf8');
  return { dir, template: parseTemplate(text) };
}

/** What adds resources to the template. */
export const EVERYTHING: Partial<DeploymentInput> = {
  vpc: { subnets: ['subnet-0a1b2c3d', 'subnet-4e5f6071'], securityGroups: ['sg-0a1b2c3d'] },
  alarms: { email: 'oncall@example.com' },
  retention: { logDays: 90 },
};

/**
 * Packages this repository's service, once per content of what goes into it.
 *
 * @param configuration what stands in the stage's file beside what must; without it there is no file.
 */
export async function packageService(configuration?: Partial<DeploymentInput>): Promise<ServicePackage> {
  const copied = [
    'functions',
    'lib',
    'infra',
    'patterns',
    'scripts/ask-configuration.cjs',
    'scripts/check-configuration.cjs',
    'scripts/compress-packages.cjs',
    'scripts/esbuild-plugins.cjs',
    'scripts/find-node.cjs',
    'serverless.yml',
    'package.json',
    'tsconfig.json',
  ];
  const written =
    configuration === undefined ? {} : { [fileOf('dev')]: JSON.stringify({ ...MINIMAL, ...configuration }) };
  return readPackage(await packageOnce('healer', { root: ROOT, copied, hashed: ['package-lock.json'], written }));
}
