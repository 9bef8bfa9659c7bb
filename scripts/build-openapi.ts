import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toOpenApi } from '#lib/edge/http/openapi.ts';

/** The document in the form in which it is committed and served. */
export const toOpenApiText = (): string => `${JSON.stringify(toOpenApi(), null, 1)}\n`;

export const OPENAPI_FILE = join(import.meta.dirname, '../lib/edge/http/openapi.generated.json');

if (process.argv[1] === import.meta.filename) writeFileSync(OPENAPI_FILE, toOpenApiText());
