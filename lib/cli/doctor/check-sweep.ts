import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { HealerError } from '#lib/domain/errors.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { Ward } from './aws.ts';
import { readSchedule } from './check-schedule.ts';
import type { StackState } from './check-stack.ts';
import { type Finding, ok, unknown, wrong } from './finding.ts';

/** The sweep runs each minute; the log is some seconds behind. */
const RECENT_MS: Millis = 5 * 60_000;
const PATIENCE = `${RECENT_MS / 60_000} minutes`;

/** Pages of the log that are read; AWS may answer with empty ones before it comes to the lines. */
const MOST_PAGES = 20;

interface Pass {
  readonly at: Millis;
  /** Counts, as the sweep logs them. */
  readonly result: string;
}

/** The sweep has ended well within the last minutes, as its own log says. */
export async function checkSweep(ward: Ward, state: StackState): Promise<readonly Finding[]> {
  const { passes, failures, others } = await readSweepLog(ward);
  const last = passes.at(-1);
  if (last !== undefined) return [ok('last sweep', `${secondsSince(last.at)} s ago: ${last.result}`)];
  const failure = failures.at(-1);
  // With logLevel warn or error a pass writes nothing itself; that the function ran is told by AWS.
  if (failure === undefined && others > 0)
    return [ok('last sweep', `it ran within ${PATIENCE}; logLevel hides what it did`)];
  const change = await findChange(ward, state);
  const isAwaited = change !== null && systemClock.now() - change.at < RECENT_MS && (failure?.at ?? 0) < change.at;
  if (isAwaited) {
    const seen = `none since ${change.what} ${secondsSince(change.at)} s ago`;
    return [unknown('last sweep', seen, 'The first sweep comes within a minute after that: ask again.')];
  }
  if (failure !== undefined) {
    return [wrong('last sweep', `it failed: ${failure.reason}`, 'docs/operate.md#sweep-errors says what to look at.')];
  }
  return [wrong('last sweep', `none within ${PATIENCE}`, 'docs/operate.md#sweep-silent says what to look at.')];
}

const secondsSince = (at: Millis): number => Math.max(0, Math.round((systemClock.now() - at) / 1000));

/** After which a sweep is still to come. */
interface Change {
  readonly at: Millis;
  /** Goes on with how long ago it was. */
  readonly what: string;
}

/**
 * The latest deployment, or the latest change of the schedule, which is made late in a first deployment and switched on again
 * by `healer resume`. Null while the schedule rests, since then no sweep comes.
 */
async function findChange(ward: Ward, state: StackState): Promise<Change | null> {
  const schedule = await readSchedule(ward, state).catch(orUnknown);
  if (schedule === undefined || schedule.State === 'DISABLED') return null;
  const { LastModificationDate: changed } = schedule;
  const changes: readonly Change[] = [
    ...(state.changedAt === null ? [] : [{ at: state.changedAt, what: 'the deployment that began' }]),
    ...(changed === undefined ? [] : [{ at: changed.getTime(), what: 'the schedule was switched on' }]),
  ];
  return changes.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

/** Who may not look at the schedule is told so in its own line; the deployment's time is known all the same. */
function orUnknown(error: unknown): { readonly State?: undefined; readonly LastModificationDate?: undefined } {
  if (error instanceof HealerError) return {};
  throw error;
}

async function readSweepLog({ logs, stack, ask }: Ward) {
  const logGroupName = `/aws/lambda/${stack}-sweep`;
  const read = async () => {
    const lines: { readonly at: Millis; readonly line: ReturnType<typeof toLine> }[] = [];
    const input = { logGroupName, startTime: systemClock.now() - RECENT_MS };
    let pages = 0;
    for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, input)) {
      lines.push(...events.map(({ message = '', timestamp = 0 }) => ({ at: timestamp, line: toLine(message) })));
      pages += 1;
      if (pages === MOST_PAGES) break;
    }
    return lines.toSorted((a, b) => a.at - b.at);
  };
  const lines = await ask(read(), `the log group ${logGroupName}`, 'logs:FilterLogEvents');
  const passes = lines.flatMap(({ at, line }): Pass[] =>
    line?.['message'] === 'pass finished' ? [{ at, result: toCounts(line['result']) }] : [],
  );
  const failures = lines.flatMap(({ at, line }) =>
    line?.['level'] === 'ERROR' ? [{ at, reason: String(line['message']) }] : [],
  );
  return { passes, failures, others: lines.length };
}

/** Healer's own lines are JSON; what Lambda writes around them is not. */
function toLine(message: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(message) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

const toCounts = (result: unknown): string =>
  Object.entries((result ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
