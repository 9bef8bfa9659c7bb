import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import type { StackOptions } from '#lib/local/stack-options.ts';
import { packageService } from './template/package-service.ts';

/** A packaged template, to be changed in place. */
export interface ChangeableTemplate {
  readonly Resources: { [logicalId: string]: { readonly Type: string; Properties: { [name: string]: unknown } } };
}

export interface ServiceStackOptions extends Partial<StackOptions> {
  /** What stands in the stage's file, e.g. `{ api: { authorization: 'iam' } }`. */
  readonly configuration?: Partial<DeploymentInput>;
  /** Changes the packaged template before the stack reads it. */
  readonly change?: (template: ChangeableTemplate) => void;
}

const TEMPLATE_FILE = 'cloudformation-template-update-stack.json';

/**
 * This repository's packaged service on the local stack, for plays of `acme/*`, without a token of the runner: requests
 * are refused as in a deployment. The log source leads nowhere.
 */
export async function startService(options: ServiceStackOptions = {}): Promise<LocalStack> {
  const { configuration, change, ...stackOptions } = options;
  const directory = mkdtempSync(join(tmpdir(), 'healer-test-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const packageDirectory = join(directory, 'package');
    cpSync((await packageService(configuration)).dir, packageDirectory, { recursive: true });
    if (change) rewrite(join(packageDirectory, TEMPLATE_FILE), change);
    const overrides = { ALLOWED_REPOSITORIES: 'acme/*', LOKI_URL: 'http://127.0.0.1:9' };
    const stack = await startStack({ packageDirectory, runDirectory: directory, overrides, ...stackOptions });
    return {
      ...stack,
      async stop() {
        await stack.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function rewrite(file: string, change: (template: ChangeableTemplate) => void): void {
  const template = JSON.parse(readFileSync(file, 'utf8')) as ChangeableTemplate;
  change(template);
  writeFileSync(file, JSON.stringify(template));
}
