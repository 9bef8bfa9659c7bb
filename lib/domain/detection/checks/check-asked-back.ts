import type { LogEvent } from '../event.ts';
import type { Hit } from '../hits.ts';
import type { BuiltPattern } from '../patterns/pattern.ts';
import type { Message, Timeline } from '../timeline.ts';
import { toHit } from './check-declared.ts';

/**
 * A run that closes successfully with a question for its task had none (corpus/README.md, rule 4): nobody answers in a
 * headless run. Words of a model are content otherwise; here they are the whole outcome.
 */
const ASKED_BACK_CHECK: BuiltPattern = {
  id: 'instructions.asked-back',
  category: 'lifecycle',
  severity: 'high',
  family: 'instructions',
  literals: [''],
  expression: '.',
  summary: 'the agent asked back for its task and did nothing',
};

/** A longer answer is work that happens to end with a question. */
const LONGEST = 600;

const ASKS =
  /\b(?:what|which|how|where)\b[^.?!]{0,60}\b(?:(?:you|me) (?:like|want|to|need)|should i|shall i|can i (?:help|do)|may i help|help you|work on|task|issue)\b[^.!]{0,80}\?|\b(?:could|can|would|will) you (?:please )?(?:provide|share|tell|describe|clarify|resend|send|specify|give)\b[^.!]{0,120}\?|\bplease (?:provide|share|tell me|describe|resend|send|specify|give me)\b[^.!?]{0,80}\b(?:task|instructions?|request|description|prompt|message|do)\b/i;

const OFFERS_WORK =
  /\b(?:i(?:'ve| have)? (?:fixed|changed|added|updated|implemented|created|pushed|opened|committed))\b/i;

const isQuestion = (text: string): boolean =>
  text.length > 0 && text.length <= LONGEST && ASKS.test(text) && !OFFERS_WORK.test(text);

const closesWell = (event: LogEvent): boolean =>
  event.facts.some((fact) => fact.kind === 'result' && fact.ok && !fact.isEmpty);

/** The closing message of a stream that made no tool call, with what its own event says; a message alone is content. */
function closingOf(messages: readonly Message[]): { message: Message; words: string } | undefined {
  const events = messages.flatMap((message) => message.events.map((event) => ({ message, event })));
  if (events.some(({ event }) => event.facts.some((fact) => fact.kind === 'call'))) return undefined;
  const closing = events.findLast(({ event }) => closesWell(event));
  return closing === undefined ? undefined : { message: closing.message, words: closing.event.text };
}

/** Tells each stream that closed successfully, without one tool call, with a question for its task. */
export function checkAskedBack(timeline: Timeline): Hit[] {
  const streams = Map.groupBy(timeline.messages, ({ stream }) => stream);
  return [...streams.values()].flatMap((messages) => {
    const closing = closingOf(messages);
    return closing !== undefined && isQuestion(closing.words) ? [toHit(ASKED_BACK_CHECK, closing.message, {})] : [];
  });
}
