import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, toIdentity, toToken } from '#lib/domain/detection/fingerprint.ts';
import { detectLines } from './support.ts';

const noise = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0 }).map(String),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-01-01') }).map((date) => date.toISOString()),
  fc.stringMatching(/^[0-9a-f]{12,40}$/),
);

const fingerprintOf = (line: string): string[] => detectLines([5, line]).findings.map((finding) => finding.fingerprint);

describe('fingerprint', () => {
  it('is versioned and depends on pattern, code and identity', () => {
    const base = fingerprint('a', 'A10', { tool: 'search' });
    expect(base).toMatch(/^v1:[0-9a-f]{32}$/);
    expect(fingerprint('a', 'A10', { tool: 'Search' })).toBe(base);
    expect(fingerprint('b', 'A10', { tool: 'search' })).not.toBe(base);
    expect(fingerprint('a', 'A11', { tool: 'search' })).not.toBe(base);
    expect(fingerprint('a', 'A10', { tool: 'fetch' })).not.toBe(base);
  });

  it('does not depend on the order of fields', () => {
    expect(fingerprint('a', null, { x: 'q', y: 'r' })).toBe(fingerprint('a', null, { y: 'r', x: 'q' }));
  });

  it.each([
    ['/var/lib/app/config.toml', 'config.toml'],
    ['tool_42', 'tool_#'],
    ['0b1c2d3e4f5a6b7c', '#'],
    ['<script>', 'script'],
    ['   ', ''],
  ])('makes %j the token %j', (value, token) => {
    expect(toToken(value)).toBe(token);
  });

  it('leaves empty fields out', () => {
    expect(toIdentity({ a: '', b: 'x' })).toEqual({ b: 'x' });
  });

  it.each([
    (id: string) => `ERROR: unexpected status 401 Unauthorized, request id: ${id}`,
    (id: string) => `ERROR [${id}] MCP server 'git' failed to initialize: after ${id} ms`,
    (id: string) => `fatal: unable to access 'https://git.example.com/${id}/app.git/': Could not resolve host`,
    (id: string) => `Error: EACCES: permission denied, mkdir '/tmp/${id}/tasks'`,
    (id: string) => `thread 'main' panicked at src/${id}/main.rs:12:5:`,
  ])('noise never splits a failure (%#)', (line) => {
    fc.assert(
      fc.property(noise, noise, (a, b) => {
        const [first, second] = [fingerprintOf(line(a)), fingerprintOf(line(b))];
        expect(first).toHaveLength(1);
        expect(second).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });
});
