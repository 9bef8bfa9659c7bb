import * as z from 'zod';
import { findSecrets } from './find-secrets.ts';
import { deploymentSchema } from './schema.ts';

/** A field of the file, by its path such as `loki.url`. */
interface Field {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly isList: boolean;
}

/** What stands behind defaults and `none`. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return bare(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform
    ? bare(schema.def.out as z.ZodType)
    : schema;
}

function collect(schema: z.ZodType, path: string): readonly (readonly [string, Field])[] {
  const inner = bare(schema);
  const field = { schema, description: schema.description ?? '', isList: inner instanceof z.ZodArray };
  const below =
    inner instanceof z.ZodObject
      ? Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, item]) =>
          collect(item, path === '' ? name : `${path}.${name}`),
        )
      : [];
  return path === '' ? below : [[path, field], ...below];
}

/** Every field and block by its path, in the order of the file. */
export const FIELDS: ReadonlyMap<string, Field> = new Map(collect(deploymentSchema, ''));

/** What is wrong with a field's value, taken by itself; undefined when it is right. */
export function findFault(path: string, value: unknown, stage: string): string | undefined {
  const [secret] = findSecrets(nest(path, value), stage);
  if (secret !== undefined) return secret.message;
  const parsed = FIELDS.get(path)?.schema.safeParse(value);
  return parsed?.error?.issues[0]?.message;
}

/** `nest('loki.url', 'x')` is `{ loki: { url: 'x' } }`. */
export const nest = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
