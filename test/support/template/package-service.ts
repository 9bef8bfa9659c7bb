import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/**
 * Packages this repository's service, once per content of what goes into it.
 *
 * @param params values of infra/parameters.yml, as `serverless deploy --param name=value` sets them.
 */
export async function packageService(params: Readonly<Record<string, string>> = {}): Promise<ServicePackage> {
  const copied = [
    'functions',
    'lib',
    'infra',
    'patterns',
    'scripts/check-configuration.cjs',
    'scripts/esbuild-plugins.cjs',
    'serverless.yml',
    'package.json',
    'tsconfig.json',
  ];
  return readPackage(await packageOnce('healer', { root: ROOT, copied, hashed: ['package-lock.json'], params }));
}
