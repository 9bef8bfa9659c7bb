import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow, hashFiles, serverlessPackage } from '#lib/local/package-service.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

let home: string;
beforeEach(() => {
  mkdirSync(join(root, '.healer'), { recursive: true });
  home = mkdtempSync(join(root, '.healer', 'test-'));
  cpSync(join(root, 'test/support/fixture-service'), join(home, 'service'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('serverlessPackage', () => {
  it("fails with the framework's words, and does not hang, when the code does not bundle", async () => {
    appendFileSync(join(home, 'service/functions/tick.ts'), "export * from './missing.ts';\n");
    const packaging = serverlessPackage(join(home, 'service'), join(home, 'package'));
    await expect(packaging).rejects.toThrow('Could not resolve "./missing.ts"');
    expect(existsSync(join(home, 'package', 'tick.zip'))).toBe(false);
  });

  it('ends when it is told to', async () => {
    const ending = new AbortController();
    const packaging = serverlessPackage(join(home, 'service'), join(home, 'package'), ending.signal);
    ending.abort();
    await expect(packaging).rejects.toThrow('serverless package failed');
  });
});

describe('hashFiles', () => {
  it('changes with a name or a content, and not with the order', () => {
    const files = filesBelow(join(home, 'service'));
    const before = hashFiles(files);
    expect(hashFiles(files.toReversed())).toBe(before);
    appendFileSync(join(home, 'service/serverless.yml'), '\n');
    expect(hashFiles(files)).not.toBe(before);
    expect(hashFiles(files.slice(1))).not.toBe(hashFiles(files));
  });
});
