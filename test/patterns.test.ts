import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PATTERNS } from '#lib/domain/detection/patterns/built-in.generated.ts';
import { compileExpression } from '#lib/domain/detection/patterns/expression.ts';
import { toRegistry } from '#lib/domain/detection/patterns/registry.ts';
import { detectIn, entriesOf, labels } from '#test/domain/detection/support.ts';
import { readPatternFiles, toFormattedModule } from '../scripts/build-patterns.ts';

const patterns = readPatternFiles();

/** The mission's tables: row, a line that shows it, and what is told of it at 30 s and at 90 s. */
const ROWS = [
  ['tool inventory mismatch', 'ERROR: tool inventory mismatch for agent rex', 'A10 high', 'runtime high'],
  [
    'Tool inventory MISMATCH',
    'ERROR: Tool inventory MISMATCH - missing from CLI: [web_search]',
    'A10 high',
    'runtime high',
  ],
  ['declared tools.*missing', '⚠ declared tools: [a, b] - missing: [b]', 'A10 high', 'runtime high'],
  ['cto-config.*(missing|invalid)', 'ERROR: cto-config invalid: bad field tools', 'A11 critical', 'runtime critical'],
  ['mcp.*failed to initialize', "ERROR: MCP server 'git' failed to initialize", 'A12 high', 'runtime high'],
  [
    'tools-server.*unreachable',
    'ERROR: tools-server unreachable: no route to host',
    'A12 critical',
    'runtime critical',
  ],
  ['panicked at', "thread 'main' panicked at src/route.rs:88:31:", 'runtime critical', 'runtime critical'],
  ['fatal error', 'fatal error: all goroutines are asleep - deadlock!', 'runtime critical', 'runtime critical'],
  ['timeout', 'ERROR: request timeout after 30 s', 'runtime high', 'runtime high'],
  ['connection refused', 'ERROR: dial tcp 10.0.4.9:8080: connect: connection refused', 'runtime high', 'runtime high'],
  ['max retries exceeded', 'ERROR: max retries exceeded', 'runtime high', 'runtime high'],
  [
    'permission denied.*filesystem',
    'ERROR: permission denied: cannot write to the filesystem',
    'runtime critical',
    'runtime critical',
  ],
  [
    'unauthorized|invalid token',
    'ERROR: request failed: unauthorized, invalid token',
    'runtime critical',
    'runtime critical',
  ],
  ['template not found', 'ERROR: template not found: agents/rex/identity.md.hbs', 'lifecycle high', 'lifecycle high'],
  [
    'prompt.*missing',
    'level=error msg="system prompt is missing" path=/task-files/system-prompt.md',
    'lifecycle high',
    'lifecycle high',
  ],
  ['role.*undefined', 'entrypoint: agent role is undefined, using "assistant"', 'lifecycle high', 'lifecycle high'],
  [
    'task context.*empty',
    'WARN task context is empty, the agent will see the generic prompt only',
    'lifecycle high',
    'lifecycle high',
  ],
] as const;

const told = (seconds: number, line: string): string[] =>
  labels(detectIn(entriesOf([seconds, line]))).map((label) => label.replace(/^\S+ /, ''));

describe('the mission’s tables', () => {
  it.each(ROWS)('row `%s`', (_, line, early, late) => {
    expect(told(30, line)).toEqual([early]);
    expect(told(90, line)).toEqual([late]);
  });

  it.each(ROWS.map(([row]) => row))('row `%s` is the literal of a pattern', (row) => {
    expect(patterns.filter((pattern) => pattern.row === row)).toHaveLength(1);
  });
});

describe('built-in patterns', () => {
  it('the generated module is up to date', () => {
    const path = join(import.meta.dirname, '../lib/domain/detection/patterns/built-in.generated.ts');
    expect(readFileSync(path, 'utf8')).toBe(toFormattedModule(patterns));
  });

  it('have ids of their own', () => {
    expect(new Set(BUILT_IN_PATTERNS.map(({ id }) => id)).size).toBe(BUILT_IN_PATTERNS.length);
  });

  const matching = patterns.flatMap((pattern) =>
    pattern.tests.match.map((line) => [pattern.id, line, pattern] as const),
  );
  it.each(matching)('%s finds %j', (_, line, pattern) => {
    const lower = line.toLowerCase();
    expect(pattern.literals.some((literal) => lower.includes(literal.toLowerCase()))).toBe(true);
    expect(compileExpression(pattern.expression).test(line)).toBe(true);
    expect(pattern.unless !== undefined && compileExpression(pattern.unless).test(line)).toBe(false);
  });

  const passing = patterns.flatMap((pattern) => pattern.tests.pass.map((line) => [pattern.id, line, pattern] as const));
  it.each(passing)('%s leaves %j alone', (_, line, pattern) => {
    expect(labels(detectIn(entriesOf([90, line]), { registry: toRegistry([pattern]) }))).toEqual([]);
  });
});
