import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { systemClock } from '#lib/adapters/system/clock.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { Ward } from './aws.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** The sweep runs each minute; the log is some seconds behind. */
const RECENT_MS: Millis = 5 * 60_000;

/** Pages of the log that are read; AWS may answer with empty ones before it comes to the lines. */
const MOST_PAGES = 20;

interface Pass {
  readonly at: Millis;
  /** Counts, as the sweep logs them. */
  readonly result: string;
}

/** The sweep has ended well within the last minutes, as its own log says. */
export async function checkSweep(ward: Ward): Promise<readonly Finding[]> {
  const { passes, failures, others } = await readSweepLog(ward);
  const last = passes.at(-1);
  const within = `${RECENT_MS / 60_000} minutes`;
  if (last !== undefined) {
    const ago = Math.max(0, Math.round((systemClock.now() - last.at) / 1000));
    return [ok('last sweep', `${ago} s ago: ${last.result}`)];
  }
  const failure = failures.at(-1);
  if (failure !== undefined) {
    return [wrong('last sweep', `it failed: ${failure}`, 'docs/operate.md#sweep-errors says what to look at.')];
  }
  // With logLevel warn or error a pass writes nothing itself; that the function ran is told by AWS.
  if (others > 0) return [ok('last sweep', `it ran within ${within}; logLevel hides what it did`)];
  return [wrong('last sweep', `none within ${within}`, 'docs/operate.md#sweep-silent says what to look at.')];
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
    return lines;
  };
  const lines = await ask(read(), `the log group ${logGroupName}`, 'logs:FilterLogEvents');
  const passes = lines.flatMap(({ at, line }): Pass[] =>
    line?.['message'] === 'pass finished' ? [{ at, result: toCounts(line['result']) }] : [],
  );
  const failures = lines.flatMap(({ line }) => (line?.['level'] === 'ERROR' ? [String(line['message'])] : []));
  return { passes: passes.toSorted((a, b) => a.at - b.at), failures, others: lines.length };
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
