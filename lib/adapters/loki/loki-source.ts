import type { LogQuery, LogRead, LogSource } from '#lib/app/ports.ts';
import { SourceError } from '#lib/domain/errors.ts';
import type { Millis, Window } from '#lib/domain/time.ts';
import { NANOS_PER_SECOND } from '#lib/domain/time.ts';
import { addUp, countEntries, countWhole, remainderOf, wholeOf } from './count.ts';
import type { LokiAccess, LokiTime } from './http-client.ts';
import { createPost } from './http-client.ts';
import { isLabelName, splitSelector, toLogQuery, toSelector } from './logql.ts';
import { firstEntry, hasStreams } from './look.ts';
import type { LokiBudget } from './pull.ts';
import { pull } from './pull.ts';
import type { Ask } from './requests.ts';
import { askPage, askSeries } from './requests.ts';
import { withPatience, withRetries } from './retry.ts';

export interface LokiConfig extends LokiAccess {
  /** Label, or key of structured metadata, that holds the pod's name. */
  readonly podLabel?: string | undefined;
  readonly budget?: Partial<LokiBudget> | undefined;
}

/** Fits a function of 512 MB and one minute. */
const BUDGET: LokiBudget = { entries: 100_000, bytes: 64 * 1024 * 1024, ms: 45_000 };

/**
 * A Loki as a source of logs. Its methods throw SourceError, and InputError for a selector that is none.
 * @throws ConfigError for an address or a header that cannot be used.
 */
export function lokiSource(config: LokiConfig, time: LokiTime): LogSource {
  const post = withPatience(createPost(config, time), time);
  const stubborn = withRetries(post, time);
  const budget = { ...BUDGET, ...config.budget };
  const podLabel = config.podLabel ?? 'pod';
  const deadline = () => time.clock.now() + budget.ms;
  const read = (query: LogQuery) => readWindow(query, until(post, deadline()), budget, time, deadline());
  return {
    read,
    countByPod: async (selector, window) => {
      const [rest, whole] = await Promise.all([
        read({ selector, window: remainderOf(window) }),
        countWhole(until(stubborn, deadline()), selector, podLabel, wholeOf(window)),
      ]);
      assertComplete(rest, remainderOf(window));
      return addUp([whole, countEntries(rest, podLabel)]);
    },
    first: (selector, window) => firstEntry(until(stubborn, deadline()), selector, window),
    hasStreams: (selector, window) => hasStreams(until(stubborn, deadline()), selector, window),
  };
}

const until =
  (post: ReturnType<typeof createPost>, deadline: Millis): Ask =>
  (path, form) =>
    post(path, form, deadline);

function readWindow(query: LogQuery, ask: Ask, budget: LokiBudget, time: LokiTime, deadline: Millis): Promise<LogRead> {
  const { stream, pipeline } = splitSelector(query.selector);
  const queries = {
    page: (window: Window, limit: number, one = stream) =>
      askPage(ask, toLogQuery(`${one}${pipeline}`, query.lineFilter), window, limit),
    streams: async (window: Window) => (await askSeries(ask, stream, around(window))).map(toExactSelector),
  };
  return pull({ queries, window: query.window, time, budget, deadline });
}

/** A label whose name LogQL cannot spell is left out; what the wider selector returns twice is kept once. */
function toExactSelector(labels: Readonly<Record<string, string>>): string {
  return toSelector(Object.fromEntries(Object.entries(labels).filter(([name]) => isLabelName(name))));
}

/** Loki's index knows milliseconds and chunks: a second more on each side cannot miss a stream. */
const around = ({ since, until }: Window): Window => ({
  since: since > NANOS_PER_SECOND ? since - NANOS_PER_SECOND : 0n,
  until: until + NANOS_PER_SECOND,
});

function assertComplete({ proven, gaps }: LogRead, window: Window): void {
  if (proven.until === window.until && gaps.length === 0) return;
  const advice = 'Count over a window of whole milliseconds.';
  throw new SourceError({ source: 'loki', message: 'The lines could not all be counted', advice, retryable: true });
}
