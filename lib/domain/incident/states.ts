import type { IncidentState } from './incident.ts';

/**
 * `detected → diagnosed → reported → proposed → verifying → resolved`; `regressed` reopens what was resolved, and the ends
 * are `dismissed` (a person closed the issue as not planned) and `escalated` (a person has to take over).
 */
const FOLLOWING: Readonly<Record<IncidentState, readonly IncidentState[]>> = {
  detected: ['diagnosed', 'escalated'],
  diagnosed: ['reported', 'escalated'],
  reported: ['proposed', 'verifying', 'resolved', 'dismissed', 'escalated'],
  proposed: ['reported', 'verifying', 'resolved', 'dismissed', 'escalated'],
  verifying: ['resolved', 'regressed', 'dismissed', 'escalated'],
  resolved: ['regressed'],
  regressed: ['diagnosed', 'escalated'],
  dismissed: [],
  escalated: ['regressed', 'dismissed', 'resolved'],
};

/** Whether an incident may go from one state to the other; staying is always allowed (an issue is updated). */
export const mayFollow = (from: IncidentState, to: IncidentState): boolean =>
  from === to || FOLLOWING[from].includes(to);

/** State after a diagnosis: an incident whose issue stands keeps its state, its issue is merely brought up to date. */
export const afterDiagnosis = (state: IncidentState): IncidentState =>
  mayFollow(state, 'diagnosed') ? 'diagnosed' : state;

/** State after the issue was written. */
export const afterReport = (state: IncidentState): IncidentState => (state === 'diagnosed' ? 'reported' : state);

/** A finding of an incident in one of these states asks for nothing: a person decided, or is deciding. */
export const isClosedToFindings = (state: IncidentState): boolean => state === 'dismissed' || state === 'escalated';
