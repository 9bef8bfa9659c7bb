import type { EvidencePack, EvidencePiece } from '#lib/domain/evidence/evidence-pack.ts';
import { aFinding } from './a-finding.ts';

export const aPiece = (change: Partial<EvidencePiece> = {}): EvidencePiece => ({
  id: 'L1',
  kind: 'log',
  text: '[ERROR] tool inventory mismatch for agent rex: missing from CLI: [github_create_brnch]',
  at: '2026-01-08T16:04:11.123000000Z',
  agent: 'rex',
  pod: 'play-7f3a-rex-x2k4q',
  role: 'hit',
  ...change,
});

export const aDeclaration = (text: string, id = 'C1'): EvidencePiece =>
  aPiece({ id, kind: 'config', role: 'declared', at: null, pod: null, text });

export const anEvidencePack = (change: Partial<EvidencePack> = {}): EvidencePack => ({
  incidentId: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  playId: 'play-7f3a',
  repository: 'acme/widgets',
  namespace: 'cto',
  finding: aFinding(),
  pieces: [aPiece()],
  gaps: [],
  occurrences: { count: 1, plays: ['play-7f3a'] },
  gatheredAt: '2026-01-08T16:05:30.000Z',
  ...change,
});
