import type { SessionDeclaration } from '../session/session.ts';
import { declaredTools } from './checks/declaration.ts';
import type { Fact, LogEvent } from './event.ts';
import type { Condition } from './patterns/pattern.ts';
import type { PatternMatch } from './patterns/registry.ts';
import { isDiagnostic, isNotice } from './readers/line-shapes.ts';
import type { Message, Timeline } from './timeline.ts';

const isTrouble = (event: LogEvent): boolean =>
  event.level === 'warn' ||
  event.level === 'error' ||
  event.level === 'fatal' ||
  event.channel === 'result' ||
  (event.channel === 'error' && event.level !== 'info') ||
  isDiagnostic(event.text) ||
  (event.level === null && REPORTS.test(event.text.slice(0, 400)));

/** Predicates of failure in a line that is neither a sentence of the model nor content. */
const REPORTS =
  /\b(?:failed|dial tcp|i\/o timeout|expected \d+|connection reset|no retries left|not authorized|access ?denied|missing (?:helper|variable|key|field|parameter)|not set|not configured|not supported|not allowed|not permitted|corrupt(?:ed)?|timed out|crashed|unable to|could not|cannot|refusing|refused|rejected|aborted|invalid|expired|exited unexpectedly|not available|does not exist|has not been|exited with|not responding|not mounted|connect error|error: |authentication required|(?:validation|parse|connection|network|upstream|request) (?:error|timeout))\b/i;

/** True when the event is not the result of a call that worked. */
export const isFailedCall = (event: LogEvent): boolean => !event.facts.some((fact) => fact.kind === 'call' && fact.ok);

/** What a pattern's condition needs to know besides the event. */
export interface Surroundings {
  readonly message: Message;
  readonly timeline: Timeline;
  readonly session: SessionDeclaration | null;
}

function isDeclaredTool(groups: Readonly<Record<string, string>>, around: Surroundings): boolean {
  const tools = declaredTools(around.session, around.message.owner.agent);
  if (tools === null) return true;
  const called = (groups['tool'] ?? groups['name'] ?? '').toLowerCase();
  return called === '' || tools.some((tool) => called.endsWith(tool.toLowerCase()));
}

/** Facts of the message's pod before it. */
const before = (around: Surroundings) =>
  (around.timeline.factsByPod.get(around.message.owner.pod) ?? []).filter(
    (placed) => placed.message.order < around.message.order,
  );

function isFailedResult(event: LogEvent, around: Surroundings): boolean {
  const result = event.facts.find((fact) => fact.kind === 'result');
  if (result === undefined || result.ok) return false;
  return !(result.isEmpty && before(around).some(({ fact }) => fact.kind === 'result' && fact.ok));
}

const isWork = (fact: Fact): boolean => (fact.kind === 'activity' && fact.isLog !== true) || fact.kind === 'success';

/** Nothing works after it in its pod. */
function isLast({ message, timeline }: Surroundings): boolean {
  const work = timeline.factsByPod.get(message.owner.pod)?.findLast(({ fact }) => isWork(fact));
  return work === undefined || work.message.order <= message.order;
}

/** A complaint is the last word of its stream when no more than this follows it: usage, hints, an exit code. */
const LAST_LINES = 12;
const GIVES_UP = /\b(?:giving up|gave up|aborting|cannot continue|unable to continue)\b/i;
/** Words that say that something was not done; a warning or a name that sounds like trouble has none of them. */
const NOT_DONE =
  /\b(?:error|fatal|failed|failure|cannot|could not|couldn't|can't|unable to|not (?:found|allowed|permitted|supported|available|authorized|configured|set|registered)|is not an?|did not|does not|doesn't|invalid|denied|refused|rejected|missing|required|unknown|no such|end(?:ed|s) early|exited|crashed|died|declared dead)\b/i;

/** The working loop's own complaints, and what the line itself takes back. */
const OF_THE_LOOP =
  /expect\(|assert|error\[e\d|error ts\d|cannot find (?:name|value|type)|syntaxerror|could not compile|[1-9]\d* (?:passed|tests)|error rate|errors?: (?:none|0|no)\s*(?:[,;.|)]|$)|\bcontext canceled\b|\boptional\b|skipp|local changes to the following|are handled|: none$|^\W*(?:⚠|warn)/i;

/** A program that is asked to stop may complain of it. */
const isFarewell = ({ text }: Message): boolean =>
  /\bsigterm\b|shutting down|graceful(?:ly)? (?:shut|stop)/i.test(text);

/** Nothing works after it, and the program was not asked to stop. */
const isLastWord = (around: Surroundings): boolean => {
  const { message, timeline } = around;
  const lately = timeline.messages.slice(Math.max(0, message.order - LAST_LINES), message.order);
  return isLast(around) && !lately.some((other) => other.stream === message.stream && isFarewell(other));
};

/** The program complains and ends: the last lines of a stream that was not closed well. */
function isLastComplaint(event: LogEvent, around: Surroundings): boolean {
  if (event.level === 'info' || event.level === 'debug' || event.level === 'warn') return false;
  const isOfProgram = event.level !== null || event.channel === 'error' || isDiagnostic(event.text);
  const complains = (isOfProgram && NOT_DONE.test(event.text.slice(0, 400))) || GIVES_UP.test(event.text);
  if (!complains || OF_THE_LOOP.test(event.text.slice(0, 2000)) || !isLastWord(around)) return false;
  return hasFewAfter(around) && !before(around).some(({ fact }) => fact.kind === 'result' && fact.ok);
}

/** Its stream ends within a few lines. */
function hasFewAfter({ message, timeline }: Surroundings): boolean {
  let left = LAST_LINES;
  for (let order = message.order + 1; order < timeline.messages.length && left >= 0; order += 1) {
    if (timeline.messages[order]?.stream === message.stream) left -= 1;
  }
  return left >= 0;
}

type Test = (event: LogEvent, around: Surroundings, groups: Readonly<Record<string, string>>) => boolean;

const TESTS: Readonly<Record<Condition, Test>> = {
  trouble: isTrouble,
  notice: (event) => isTrouble(event) || isNotice(event.text),
  'declared-tool': (_, around, groups) => isDeclaredTool(groups, around),
  'mcp-call': (event) => /^mcp__|___|\.mcp\./.test(event.command ?? '') && isFailedCall(event),
  exception: (event) => event.isException === true,
  'failed-result': isFailedResult,
  'last-words': (_, around) => isLastWord(around),
  'last-complaint': isLastComplaint,
};

/** Whether the pattern's condition holds for the event in its place. */
export const isMet = ({ pattern, groups }: PatternMatch, event: LogEvent, around: Surroundings): boolean =>
  pattern.needs === undefined || TESTS[pattern.needs](event, around, groups);
