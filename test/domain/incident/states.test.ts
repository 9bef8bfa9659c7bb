import { describe, expect, it } from 'vitest';
import { INCIDENT_STATES } from '#lib/domain/incident/incident.ts';
import { backOff } from '#lib/domain/incident/schedule.ts';
import { afterDiagnosis, afterReport, mayFollow } from '#lib/domain/incident/states.ts';

describe('incident states', () => {
  it.each([
    ['detected', 'diagnosed', true],
    ['diagnosed', 'reported', true],
    ['detected', 'reported', false],
    ['resolved', 'regressed', true],
    ['resolved', 'reported', false],
    ['dismissed', 'regressed', false],
    ['regressed', 'diagnosed', true],
  ] as const)('%s → %s: %s', (from, to, allowed) => {
    expect(mayFollow(from, to)).toBe(allowed);
  });

  it('keeps the state of an incident whose issue is only brought up to date', () => {
    expect(afterDiagnosis('reported')).toBe('reported');
    expect(afterReport('reported')).toBe('reported');
  });

  it('never leaves the table of states', () => {
    for (const state of INCIDENT_STATES) {
      expect(mayFollow(state, afterDiagnosis(state))).toBe(true);
      expect(mayFollow(afterDiagnosis(state), afterReport(afterDiagnosis(state)))).toBe(true);
    }
  });
});

describe('backOff', () => {
  it.each([
    [0, 0, 30_000],
    [1, 0, 60_000],
    [30, 0, 3_600_000],
    [0, 120_000, 120_000],
  ])('attempt %i, asked for %i ms: %i ms', (attempt, asked, expected) => {
    expect(backOff(attempt, asked)).toBe(expected);
  });
});
