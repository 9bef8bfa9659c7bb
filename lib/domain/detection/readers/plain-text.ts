import type { Fact, LogEvent } from '../event.ts';
import { toEvent } from '../event.ts';
import { isDiagnostic, isListingLine, isProse, isSuccess, levelOf } from './line-shapes.ts';
import type { StreamState, TextBlock } from './reader.ts';
import { readServerLine } from './server-lines.ts';
import { block, hasEnded, isLastLine, opensBlock, toExecBlock } from './text-blocks.ts';

const FRAME = /^\s+(?:at |File "|\^|~|\d+: )|^\s{2,}|^\s*$|^\t/;
const EXCEPTION = /^[A-Za-z_$][\w.$]{0,120}(?: \[[^\]]{1,60}\])?(?::|$)/;
const ACTIVITY = /\b(?:\w+Action|\w+Observation)\b: /;

/** Text of the model in plain output. */
const SPOKE: Fact = { kind: 'activity', isText: true };

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

/** A line that stands for itself. */
function readAlone(text: string): LogEvent[] {
  const facts: Fact[] = [...readServerLine(text)];
  if (ACTIVITY.test(text))
    return [{ ...toEvent('tool-result', text.slice(text.search(ACTIVITY)), [{ kind: 'activity' }]), command: '' }];
  if (isListingLine(text)) return [toEvent('listing', text, isSuccess(text) ? [...facts, { kind: 'success' }] : facts)];
  if (/^\s*⎿/u.test(text)) return readOutput(block('tool-result', 'unindented', ''), text);
  if (/^\+ \S/.test(text) || /^\s+at \S/.test(text)) return [toEvent('listing', text)];
  if (facts.length === 0 && isProse(text))
    return [toEvent('prose', text, isSuccess(text) ? [SPOKE, SAID_SUCCESS] : [SPOKE])];
  const level = levelOf(text);
  const said = level === 'info' || level === 'debug' ? withoutQuotes(text) : text;
  return [{ ...toEvent('stderr', said, [...facts, ...successOf(text)]), level }];
}

/** Fields in which observers repeat the lines of others. */
const QUOTED = /\b(?:line|excerpt|log|body|content|pattern|query|text|prompt|sample|match)="(?:[^"\\]|\\.)*"/g;
const withoutQuotes = (text: string): string => text.replaceAll(QUOTED, '');

const successOf = (text: string): readonly Fact[] => (isSuccess(text) ? [{ kind: 'success' }] : []);

/** Reads one line of plain output; what it means depends on the block in which it stands. */
export function readPlainText(text: string, state: StreamState): readonly LogEvent[] {
  if (text.startsWith('OpenAI Codex v')) state.cli = 'codex';
  const open = state.block;
  state.blockLines += 1;
  if (open !== null && !hasEnded(open, text, state.blockLines)) {
    if (isLastLine(open, text)) state.block = null;
    return readInside(open, text, state);
  }
  const isResultOf = open !== null && open.kind !== 'prose' && open.ends === 'unindented' && /^\s*⎿/u.test(text);
  if (isResultOf) return readInside(open, text, state);
  state.block = opensBlock(text, state);
  state.blockLines = 0;
  if (state.block === null) return readAlone(text);
  const said: readonly Fact[] = state.block.kind === 'prose' ? [SPOKE] : [];
  return [toEvent(state.block.kind === 'prose' ? 'prose' : 'tool-argument', text, said)];
}
