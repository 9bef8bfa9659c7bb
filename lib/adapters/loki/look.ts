import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { Window } from '#lib/domain/time.ts';
import { splitSelector, toLogQuery } from './logql.ts';
import { notLoki } from './refusal.ts';
import type { Ask } from './requests.ts';
import { askPage, askSeries, inHalves } from './requests.ts';

/** Whether a stream matches; label filters behind the pipe are not looked at. */
export function hasStreams(ask: Ask, selector: string, window: Window): Promise<boolean> {
  const { stream } = splitSelector(selector);
  const any = async (part: Window) => (await askSeries(ask, stream, part)).length > 0;
  return inHalves(window, any, async (first, second) => first || second());
}

/** The earliest entry of the window. */
export function firstEntry(ask: Ask, selector: string, window: Window): Promise<LogEntry | undefined> {
  const query = toLogQuery(selector, undefined);
  const first = (part: Window) => firstOf(ask, query, part);
  return inHalves(window, first, async (found, second) => found ?? second());
}

/** An answer that was cut need not hold the earliest entry, so what lies before it is asked until that is empty. */
async function firstOf(ask: Ask, query: string, window: Window): Promise<LogEntry | undefined> {
  let found: LogEntry | undefined;
  let until = window.until;
  while (until > window.since) {
    const { entries } = await askPage(ask, query, { since: window.since, until }, 1);
    const pulled = entries[0];
    if (!pulled) break;
    const { ns } = pulled.entry;
    if (ns < window.since || ns >= until) throw notLoki('an entry lies outside the asked window');
    found = pulled.entry;
    until = ns;
  }
  return found;
}
