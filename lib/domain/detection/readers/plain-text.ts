import type { Fact, LogEvent } from '../event.ts';
import { toEvent } from '../event.ts';
import { readEventLine } from './kubernetes-events.ts';
import { isDiagnostic, isListingLine, isProse, isSuccess, levelOf } from './line-shapes.ts';
import type { StreamState, TextBlock } from './reader.ts';
import { readServerLine } from './server-lines.ts';
import { block, hasEnded, isLastLine, opensBlock, toExecBlock } from './text-blocks.ts';

const FRAME = /^\s+(?:at |File "|\^|~|\d+: )|^\s{2,}|^\s*$|^\t/;
const EXCEPTION = /^[A-Za-z_$][\w.$]{0,120}(?: \[[^\]]{1,60}\])?(?::|$)/;
const ACTIVITY = /\b(?:\w+Action|\w+Observation)\b: /;
/** opencode's log begins another step of the model's loop. */
const STEP = /\bservice=session\.\w+ .*\bstep=\d+/;

/** Text of the model in plain output. */
const SPOKE: Fact = { kind: 'activity', isText: true };

/** A line of information that tells of work done, and neither of another try nor of an end. */
const GOES_ON: Fact = { kind: 'activity', isText: true, isLog: true };
/** The line filter lets these words through (patterns/line-filter.ts). */
const PROGRESS = /\b(?:response|received|processed|iteration|tokens|falling back|sent)\b/i;
const TRIES_OR_ENDS =
  /\b(?:attempt|connecting|trying|waiting|retry|retries|sending|requesting|starting|back(?:ing)? ?off|sleep|exit|stop|shut|clean|clos|end(?:ed|ing)?\b|not\b|no\b|fail|error|cannot|unable|without|timed? ?out|refused|lost)/i;

const SAID_SUCCESS: Fact = { kind: 'success', isText: true };

/** Events of a line inside a block. */
function readInside(open: TextBlock, text: string, state: StreamState): LogEvent[] {
  if (open.kind === 'trace') return readTrace(text, state);
  if (open.kind === 'tests') return [];
  if (open.kind === 'prompt') return [toEvent('prompt', text)];
  if (open.kind === 'prose') return [toEvent('prose', text, [SPOKE])];
  if (open.command === null && /^\S*(?:ba|z)?sh -l?c /.test(text)) {
    state.block = toExecBlock(text);
    return [];
  }
  return readOutput(open, text);
}

