import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { type Deployment, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { fileOf, toStage } from '#lib/domain/deployment/stage.ts';
import { ConfigError } from '#lib/domain/errors.ts';

/**
 * Reads `healer.<stage>.yml` of a folder.
 * @throws ConfigError when it is missing, cannot be read, is no YAML (with the line), or has faults (all of them)
 */
export async function readDeployment(stage: string, folder: string): Promise<Deployment> {
  const file = fileOf(toStage(stage));
  return parseDeployment(parseYaml(await readText(join(folder, file), file, stage), file), stage);
}

/** Whether there is such a file at all. */
export const hasDeployment = async (stage: string, folder: string): Promise<boolean> =>
  access(join(folder, fileOf(toStage(stage)))).then(
    () => true,
    () => false,
  );

async function readText(path: string, file: string, stage: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? `there is no ${file} here` : `${file} cannot be read (${code ?? 'unknown'})`;
    throw new ConfigError(`${reason}: npx healer init --stage ${stage} asks and writes it`, { cause: error });
  }
}

/** @throws ConfigError with the line of what is no YAML; nothing of the text is repeated */
export function parseYaml(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw new ConfigError(
      `${file}, line ${line}, is no YAML (${wordsOf(error.code)}); healer.example.yml shows how it looks`,
    );
  }
  try {
    return document.toJS();
  } catch (cause) {
    throw new ConfigError(`${file} uses YAML aliases that lead nowhere or too far: write the values out`, { cause });
  }
}

/** `DUPLICATE_KEY` becomes `duplicate key`. */
const wordsOf = (code: string): string => code.toLowerCase().replaceAll('_', ' ');
