import { randomUUID } from 'node:crypto';
import { type FunctionTarget, findFunction } from './aws/lambda-api.ts';
import type { LocalFunction } from './functions.ts';
import { type TemplateObject, toText } from './intrinsics.ts';
import { ACCOUNT } from './resource-types.ts';
import { type Resource, type Template, textOf } from './template.ts';

/** A schedule of the template, and when it fires next. */
export interface Schedule {
  readonly name: string;
  readonly target: FunctionTarget;
  readonly periodMs: number;
  /** JSON as the template gives it; undefined for Scheduler's own event. */
  readonly input: string | undefined;
  readonly arn: string;
  /** Milliseconds since the epoch by the movable clock. */
  dueAt: number;
}

const UNIT_MS: { readonly [unit: string]: number } = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Each schedule fires for the first time one period after `now`. @throws Error naming a schedule that cannot run. */
export function parseSchedules(
  template: Template,
  functions: readonly LocalFunction[],
  options: { readonly region: string; readonly now: number },
): readonly Schedule[] {
  const enabled = template
    .of('AWS::Scheduler::Schedule')
    .filter((resource) => resource.properties['State'] !== 'DISABLED');
  return enabled.map((resource) => {
    const name = toText(resource.properties['Name'] ?? resource.logicalId);
    const { Arn, Input } = (resource.properties['Target'] ?? {}) as TemplateObject;
    const target = findFunction(functions, toText(Arn));
    if (!target) throw new Error(`schedule ${resource.logicalId} points to no function of the template`);
    const periodMs = periodOf(resource);
    const arn = `arn:aws:scheduler:${options.region}:${ACCOUNT}:schedule/default/${name}`;
    const input = Input === undefined ? undefined : toText(Input);
    return { name, target, periodMs, input, arn, dueAt: options.now + periodMs };
  });
}

function periodOf(resource: Resource): number {
  const expression = textOf(resource, 'ScheduleExpression');
  const parts = /^rate\((?<count>\d+) (?<unit>minute|hour|day)s?\)$/.exec(expression)?.groups;
  if (!parts) throw new Error(`schedule ${resource.logicalId}: only rate(…) runs locally, not ${expression}`);
  return Number(parts['count']) * (UNIT_MS[String(parts['unit'])] ?? 0);
}

/** The event that a function gets: the target's input with Scheduler's context words filled in, or Scheduler's own. */
export function toScheduleEvent(schedule: Schedule, at: number, region: string): unknown {
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  const id = randomUUID();
  if (schedule.input !== undefined) {
    const words: { readonly [word: string]: string } = {
      'schedule-arn': schedule.arn,
      'scheduled-time': time,
      'execution-id': id,
      'attempt-number': '1',
    };
    return JSON.parse(schedule.input.replaceAll(/<aws\.scheduler\.([\w-]+)>/g, (whole, word) => words[word] ?? whole));
  }
  return {
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: ACCOUNT,
    time,
    region,
    resources: [schedule.arn],
    detail: '{}',
  };
}

/** Fires schedules when the movable clock reaches them. */
export interface Ticker {
  readonly schedules: readonly Schedule[];
  /** Fires what is due; each schedule once, however late. Resolves when the functions have ended. */
  fireDue(): Promise<void>;
  readonly stop: () => void;
}

/** How often the ticker looks at the clock, in real milliseconds. */
const LOOK_MS = 100;

export function startTicker(schedules: readonly Schedule[], region: string): Ticker {
  const fireDue = async (): Promise<void> => {
    const now = Date.now();
    const due = schedules.filter((schedule) => schedule.dueAt <= now);
    await Promise.all(
      due.map((schedule) => {
        const { function: called, qualifier } = schedule.target;
        const event = toScheduleEvent(schedule, schedule.dueAt, region);
        schedule.dueAt += Math.max(1, Math.ceil((now - schedule.dueAt + 1) / schedule.periodMs)) * schedule.periodMs;
        return called.invoke(event, qualifier);
      }),
    );
  };
  const timer = setInterval(() => void fireDue(), LOOK_MS);
  return { schedules, fireDue, stop: () => clearInterval(timer) };
}
