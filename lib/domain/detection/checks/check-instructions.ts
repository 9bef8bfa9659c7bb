import type { SessionDeclaration } from '../../session/session.ts';
import type { LogEvent } from '../event.ts';
import type { Hit } from '../hits.ts';
import type { BuiltPattern } from '../patterns/pattern.ts';
import type { Message, Timeline } from '../timeline.ts';
import { toHit } from './check-declared.ts';
import { configOf } from './declaration.ts';

const RULE = { category: 'lifecycle' as const, family: 'instructions', literals: [''], expression: '.' };

/** The declaration itself holds no details of the work; what the agent was given nevertheless, no line need say. */
const TASK_CHECK: BuiltPattern = {
  ...RULE,
  id: 'instructions.declared-task-empty',
  severity: 'medium',
  summary: 'the session declares its tasks without a word of what they are',
};

/** The CLI echoes its prompt, and there is nothing in it. */
const PROMPT_CHECK: BuiltPattern = {
  ...RULE,
  id: 'instructions.prompt-empty',
  severity: 'high',
  summary: 'the prompt that the CLI was given is empty',
};

/** A value that stands for nothing, as unfilled variables of templates and scripts leave it. */
const NOTHING = /^\s*(?:undefined|null|none|\[object Object\]|\{\{[^}]*\}\}|\$\{[^}]*\})?\s*$/i;

/** True when the session has tasks, and not one says what it is. A session without tasks declares nothing to miss. */
const hasEmptyTasks = ({ tasks }: SessionDeclaration): boolean =>
  tasks.length > 0 && tasks.every(({ title }) => NOTHING.test(title));

/** The start of an agent that the session declares: its start event, or the first line of its pod. */
function isDeclaredStart(message: Message, timeline: Timeline, session: SessionDeclaration): boolean {
  if (configOf(session, message.owner.agent) === null) return false;
  const isFirst = timeline.podStarts.get(message.owner.pod) === message.ns;
  return isFirst || message.events.some(({ facts }) => facts.some(({ kind }) => kind === 'start'));
}

function emptyTasks(timeline: Timeline, session: SessionDeclaration | null): Hit[] {
  if (session === null || !hasEmptyTasks(session)) return [];
  const first = timeline.messages.find((message) => isDeclaredStart(message, timeline, session));
  return first === undefined ? [] : [toHit(TASK_CHECK, first, {})];
}

const isPrompt = ({ channel }: LogEvent): boolean => channel === 'prompt';

/** The first message of a stream that echoes a prompt, when all that it and its like echo before any work is blank. */
function emptyPrompt(messages: readonly Message[]): Message | undefined {
  const start = messages.findIndex(({ events }) => events.some(isPrompt));
  const first = messages[start];
  if (first === undefined) return undefined;
  const work = messages.findIndex(
    ({ events }, index) =>
      index > start &&
      events.some(({ facts }) => facts.some((fact) => fact.kind === 'activity' && fact.isLog !== true)),
  );
  if (work < 0) return undefined;
  const said = messages.slice(start, work).flatMap(({ events }) => events.filter(isPrompt));
  return said.every(({ text }) => text.trim() === '') ? first : undefined;
}

/**
 * Tells instructions that are empty where the declaration or the CLI's own echo shows it (corpus/README.md, rule 4): once a
 * session for tasks without a title, once a stream for a blank prompt that the model nevertheless went to work on.
 */
export function checkInstructions(timeline: Timeline, session: SessionDeclaration | null): Hit[] {
  const echoing = new Set(timeline.messages.filter(({ events }) => events.some(isPrompt)).map(({ stream }) => stream));
  const prompts = [...echoing].flatMap((stream) => {
    return emptyPrompt(timeline.messages.filter((message) => message.stream === stream)) ?? [];
  });
  return [...emptyTasks(timeline, session), ...prompts.map((message) => toHit(PROMPT_CHECK, message, {}))];
}
