import { createHash } from 'node:crypto';
import type { Finding } from '../detection/finding.ts';
import { GuardError } from '../errors.ts';
import type { Millis } from '../time.ts';
import type { Incident } from './incident.ts';

/**
 * Id of the incident that a fingerprint is in a target repository: 32 hex digits. Repository names do not differ by case.
 * @throws GuardError for an empty target or fingerprint: all failures without an identity would become one.
 */
export function incidentId(target: string, fingerprint: string): string {
  if (target === '' || fingerprint === '') throw new GuardError('incident identity', 'target or fingerprint is empty');
  return createHash('sha256')
    .update(JSON.stringify([target.toLowerCase(), fingerprint]))
    .digest('hex')
    .slice(0, 32);
}

/** Head of an incident that its first finding opens: it owes evidence at once. */
export function freshIncident(finding: Finding, target: string, now: Millis): Incident {
  return {
    id: incidentId(target, finding.fingerprint),
    target,
    fingerprint: finding.fingerprint,
    state: 'detected',
    category: finding.category,
    code: finding.code,
    severity: finding.severity,
    pattern: finding.pattern,
    agent: finding.agent,
    title: toTitleLine(finding.summary),
    version: 1,
    next: 'evidence',
    due: now,
    notBefore: null,
    attempt: 0,
    lease: null,
    issue: null,
    pull: null,
    firstSeen: now,
    updatedAt: now,
  };
}

/** The head stays under 1 KB. */
const MAX_TITLE = 200;

const toTitleLine = (summary: string): string => summary.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
