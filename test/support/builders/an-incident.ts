import type { Incident, Occurrence } from '#lib/domain/incident/incident.ts';
import { aFinding } from './a-finding.ts';

/** An incident whose diagnosis stands and whose issue is due. */
export const anIncident = (change: Partial<Incident> = {}): Incident => ({
  id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  target: 'acme/platform',
  fingerprint: 'v1:3f9c2e51a0b74d68',
  state: 'diagnosed',
  category: 'preflight',
  code: 'A10',
  severity: 'high',
  pattern: 'tools.one-missing',
  agent: 'rex',
  title: 'tool github_create_brnch is declared but not offered',
  version: 3,
  next: 'publication',
  due: 1_767_888_330_000,
  notBefore: null,
  attempt: 0,
  lease: null,
  issue: null,
  pull: null,
  firstSeen: 1_767_888_260_000,
  updatedAt: 1_767_888_330_000,
  ...change,
});

export const anOccurrence = (change: Partial<Occurrence> = {}): Occurrence => ({
  incidentId: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  playId: 'play-7f3a',
  repository: 'acme/widgets',
  namespace: 'cto',
  finding: aFinding(),
  seenAt: 1_767_888_260_000,
  ...change,
});
