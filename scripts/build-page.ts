import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

const root = join(import.meta.dirname, '..');

export const PAGE_FILE = join(root, 'lib/edge/http/page/page.generated.ts');

/** Newer than `light-dark()` in CSS and `URL.parse`: all since 2024. */
const TARGETS = ['chrome126', 'firefox126', 'safari18'];

const source = (name: string): string => readFileSync(join(root, 'lib/page', name), 'utf8');

/** One script without imports. A text that would end the script element stays inside it. */
async function bundleScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['lib/page/dom/main.ts'],
    tsconfig: join(root, 'lib/page/tsconfig.json'),
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: TARGETS,
    charset: 'utf8',
    legalComments: 'none',
  });
  return (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script');
}

async function minifyStyle(): Promise<string> {
  const { code } = await transform(source('page.css'), { loader: 'css', minify: true, target: TARGETS });
  return code.trim();
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but these two texts runs or styles, nothing is fetched but the API, nothing becomes markup. */
const toPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The module that carries the page into the bundle of `session-read`, formatted like all sources. */
export async function toPageModule(): Promise<string> {
  const [script, style] = [await bundleScript(), await minifyStyle()];
  const html = source('page.html')
    .replace('<!--STYLE-->', () => style)
    .replace('<!--SCRIPT-->', () => script);
  return format(`// Made by scripts/build-page.ts from lib/page; edit that (npm run page).
export const PAGE_HTML = ${JSON.stringify(html)};

export const PAGE_POLICY = ${JSON.stringify(toPolicy(script, style))};
`);
}

const format = (input: string): string =>
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${PAGE_FILE}`], {
    input,
    cwd: root,
  }).toString();

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE_FILE, await toPageModule());
