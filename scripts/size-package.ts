import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOW } from '#lib/flow.ts';
import { toText } from '#test/support/template/intrinsics.ts';
import { packageService } from '#test/support/template/package-service.ts';
import { ofType, property, record } from '#test/support/template/template.ts';

/** Above this a function's zip is a fault. */
export const MAX_ZIP_BYTES = 450_000;

/** A packaged function, in the order of the flow. */
export interface PackagedFunction {
  readonly name: string;
  readonly zip: Uint8Array;
  /** Path of the bundle inside the zip. */
  readonly entry: string;
  /** As deployed, with placeholders for what only AWS knows. */
  readonly environment: Readonly<Record<string, string>>;
  readonly isApi: boolean;
}

/** Packages the service as `serverless deploy` does. */
export async function packagedFunctions(): Promise<readonly PackagedFunction[]> {
  const { dir, template } = await packageService();
  const deployed = new Map(
    ofType(template, 'AWS::Lambda::Function').map(([, resource]) => {
      const path = String(property(resource, 'Handler')).replace(/\.[^.]+$/, '');
      const variables = Object.entries(record(property(resource, 'Environment', 'Variables')));
      const environment = Object.fromEntries(variables.map(([name, value]) => [name, toText(template, value)]));
      return [path.replace(/^functions\//, ''), { entry: `${path}.js`, environment }] as const;
    }),
  );
  const zips = readdirSync(dir).filter((name) => name.endsWith('.zip'));
  if (zips.length !== deployed.size) throw new Error(`${zips.length} zips for ${deployed.size} functions in ${dir}`);
  return FLOW.flatMap(({ function: name, consumes }) => {
    const found = deployed.get(name);
    if (found === undefined) return [];
    const isApi = consumes === 'http' || consumes === 'authorizer';
    return [{ name, isApi, zip: new Uint8Array(readFileSync(join(dir, `${name}.zip`))), ...found }];
  });
}
