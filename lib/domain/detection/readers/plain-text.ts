import type { Fact, LogEvent } from '../event.ts';
import { toEvent } from '../event.ts';
import { isFileTool, isListing } from './commands.ts';
import { isDiagnostic, isListingLine, isProse, isSuccess, levelOf } from './line-shapes.ts';
import type { StreamState, TextBlock } from './reader.ts';
import { readServerLine } from './server-lines.ts';

const AGENT_CLI =
  /^(?:\S*\/)?(?:claude|codex|opencode|gemini|goose|aider|cline|droid|cursor-agent|openhands|continue|amp)\b/;
const MARKERS = new Set([
  'user',
  'codex',
  'exec',
  'thinking',
  'tokens used',
  'file update',
  'apply patch',
  'tool',
  'assistant',
]);
const OWN_LOG = /^\d{4}-\d\d-\d\dT[\d:.]+Z\s+(?:ERROR|WARN|INFO|DEBUG) [a-z_]+(?:::[a-z_]+)*[:{ ]/;
const BREAKS_PROSE = /^(?:ERROR: |Error: |■|⚠|error: |fatal: |\[?API Error|thread '|❌)/u;
const DIFF_LINE = /^(?:[+\-@ \\]|diff |index |new file|deleted file|similarity|rename )/;
const FRAME = /^\s+(?:at |File "|\^|~|\d+: )|^\s{2,}|^\s*$|^\t/;
const EXCEPTION = /^[A-Za-z_$][\w.$]{0,120}(?: \[[^\]]{1,60}\])?(?::|$)/;
const ACTIVITY = /\b(?:\w+Action|\w+Observation)\b: /;

/** Text of the model in plain output. */
const SPOKE: Fact = { kind: 'activity', isText: true };

const block = (kind: TextBlock['kind'], ends: TextBlock['ends'], command: string | null = null): TextBlock => ({
  kind,
  ends,
  command,
});

/** True when the line does not belong to the open block any more. */
function hasEnded(open: TextBlock, text: string): boolean {
  switch (open.ends) {
    case 'unindented':
      return /^\S/.test(text) || /^\s*⎿/.test(text);
    case 'marker':
      return (
        MARKERS.has(text.trim()) ||
        OWN_LOG.test(text) ||
        (open.kind !== 'tool-result' && open.kind !== 'listing' && BREAKS_PROSE.test(text))
      );
    case 'command':
      return text.trim() === '' || /^(?:●|\$ |> |→|✗|codex$)/u.test(text) || isProse(text) || BREAKS_COMMAND.test(text);
    case 'diff':
      return !DIFF_LINE.test(text);
    default:
      return false;
  }
}
const BREAKS_COMMAND = /^(?:❌|exit(?: status| code)? \d)/u;

/** Blocks that end with a line of their own, which still belongs to them. */
function isLastLine(open: TextBlock, text: string): boolean {
  if (open.ends === 'tests')
    return /^test result:|^(?:PASS|FAIL) |^Tests:|^=+ .*\b(?:passed|failed|error)\b.* =+$/.test(text);
  if (open.ends === 'replace') return text.startsWith('>>>>>>> ');
  return open.ends === 'fence' && text.startsWith('```');
}

/** The block that a line opens; null for a line that stands for itself. */
function opensBlock(text: string, state: StreamState): TextBlock | null {
  if (NODE_DUMP.test(text)) return block('trace', 'trace');
  if (
    /^running \d+ tests?$/.test(text) ||
    /^\s+console\.(?:error|warn|log)\s*$/.test(text) ||
    /^=+ (?:FAILURES|ERRORS|test session starts) =+$/.test(text)
  )
    return block('tests', 'tests');
  if (text.startsWith('<<<<<<< SEARCH')) return block('listing', 'replace');
  if (text.startsWith('```')) return block('listing', 'fence');
  if (/^(?:diff --git |@@ -|--- a\/|\+\+\+ b\/)/.test(text)) return block('listing', 'diff');
  if (text.startsWith('Traceback (most recent call last)')) return block('trace', 'trace');
  return opensTool(text) ?? opensMarker(text.trim(), state);
}

/** How Node begins the report of an uncaught error: the place in the source, then the line of code. */
const NODE_DUMP = /^(?:node:[\w/]+|(?:file:\/\/)?\/\S+\.[cm]?js):\d+$/;

const BULLET_CALL = /^● ?(\w+)\((.*)$/su;

function opensTool(text: string): TextBlock | null {
  const call = BULLET_CALL.exec(text);
  if (call !== null) {
    const tool = call[1] ?? '';
    const command = (call[2] ?? '').replace(/\)[^)]*$/, '');
    if (tool !== 'Bash') return block(isContentTool(tool) ? 'listing' : 'tool-result', 'unindented', tool);
    return block(isListing(command) ? 'listing' : 'tool-result', 'unindented', command);
  }
  if (text.startsWith('●')) return block('prose', 'unindented');
  const shell = /^\$ (.+)$/s.exec(text)?.[1];
  if (shell !== undefined && !AGENT_CLI.test(shell))
    return block(isListing(shell) ? 'listing' : 'tool-result', 'command', shell);
  const exec = /^exec (.+)$/s.exec(text)?.[1];
  return exec === undefined ? null : toExecBlock(exec);
}

const isContentTool = (tool: string): boolean =>
  isFileTool(tool) || /^(?:Write|Edit|MultiEdit|Update|Create)$/.test(tool);

function toExecBlock(text: string): TextBlock {
  const command = text.replace(/ in \/\S*(?: succeeded in .*)?$/, '');
  return block(isListing(command) ? 'listing' : 'tool-result', 'marker', command);
}

function opensMarker(text: string, state: StreamState): TextBlock | null {
  if (!MARKERS.has(text)) return null;
  if (text === 'exec') return block('tool-result', 'marker');
  if (text === 'user') return block('prompt', 'marker');
  if (state.cli === null && (text === 'tool' || text === 'assistant')) return null;
  return block(text === 'file update' || text === 'apply patch' ? 'listing' : 'prose', 'marker');
}

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
  const inner = text.replace(/^\s*⎿\s*/u, '').trim();
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
  if (!EXCEPTION.test(text)) return readAlone(text, state);
  return [{ ...toEvent('stderr', text), level: 'error', isException: true }];
}

/** A line that stands for itself. */
function readAlone(text: string, state: StreamState): LogEvent[] {
  const facts: Fact[] = [...readServerLine(text)];
  if (ACTIVITY.test(text))
    return [{ ...toEvent('tool-result', text.slice(text.search(ACTIVITY)), [{ kind: 'activity' }]), command: '' }];
  if (isListingLine(text)) return [toEvent('listing', text, isSuccess(text) ? [...facts, { kind: 'success' }] : facts)];
  if (/^\s*⎿/u.test(text)) return readOutput(block('tool-result', 'unindented', ''), text);
  if (/^\+ \S/.test(text) || /^\s+at \S/.test(text)) return [toEvent('listing', text)];
  if (isProse(text)) return [toEvent('prose', text, isPromptEcho(text, state) ? [] : [SPOKE, ...successOf(text)])];
  const level = levelOf(text);
  const said = level === 'info' || level === 'debug' ? withoutQuotes(text) : text;
  return [{ ...toEvent('stderr', said, [...facts, ...successOf(text)]), level }];
}

/** Fields in which observers repeat the lines of others. */
const QUOTED = /\b(?:line|excerpt|log|body|content|pattern|query|text|prompt|sample|match)="(?:[^"\\]|\\.)*"/g;
const withoutQuotes = (text: string): string => text.replaceAll(QUOTED, '');

const successOf = (text: string): readonly Fact[] => (isSuccess(text) ? [{ kind: 'success' }] : []);
const isPromptEcho = (text: string, state: StreamState): boolean => state.cli === null && /^Description: /.test(text);

/** Reads one line of plain output; what it means depends on the block in which it stands. */
export function readPlainText(text: string, state: StreamState): readonly LogEvent[] {
  if (/^OpenAI Codex v/.test(text)) state.cli = 'codex';
  const open = state.block;
  if (open !== null && !hasEnded(open, text)) {
    if (isLastLine(open, text)) state.block = null;
    return readInside(open, text, state);
  }
  const isResultOf = open !== null && open.kind !== 'prose' && open.ends === 'unindented' && /^\s*⎿/u.test(text);
  if (isResultOf) return readInside(open, text, state);
  state.block = opensBlock(text, state);
  if (state.block === null) return readAlone(text, state);
  const said: readonly Fact[] = state.block.kind === 'prose' ? [SPOKE] : [];
  return [toEvent(state.block.kind === 'prose' ? 'prose' : 'tool-argument', text, said)];
}
