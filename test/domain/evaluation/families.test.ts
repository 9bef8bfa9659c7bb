import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Category, Code } from '#lib/domain/detection/finding.ts';
import { familyOf } from '#lib/domain/evaluation/families.ts';

interface BuiltIn {
  readonly id: string;
  /** Row of the mission's tables that the pattern carries. */
  readonly row?: string;
  readonly category?: Category;
  readonly code?: Code;
}

interface PatternFile {
  readonly defaults?: Partial<BuiltIn>;
  readonly patterns: readonly BuiltIn[];
}

const FOLDER = new URL('../../../patterns/', import.meta.url);

const rows: readonly BuiltIn[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yml'))
  .map((file) => parse(readFileSync(new URL(file, FOLDER), 'utf8')) as PatternFile)
  .flatMap(({ defaults, patterns }) => patterns.map((pattern) => ({ ...defaults, ...pattern })))
  .filter(({ row }) => row !== undefined);

describe('familyOf', () => {
  it('has rows of the tables to look at', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows.map((pattern) => [pattern.row, pattern] as const))('knows the pattern of row %s', (_, pattern) => {
    const { id, code = null, category = 'runtime' } = pattern;
    expect(familyOf({ pattern: id, code, category })).not.toBe('unknown');
  });

  it.each([
    ['api.context', 'context'],
    ['api.credentials', 'credentials'],
    ['api.model-unknown', 'model'],
    ['api.network', 'refused'],
    ['api.quota', 'quota'],
    ['api.rate-limit', 'quota'],
    ['api.retry', 'model'],
    ['config.stale', 'configuration'],
    ['crash.exception', 'fatal'],
    ['crash.fatal', 'fatal'],
    ['crash.memory', 'memory'],
    ['crash.panic', 'panic'],
    ['crash.signal', 'exit'],
    ['exec.not-found', 'program'],
    ['exec.sandbox', 'permission'],
    ['filesystem.denied', 'permission'],
    ['git.not-delivered', 'delivery'],
    ['git.refused', 'delivery'],
    ['kubernetes.cannot-run', 'program'],
    ['kubernetes.container-config', 'container-config'],
    ['kubernetes.crash-loop', 'exit'],
    ['kubernetes.create', 'create'],
    ['kubernetes.deadline', 'deadline'],
    ['kubernetes.exit', 'exit'],
    ['kubernetes.init-container', 'init'],
    ['kubernetes.no-result', 'no-result'],
    ['kubernetes.node-lost', 'eviction'],
    ['kubernetes.run-failed', 'exit'],
    ['kubernetes.evicted', 'eviction'],
    ['kubernetes.image', 'image'],
    ['kubernetes.mount', 'mount'],
    ['kubernetes.node-pressure', 'eviction'],
    ['kubernetes.oom', 'memory'],
    ['kubernetes.scheduling', 'scheduling'],
    ['mcp.tools-server', 'tools-server'],
    ['mcp.transport', 'mcp'],
    ['network.dns', 'dns'],
    ['network.refused', 'refused'],
    ['network.timeout', 'timeout'],
    ['network.tls', 'tls'],
    ['run.exit-code', 'exit'],
    ['run.hang', 'silent'],
    ['run.retries-exhausted', 'retries'],
    ['run.turns-exhausted', 'retries'],
    ['tools.not-callable', 'tools'],
  ])('of %s is %s', (pattern, family) => {
    expect(familyOf({ pattern, code: null, category: 'runtime' })).toBe(family);
  });

  it.each([
    ['instructions.asked-back', 'task'],
    ['instructions.placeholder', 'template'],
    ['instructions.prompt', 'prompt'],
    ['instructions.role', 'role'],
    ['instructions.task', 'task'],
    ['instructions.template', 'template'],
    ['instructions.trouble', 'prompt'],
  ])('of the lifecycle pattern %s is %s', (pattern, family) => {
    expect(familyOf({ pattern, code: null, category: 'lifecycle' })).toBe(family);
  });

  it.each([
    ['A10', '', 'tools'],
    ['A11', '', 'configuration'],
    ['A12', 'MCP server git failed', 'mcp'],
    ['A12', 'tools-server unreachable: no route', 'tools-server'],
  ] as const)('of code %s with %j is %s, whatever the pattern', (code, text, family) => {
    expect(familyOf({ pattern: 'acme.own', code, category: 'preflight' }, text)).toBe(family);
  });

  it("falls back on the words of the line for a user's own pattern", () => {
    const own = { pattern: 'acme.own', code: null, category: 'runtime' } as const;
    expect(familyOf(own, 'Could not resolve host: git.example.com')).toBe('dns');
    expect(familyOf(own, 'the flux went wrong')).toBe('unknown');
  });
});
