import type { Hit } from '../hits.ts';
import type { BuiltPattern } from '../patterns/pattern.ts';
import type { Message, PlacedFact, Timeline } from '../timeline.ts';
import { toHit } from './check-declared.ts';

/**
 * A killed run says nothing (reference: agent CLIs, "a killed run says nothing"): its only sign is that the closing event
 * is missing although the pod has ended. Where anything else tells of the end, this is an echo of it.
 */
const CLOSING_CHECK: BuiltPattern = {
  id: 'check.killed-run',
  category: 'runtime',
  severity: 'high',
  family: 'exit',
  symptom: true,
  literals: [''],
  expression: '.',
  summary: 'the run was cut off: its pod has ended and its closing event is missing',
};

/** CLIs whose event stream ends with an event of its own, by their readers. */
const CLOSING_CLIS = new Set(['claude-code', 'codex', 'opencode', 'gemini', 'cline', 'droid', 'goose']);

/** Only events of the stream count: plain output of the same container follows no such order. */
const isEvent = ({ fact, message }: PlacedFact): boolean =>
  message.text.trimStart().startsWith('{') &&
  (fact.kind === 'start' || fact.kind === 'result' || fact.kind === 'call' || fact.kind === 'activity');

/** The last event of a pod's stream when that is work and no end; undefined when the run was closed or tells none. */
function lastWork(facts: readonly PlacedFact[]): Message | undefined {
  const events = facts.filter(isEvent);
  const last = events.at(-1)?.message;
  const isClosed = events.some(({ fact, message }) => message === last && fact.kind === 'result');
  return isClosed ? undefined : last;
}

/** Tells each ended pod whose agent was at work when its log broke off. */
export function checkClosing(timeline: Timeline, endedPods: ReadonlySet<string>): Hit[] {
  return [...endedPods].flatMap((pod) => {
    const cli = timeline.cliByPod.get(pod);
    if (cli === undefined || !CLOSING_CLIS.has(cli)) return [];
    const message = lastWork(timeline.factsByPod.get(pod) ?? []);
    return message === undefined ? [] : [toHit(CLOSING_CHECK, message, {})];
  });
}
