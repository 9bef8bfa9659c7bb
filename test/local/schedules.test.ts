import { describe, expect, it } from 'vitest';
import { type Schedule, toScheduleEvent } from '#lib/local/schedules.ts';

const aSchedule = (input?: string): Schedule => ({
  name: 'sweep',
  // The event does not depend on the function.
  target: {} as Schedule['target'],
  periodMs: 60_000,
  input,
  arn: 'arn:aws:scheduler:eu-central-1:000000000000:schedule/default/sweep',
  dueAt: 0,
});

const AT = Date.UTC(2026, 10, 30, 12, 0, 0, 123);

describe('toScheduleEvent', () => {
  it("is Scheduler's own event without an input", () => {
    expect(toScheduleEvent(aSchedule(), AT, 'eu-central-1')).toEqual({
      version: '0',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: '000000000000',
      time: '2026-11-30T12:00:00Z',
      region: 'eu-central-1',
      resources: ['arn:aws:scheduler:eu-central-1:000000000000:schedule/default/sweep'],
      detail: '{}',
    });
  });

  it('is the input, with the context words of Scheduler filled in', () => {
    const input = '{"at":"<aws.scheduler.scheduled-time>","by":"<aws.scheduler.schedule-arn>","x":"<aws.scheduler.y>"}';
    expect(toScheduleEvent(aSchedule(input), AT, 'eu-central-1')).toEqual({
      at: '2026-11-30T12:00:00Z',
      by: 'arn:aws:scheduler:eu-central-1:000000000000:schedule/default/sweep',
      x: '<aws.scheduler.y>',
    });
  });
});
