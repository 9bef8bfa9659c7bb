import type { LogGap } from '#lib/app/ports.ts';
import type { Nanos, Window } from '#lib/domain/time.ts';
import { spanFor, spanOf } from '#lib/domain/window/spans.ts';
import type { Page, PulledEntry } from './answer.ts';
import type { LokiRefusal } from './refusal.ts';

/** Where a read stands and what it has learned of the log's density. */
export interface PullState {
  /** All before this is proven. */
  at: Nanos;
  /** Length of the next window to ask for. */
  size: Nanos;
  limit: number;
  /** The most entries that Loki lets a query ask for, as far as known. */
  maxLimit: number;
  failures: number;
  /** The last refusal that was met. */
  fault: LokiRefusal | undefined;
  entries: PulledEntry[];
  gaps: LogGap[];
  bytes: number;
  pages: number;
}

/** Splitting by time stops here (reference 2.2). */
export const MICROSECOND = 1000n;

/** Loki's default `max_entries_limit_per_query`. */
const MAX_LIMIT = 5000;
/** Lines of 256 KB, Loki's longest, fit into its 4 MB message about 15 times. */
const MIN_LIMIT = 8;
/** Half of Loki's 4 MB message: a window is sized for it. */
const PAGE_BYTES = 2 * 1024 * 1024;
const MAX_GROWTH = 8n;

export function begin(window: Window): PullState {
  const limits = { limit: MAX_LIMIT, maxLimit: MAX_LIMIT, failures: 0, fault: undefined };
  return { at: window.since, size: spanOf(window), ...limits, entries: [], gaps: [], bytes: 0, pages: 0 };
}

/** Takes entries of the window only: servers have been seen to return others. */
export function take(state: PullState, window: Window, entries: readonly PulledEntry[]): void {
  for (const pulled of entries) {
    if (pulled.entry.ns >= window.since && pulled.entry.ns < window.until) state.entries.push(pulled);
  }
}

/** The window is complete. The next one is sized by the density seen. */
export function accept(state: PullState, window: Window, page: Page): void {
  take(state, window, page.entries);
  state.at = window.until;
  state.limit = Math.min(state.maxLimit, state.limit * 2);
  const learned = spanFor(wanted(state, page), page.entries.length, spanOf(window));
  const most = spanOf(window) * MAX_GROWTH;
  state.size = learned < most ? learned : most;
}

/** The page is full, so it may lack entries anywhere: half of the window, or what its density suggests. */
export function narrow(state: PullState, window: Window, page: Page): void {
  const learned = spanFor(wanted(state, page), page.entries.length, lastOf(page, window) - window.since);
  const half = spanOf(window) / 2n;
  state.size = atLeast(learned < half ? learned : half, MICROSECOND);
}

/** Notes that the window cannot be read, and passes over it. */
export function skip(state: PullState, window: Window, reason: string): void {
  state.gaps.push({ window, reason });
  state.at = window.until;
}

/** The answer was too large: half of the entries in half of the window. A nanosecond too large for any answer is a gap. */
export function shrink(state: PullState, asked: Window): void {
  const least = Math.min(MIN_LIMIT, state.maxLimit);
  if (spanOf(asked) <= 1n && state.limit <= least) {
    return skip(state, asked, 'The entries of one nanosecond are larger than Loki can send at once.');
  }
  state.limit = Math.max(least, Math.floor(state.limit / 2));
  state.size = atLeast(spanOf(asked) / 2n, 1n);
}

/** The last timestamp of the page inside the window; the window's start when there is none. */
export function lastOf({ entries }: Page, { since, until }: Window): Nanos {
  const times = entries.map(({ entry }) => entry.ns).filter((ns) => ns >= since && ns < until);
  return times.reduce((last, ns) => (ns > last ? ns : last), since);
}

export const atLeast = (value: Nanos, least: Nanos): Nanos => (value > least ? value : least);

/** Entries that a page should hold: half of the limit, and half of a message. */
function wanted({ limit }: PullState, { entries, bytes }: Page): number {
  const byBytes = (PAGE_BYTES * entries.length) / Math.max(1, bytes);
  return entries.length === 0 ? limit / 2 : Math.min(limit / 2, byBytes);
}
