import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { type Deployment, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { FIELDS } from '#lib/domain/deployment/describe-fields.ts';
import { fileOf, toStage } from '#lib/domain/deployment/stage.ts';
import { ConfigError } from '#lib/domain/errors.ts';

/**
 * Reads `healer.<stage>.yml` of a folder.
 * @throws ConfigError when it is missing, cannot be read, is no YAML (with the line), or has faults (all of them)
 */
export async function readDeployment(stage: string, folder: string): Promise<Deployment> {
  const file = fileOf(toStage(stage));
  return parseDeployment(parseYaml(await readText(folder, file, stage), file), stage);
}

/** The region that the file names, whatever else is wrong in it; undefined when there is none that it could name. */
export async function readRegion(stage: string, folder: string): Promise<string | undefined> {
  try {
    const file = fileOf(toStage(stage));
    const value = parseYaml(await readText(folder, file, stage), file);
    if (typeof value !== 'object' || value === null) return undefined;
    const parsed = FIELDS.get('region')?.schema.safeParse((value as { region?: unknown }).region);
    return parsed?.data as string | undefined;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** Where a folder is, in a sentence: `here`, or `in other/folder`. */
export const sayPlace = (folder: string): string => (folder === '.' ? 'here' : `in ${folder}`);

/** The words of a command that name the folder, with a blank before them; none for the one in which it is called. */
export const toFolderWords = (folder: string): string => (folder === '.' ? '' : ` --folder ${quote(folder)}`);

/** For a POSIX shell. */
const quote = (text: string): string =>
  /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Whether there is such a file at all. */
export const hasDeployment = async (stage: string, folder: string): Promise<boolean> =>
  access(join(folder, fileOf(toStage(stage)))).then(
    () => true,
    () => false,
  );

async function readText(folder: string, file: string, stage: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new ConfigError(`${file} ${sayPlace(folder)} cannot be read (${code ?? 'unknown'})`, { cause: error });
    const command = `npx healer init --stage ${stage}${toFolderWords(folder)}`;
    throw new ConfigError(`there is no ${file} ${sayPlace(folder)}: ${command} asks and writes it`, { cause: error });
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
