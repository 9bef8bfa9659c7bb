import type { IncidentDetail } from '#lib/client/index.ts';
import { toCount } from './text.ts';

/** One line of an incident's story. */
export interface Moment {
  readonly at: string;
  readonly stage: string;
  readonly text: string;
}

/** What the logs showed and what Healer did, oldest first. */
export function toTimeline({ history, occurrences, first_seen }: IncidentDetail): readonly Moment[] {
  const seen = occurrences.map(({ first_line_at, agent, play_id, lines }) => ({
    at: first_line_at,
    stage: 'logs',
    text: `${agent ?? 'an agent'} failed in ${play_id} (${toCount(lines, 'line')})`,
  }));
  const found = { at: first_seen, stage: 'detection', text: 'incident opened' };
  return [...seen, found, ...history.map(({ at, stage, event }) => ({ at, stage, text: event }))].toSorted((a, b) =>
    a.at.localeCompare(b.at),
  );
}
