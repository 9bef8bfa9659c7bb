import { setTimeout as wait } from 'node:timers/promises';
import type { LokiAuth } from '#lib/adapters/loki/http-client.ts';
import { splitSelector, toSelector } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import type { LogRead } from '#lib/app/ports.ts';
import { pullWindows } from '#lib/app/pull-windows.ts';
import type { Scan } from '#lib/app/scan-logs.ts';
import { podOf } from '#lib/domain/detection/attribution.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';
import { MILLIS_PER_DAY, type Nanos, toIso, toMillis, toNanos, toWindow } from '#lib/domain/time.ts';
import type { CliIo } from '../command.ts';
import { UsageError } from '../command.ts';
import type { LokiCall, ScanCall } from './options.ts';
import { Progress } from './progress.ts';
import { count } from './style.ts';

/** What was read of Loki. */
export interface LokiRead {
  /** Proven up to here. */
  readonly until: Nanos;
  readonly bytes: number;
  readonly sources: readonly string[];
  readonly notes: readonly string[];
  readonly gaps: readonly string[];
  readonly faults: readonly string[];
}

/** Entries of one read: with their windows far below 200 MB. */
const BUDGET = { entries: 20_000, bytes: 16 * 1024 * 1024, ms: 60_000 };

/** Pulls the range with the product's own puller; Ctrl-C and a Loki that fails leave what was read until then. */
export async function scanLoki(scan: Scan, call: ScanCall, io: CliIo): Promise<LokiRead> {
  const loki = call.loki as LokiCall;
  const now = toNanos(systemClock.now());
  const until = call.until ?? now;
  const since = call.since ?? until - toNanos(MILLIS_PER_DAY);
  const selector = selectorOf(loki);
  const logs = sourceOf(loki, io);
  const progress = new Progress(io.stderr, () => systemClock.now());
  const seen = { until: since, bytes: 0, lines: 0 };
  const gaps: string[] = [];
  const faults: string[] = [];
  try {
    for await (const read of pullWindows(logs, selector, toWindow(since, until), io.signal)) {
      await scan.add(read.entries.map(toScanEntry));
      note(seen, read, gaps);
      progress.show(
        () => `${toIso(toMillis(seen.until))}, ${count(seen.lines, 'line')}, ${count(scan.incidents, 'incident')}`,
      );
    }
  } catch (error) {
    if (io.signal.aborted) faults.push(`Stopped by Ctrl-C: the logs are read until ${toIso(toMillis(seen.until))}.`);
    else if (error instanceof SourceError) faults.push(`${withoutStop(error.message)}: ${error.advice}`);
    else throw error;
  } finally {
    progress.clear();
  }
  const isEmpty = seen.lines === 0 && faults.length === 0;
  if (isEmpty)
    gaps.push(`No line matches ${selector} between ${toIso(toMillis(since))} and ${toIso(toMillis(until))}.`);
  const source = `${new URL(loki.url).host} ${selector}`;
  return { until: seen.until, bytes: seen.bytes, sources: [source], notes: [], gaps, faults };
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

function note(seen: { until: Nanos; bytes: number; lines: number }, read: LogRead, gaps: string[]): void {
  seen.until = read.proven.until;
  seen.bytes += read.bytes;
  seen.lines += read.entries.length;
  for (const { window, reason } of read.gaps) gaps.push(`${toIso(toMillis(window.since))}: ${reason}`);
}

const toScanEntry = (entry: LogRead['entries'][number]): ScanEntry => ({
  ...entry,
  isTimed: true,
  ...(podOf(entry) === undefined && { isNameless: true }),
});

/** @throws InputError for a selector that is none. */
function selectorOf({ namespace, selector }: LokiCall): string {
  if (selector === null) return toSelector({ namespace });
  splitSelector(selector);
  return selector;
}

/** @throws ConfigError for an address that cannot be used. */
function sourceOf(loki: LokiCall, { env, signal }: CliIo) {
  const tenant = loki.tenant ?? filled(env['LOKI_ORG_ID']);
  const sleep = async (ms: number): Promise<void> => {
    await wait(ms, undefined, { signal });
  };
  const access = { url: loki.url, tenant, auth: authOf(loki, env), signal };
  return lokiSource({ ...access, budget: BUDGET }, { clock: systemClock, sleep });
}

const filled = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** @throws UsageError for a user without a password. */
function authOf({ user }: LokiCall, env: CliIo['env']): LokiAuth | undefined {
  const token = filled(env['LOKI_BEARER_TOKEN']);
  if (token !== undefined) return { kind: 'bearer', token: async () => token };
  const name = user ?? filled(env['LOKI_USERNAME']);
  if (name === undefined) return undefined;
  const password = filled(env['LOKI_PASSWORD']);
  if (password === undefined) throw new UsageError('set LOKI_PASSWORD to the password of the Loki user');
  return { kind: 'basic', user: name, password: async () => password };
}
