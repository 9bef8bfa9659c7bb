import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, hashFiles, serverlessPackage } from '#lib/local/package-service.ts';

const source = dirname(fileURLToPath(import.meta.url));
const root = join(source, '../../..');

/**
 * Packages the fixture service once a content and returns the folder with the compiled template and the zips. A copy is
 * packaged, below `.healer/` so that it finds the project's packages: several test files may ask at the same time.
 */
export async function packageFixture(): Promise<string> {
  const hash = hashFiles([...filesBelow(source), join(root, 'package-lock.json')]).slice(0, 16);
  const home = join(root, '.healer', 'fixture', hash);
  if (!existsSync(home)) await build(home);
  return join(home, 'package');
}

async function build(home: string): Promise<void> {
  const draft = `${home}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  cpSync(source, join(draft, 'service'), { recursive: true });
  await serverlessPackage(join(draft, 'service'), join(draft, 'package'));
  try {
    renameSync(draft, home);
  } catch {
    // Another test process was first, with the same content.
    rmSync(draft, { recursive: true, force: true });
  }
}
