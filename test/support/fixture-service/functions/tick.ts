import { record } from './records.ts';

/** Woken by the schedule; notes when. */
export async function handler(event: { kind?: string }) {
  await record('tick', event.kind ?? 'other');
}
