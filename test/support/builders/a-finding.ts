import type { EntryRef, Finding } from '#lib/domain/detection/finding.ts';

export const anEntryRef = (change: Partial<EntryRef> = {}): EntryRef => ({
  ns: 1_767_888_251_123_000_000n,
  pod: 'play-7f3a-rex-x2k4q',
  container: 'agent',
  hash: 'e1',
  ...change,
});

/** A finding of A10: agent rex lacks a tool whose declared name is misspelt. */
export const aFinding = (change: Partial<Finding> = {}): Finding => ({
  id: 'f0000000000000000000000000000001',
  pattern: 'tools.one-missing',
  category: 'preflight',
  code: 'A10',
  severity: 'high',
  playId: 'play-7f3a',
  agent: 'rex',
  pod: 'play-7f3a-rex-x2k4q',
  anchor: anEntryRef({ pod: change.pod ?? 'play-7f3a-rex-x2k4q' }),
  also: [],
  count: 1,
  firstNs: 1_767_888_251_123_000_000n,
  lastNs: 1_767_888_251_123_000_000n,
  identity: { tool: 'github_create_brnch' },
  fingerprint: 'v1:3f9c2e51a0b74d68',
  summary: 'tool github_create_brnch is declared but not offered',
  ...change,
});
