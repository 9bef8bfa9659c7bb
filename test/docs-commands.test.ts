import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/template/package-cache.ts';

const DOCS = join(ROOT, 'docs');
const read = (path: string): string => readFileSync(path, 'utf8');
const pages = [
  join(ROOT, 'README.md'),
  ...readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(DOCS, name)),
];

/** What macOS does not have, or has otherwise, and programs that nobody was told to install. */
const NOT_EVERYWHERE =
  /\bdate (?:-u )?(?:-d|--date)|\bxargs -r|\bsed -i|\bbase64 -w|\breadlink -f|\bgrep -\w*P|\|\s*jq\b|^jq\b/m;

it.each(pages.map((path) => [path.slice(ROOT.length), path]))('%s asks for commands that are everywhere', (_, path) => {
  expect(NOT_EVERYWHERE.exec(read(path))?.[0]).toBeUndefined();
});

describe('the commands of docs/deploy.md', () => {
  const text = read(join(DOCS, 'deploy.md'));

  it('make a template that adopts the tables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'healer-docs-'));
    const write = (name: string, resources: object) =>
      writeFileSync(
        join(folder, `cloudformation-template-${name}-stack.json`),
        JSON.stringify({ AWSTemplateFormatVersion: '2010-09-09', Resources: resources }),
      );
    write('create', { Bucket: { Type: 'AWS::S3::Bucket' } });
    write('update', {
      Bucket: { Type: 'AWS::S3::Bucket', Changed: true },
      Sessions: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' },
      Sweep: { Type: 'AWS::Lambda::Function' },
    });
    const [command = ''] = /^node -e '[^']+'$/m.exec(text) ?? [];
    execFileSync('sh', ['-c', command], { cwd: folder });
    const made: unknown = JSON.parse(read(join(folder, 'adopt.json')));
    rmSync(folder, { recursive: true });
    expect(made).toEqual({
      AWSTemplateFormatVersion: '2010-09-09',
      Resources: {
        Bucket: { Type: 'AWS::S3::Bucket' },
        Sessions: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' },
      },
    });
  });

  it('ask for throttles between two moments that AWS understands', () => {
    const [, start = '', end = ''] = /--start-time "(\$\([^"]+\))" --end-time "(\$\([^"]+\))"/.exec(text) ?? [];
    const [since, until] = [start, end].map((word) =>
      Date.parse(String(execFileSync('sh', ['-c', `echo "${word}"`])).trim()),
    );
    expect(Math.round(((until ?? 0) - (since ?? 0)) / 60_000)).toBe(60);
  });
});
