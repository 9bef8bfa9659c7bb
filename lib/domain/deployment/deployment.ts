import type * as z from 'zod';
import type { FieldFault } from '../errors.ts';
import { toConfigError, toPath } from './faults.ts';
import { findSecrets } from './find-secrets.ts';
import { deploymentSchema } from './schema.ts';
import { fileOf, toStage } from './stage.ts';

type Parsed = z.output<typeof deploymentSchema>;

/**
 * A stage's configuration with its defaults filled in: `healer.<stage>.yml`, schema in ./schema.ts. What the file calls
 * `none` is null. `secrets.prefix` is always a path, such as `/healer/prod`.
 */
export type Deployment = Omit<Parsed, 'secrets'> & {
  readonly stage: string;
  readonly secrets: { readonly prefix: string };
};

/** What may stand in the file. */
export type DeploymentInput = z.input<typeof deploymentSchema>;

/**
 * Reads a stage's configuration, as it comes from YAML.
 * @throws ConfigError with every fault at once, each with where it is and what to write (`faults` has them singly); values
 * are never repeated. A value that looks like a secret is a fault that names the command that stores it.
 */
export function parseDeployment(value: unknown, stage: string): Deployment {
  const name = toStage(stage);
  const secrets = findSecrets(value, name);
  const parsed = deploymentSchema.safeParse(value ?? {});
  const faults = [...secrets, ...toFaults(parsed.error, secrets), ...lacksIssuer(value)];
  if (parsed.success && faults.length === 0) {
    return { ...parsed.data, stage: name, secrets: { prefix: parsed.data.secrets.prefix ?? `/healer/${name}` } };
  }
  throw toConfigError(`${fileOf(name)} has`, faults);
}

/** What the schema found, but not where a secret stands: it has to go, whatever would be right in its place. */
function toFaults(error: z.ZodError | undefined, secrets: readonly FieldFault[]): readonly FieldFault[] {
  const taken = secrets.map(({ path }) => path);
  const faults = (error?.issues ?? []).flatMap(({ path, message, ...issue }) => {
    if (issue.code === 'invalid_key') return [{ path: toPath(path), message: issue.issues[0]?.message ?? message }];
    const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    return places.map((place) => ({ path: toPath(place), message }));
  });
  return faults.filter(({ path }) => !taken.includes(path));
}

/** A rule over two fields, told together with what is wrong in each. */
function lacksIssuer(value: unknown): readonly FieldFault[] {
  const { api } = (value ?? {}) as { api?: { authorization?: unknown; jwt?: unknown } | null };
  const isMissing = api?.jwt === undefined || api.jwt === null || api.jwt === 'none';
  if (api?.authorization !== 'jwt' || !isMissing) return [];
  return [{ path: 'api.jwt', message: 'must be a block with issuer and audience, since api.authorization is jwt' }];
}
