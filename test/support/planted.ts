import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '#test/support/template/package-cache.ts';

/** A tree of its own with this project's settings, in which a test plants what a tool must find. */
export interface PlantedTree {
  readonly dir: string;
  remove(): Promise<void>;
}

/**
 * `files`: contents by path. `settings`: files of the project that are copied to the same place. The project's packages
 * are linked, unless the tree brings a `node_modules` of its own.
 */
export async function plant(
  files: Readonly<Record<string, string>>,
  settings: readonly string[],
  { linksPackages = true } = {},
): Promise<PlantedTree> {
  const dir = await mkdtemp(join(tmpdir(), 'healer-planted-'));
  if (linksPackages) await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'), 'dir');
  for (const path of settings) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await copyFile(join(ROOT, path), join(dir, path));
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** What a tool of `node_modules/.bin` prints in that folder; a tool that finds faults ends with another code than 0. */
export async function printed(dir: string, tool: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(join(ROOT, 'node_modules', '.bin', tool), args, { cwd: dir, maxBuffer: 2 ** 26 }, (_, stdout) =>
      resolve(stdout),
    );
  });
}