/** A line of a tool's output; a shell result that begins with `⎿` may itself be an error of the agent. */
function readOutput(open: TextBlock, text: string): LogEvent[] {
  const inner = text.replace(/^\s*[⎿└]\s*/u, '').trim();
  if (/^API Error\b/.test(inner)) return [{ ...toEvent('error', inner), level: 'error' }];
  const failed = isDiagnostic(inner) || /exited? [1-9]/.test(inner);
  const ok = /^(?:succeeded in |\S+ succeeded in )/.test(inner) || isSuccess(inner) || DELIVERED.test(inner);
  const facts: Fact[] = ok && !failed ? [{ kind: 'call', tool: 'shell', command: open.command, ok: true }] : [];
  const isContent = open.kind === 'listing' && !COMPLAINT.test(inner);
  return [{ ...toEvent(isContent ? 'listing' : 'tool-result', inner, facts), command: open.command ?? '' }];
}
/** How a command says that it could not do its work, such as `ls: cannot access …`. */
const COMPLAINT = /^(?:\/\S*\/)?[a-z]{2,12}: (?:line \d+: )?(?:cannot|can't|could not|unable|failed|\S+: )/;
const DELIVERED = /^(?:To (?:https?|ssh|git)|[0-9a-f]{7,}\.\.[0-9a-f]{7,}|\* \[new branch\])/;

function readTrace(text: string, state: StreamState): LogEvent[] {
  if (FRAME.test(text)) return [];
  state.block = null;
  if (!EXCEPTION.test(text)) return readAlone(text);
  return [{ ...toEvent('stderr', text), level: 'error', isException: true }];
}

/** A line of a shell's trace or of a stack: what is run, not how it went. */
const TRACED = /^\+{1,3} \S|^\s+at \S/;
/** A line of a server's access log: what others asked and were answered. */
const ACCESS = /"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+ HTTP\/[\d.]+"\s+(\d)\d\d\b/;

/** Lines whose shape alone says what they are, whatever words they hold. */
function readByShape(text: string): LogEvent[] | null {
  if ((text.includes('Action: ') || text.includes('Observation: ')) && ACTIVITY.test(text))
    return [{ ...toEvent('tool-result', text.slice(text.search(ACTIVITY)), [{ kind: 'activity' }]), command: '' }];
  if (TRACED.test(text)) return [toEvent('listing', text)];
  const status = text.includes(' HTTP/') ? ACCESS.exec(text)?.[1] : undefined;
  if (status !== undefined) return [toEvent('listing', text, status === '2' ? [{ kind: 'success' }] : [])];
  const event = readEventLine(text);
  if (event !== null) return [event];
  const bullet = /^• (.+)$/s.exec(text)?.[1];
  return bullet !== undefined && isProse(bullet) ? [toEvent('prose', bullet, [SPOKE])] : null;
}

/** A line that stands for itself. */
function readAlone(text: string): LogEvent[] {
  const shaped = readByShape(text);
  if (shaped !== null) return shaped;
  const facts: Fact[] = [
    ...readServerLine(text),
    ...(text.includes('service=session') && STEP.test(text) ? [SPOKE] : []),
  ];
  if (isListingLine(text)) return [toEvent('listing', text, isSuccess(text) ? [...facts, { kind: 'success' }] : facts)];
  if (facts.length === 0 && isProse(text))
    return [toEvent('prose', text, isSuccess(text) ? [SPOKE, SAID_SUCCESS] : [SPOKE])];
  const level = levelOf(text);
  if (level === 'info' && PROGRESS.test(text) && !TRIES_OR_ENDS.test(text)) facts.push(GOES_ON);
  const told = text.replaceAll(REPEATED, '');
  const said = level === 'info' || level === 'debug' ? withoutQuotes(told) : told;
  return [{ ...toEvent('stderr', said, [...facts, ...successOf(text)]), level }];
}

/** Fields in which observers repeat the lines of others. */
const QUOTED = /\b(?:line|excerpt|log|body|content|pattern|query|text|prompt|sample|match)="(?:[^"\\]|\\.)*"/g;
const withoutQuotes = (text: string): string => text.replaceAll(QUOTED, '');
/** What an observer repeats of another. */
const REPEATED = /\b(?:said|says|printed|prints|wrote|quot\w+|match(?:ed|es|ing))\s+(["'`]).{1,400}\1/g;

const successOf = (text: string): readonly Fact[] => (isSuccess(text) ? [{ kind: 'success' }] : []);

/** The first line of a tool's output on a screen. */
const RESULT = /^\s*⎿/u;

const NOT_MADE = /^\s*⎿\s*Error\b(?!: Exit code)/u;

/** Reads one line of plain output; what it means depends on the block in which it stands. */
export function readPlainText(text: string, state: StreamState): readonly LogEvent[] {
  if (text.startsWith('OpenAI Codex v')) state.cli = 'codex';
  const open = state.block;
  state.blockLines += 1;
  if (open !== null && !hasEnded(open, text, state.blockLines)) {
    if (isLastLine(open, text)) state.block = null;
    return readInside(open, text, state);
  }
  if (open !== null && open.kind !== 'prose' && open.ends === 'unindented' && RESULT.test(text)) {
    // A call that shows files shows none when it could not be made.
    if (open.kind === 'listing' && NOT_MADE.test(text)) state.block = { ...open, kind: 'tool-result' };
    return readInside(state.block ?? open, text, state);
  }
  state.block = opensBlock(text, state);
  state.blockLines = 0;
  if (state.block === null && RESULT.test(text)) {
    state.block = block('tool-result', 'unindented', '');
    return readInside(state.block, text, state);
  }
  if (state.block === null) return readAlone(text);
  const isCall = state.block.command !== null && !text.startsWith('$');
  const said: readonly Fact[] = state.block.kind === 'prose' || isCall ? [SPOKE] : [];
  if (state.block.kind === 'prompt') return [toEvent('prompt', '')];
  return [toEvent(state.block.kind === 'prose' ? 'prose' : 'tool-argument', text, said)];
}
