import type { LogRead } from '#lib/app/ports.ts';
import type { Millis, Window } from '#lib/domain/time.ts';
import { spanOf } from '#lib/domain/window/spans.ts';
import type { Page } from './answer.ts';
import type { LokiTime } from './http-client.ts';
import { inOrder } from './order.ts';
import type { PullState } from './pull-state.ts';
import { accept, atLeast, begin, lastOf, MICROSECOND, narrow, shrink, skip, take } from './pull-state.ts';
import { readNanosecond } from './read-nanosecond.ts';
import { LokiRefusal } from './refusal.ts';
import { pauseAfter } from './retry.ts';

/** How much one read may take. A read that meets a bound returns what is proven until there. */
export interface LokiBudget {
  readonly entries: number;
  readonly bytes: number;
  readonly ms: Millis;
}

/** What the puller asks: one page of the query, or of one stream of it; the streams that may hold entries. */
export interface LokiQueries {
  page(window: Window, limit: number, stream?: string): Promise<Page>;
  streams(window: Window): Promise<readonly string[]>;
}

export interface PullPlan {
  readonly queries: LokiQueries;
  readonly window: Window;
  readonly time: LokiTime;
  readonly budget: LokiBudget;
  readonly deadline: Millis;
}

const MAX_FAILURES = 4;

/**
 * Reads a window without loss: a page counts only when it holds fewer entries than asked for, a full one is asked again
 * in a shorter window. Going on from the last timestamp of a full page loses entries of other streams (grafana/loki#17270).
 * @throws SourceError when nothing at all could be proven; a later fault ends the read where it stands.
 */
export async function pull(plan: PullPlan): Promise<LogRead> {
  const { window } = plan;
  const state = begin(window);
  while (state.at < window.until && !isSpent(plan, state)) {
    try {
      await step(plan, state);
    } catch (error) {
      // What is proven is kept; the next read begins here and meets the fault first.
      if (state.at === window.since) throw error;
      break;
    }
  }
  if (state.at === window.since && spanOf(window) > 0n) throw state.fault ?? nothingProven(plan);
  const { gaps, bytes, pages } = state;
  return { entries: inOrder(state.entries), proven: { since: window.since, until: state.at }, gaps, bytes, pages };
}

function isSpent({ budget, time, deadline, window }: PullPlan, { at, entries, bytes }: PullState): boolean {
  if (time.clock.now() >= deadline) return true;
  return at > window.since && (entries.length >= budget.entries || bytes >= budget.bytes);
}

const nothingProven = ({ budget }: PullPlan): LokiRefusal =>
  new LokiRefusal({
    kind: 'failing',
    message: `No part of the window could be read within ${budget.ms} ms`,
    advice: 'Loki answers too slowly for the time that a read may take; look at its query frontend.',
    retryable: true,
  });

async function step(plan: PullPlan, state: PullState): Promise<void> {
  const end = state.at + state.size;
  const asked = { since: state.at, until: end < plan.window.until ? end : plan.window.until };
  try {
    const page = await ask(plan, state, asked, state.limit);
    if (page.entries.length < state.limit) accept(state, asked, page);
    else if (spanOf(asked) > MICROSECOND) narrow(state, asked, page);
    else await crowd(plan, state, asked, page);
    state.failures = 0;
  } catch (error) {
    await adapt(plan, state, asked, error);
  }
}

async function ask(plan: PullPlan, state: PullState, window: Window, limit: number, stream?: string): Promise<Page> {
  const page = await plan.queries.page(window, limit, stream);
  state.pages += 1;
  state.bytes += page.bytes;
  return page;
}

/**
 * A full page of a microsecond: go on from its last timestamp inclusive. A nanosecond that fills a page by itself is read
 * stream by stream; what no single answer can hold becomes a gap.
 */
async function crowd(plan: PullPlan, state: PullState, window: Window, page: Page): Promise<void> {
  const last = lastOf(page, window);
  if (last > window.since) {
    take(state, { since: window.since, until: last }, page.entries);
    state.at = last;
    return;
  }
  const nanosecond = { since: window.since, until: window.since + 1n };
  const streams = await plan.queries.streams(nanosecond);
  const askStream = (limit: number, stream: string) => ask(plan, state, nanosecond, limit, stream);
  const { entries, fullStreams } = await readNanosecond(streams, state.limit, state.maxLimit, askStream);
  take(state, nanosecond, [...page.entries, ...entries]);
  state.at = nanosecond.until;
  const reason = 'One stream holds more entries at one nanosecond than Loki returns at once.';
  if (fullStreams > 0) skip(state, nanosecond, reason);
  if (streams.length === 0) skip(state, nanosecond, 'Loki names no stream for a nanosecond that fills an answer.');
}

/** Asks for less where that can help. @throws the error where it cannot. */
async function adapt(plan: PullPlan, state: PullState, asked: Window, error: unknown): Promise<void> {
  if (!(error instanceof LokiRefusal)) throw error;
  state.fault = error;
  const half = spanOf(asked) / 2n;
  if (error.kind === 'limit' && error.limit && error.limit < state.maxLimit) {
    state.maxLimit = error.limit;
    state.limit = Math.min(state.limit, error.limit);
  } else if (error.kind === 'wide' && half >= MICROSECOND) {
    state.size = half;
  } else if (error.kind === 'large') {
    shrink(state, asked);
  } else if (error.kind === 'failing' && state.failures < MAX_FAILURES) {
    state.failures += 1;
    state.size = atLeast(half, MICROSECOND);
    await pauseAfter(error, state.failures, plan.time, plan.deadline);
  } else throw error;
}
