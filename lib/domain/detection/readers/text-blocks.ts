import { isFileTool, isListing } from './commands.ts';
import { isProse } from './line-shapes.ts';
import type { StreamState, TextBlock } from './reader.ts';

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

/** Builds a block. */
export const block = (kind: TextBlock['kind'], ends: TextBlock['ends'], command: string | null = null): TextBlock => ({
  kind,
  ends,
  command,
});

/** A block whose last line never comes ends after so many lines. */
const LONGEST = 300;

/** True when the line does not belong to the open block any more. @param lines length of the block so far. */
export function hasEnded(open: TextBlock, text: string, lines: number): boolean {
  if (lines > LONGEST && open.ends !== 'marker') return true;
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
      return (
        text.trim() === '' ||
        /^(?:[●⏺]|─{2,} |\$ |> |→|✗|codex$)/u.test(text) ||
        isProse(text) ||
        BREAKS_COMMAND.test(text)
      );
    case 'stamped':
      return /^(?:\d\d:\d\d:\d\d - |\*\*\w+(?:Action|Observation)\b)/.test(text);
    case 'diff':
      return !DIFF_LINE.test(text);
    default:
      return false;
  }
}
const BREAKS_COMMAND = /^(?:❌|exit(?: status| code)? \d)/u;

/** Blocks that end with a line of their own, which still belongs to them. */
export function isLastLine(open: TextBlock, text: string): boolean {
  if (open.ends === 'tests')
    return /^test result:|^(?:PASS|FAIL) |^Tests:|^=+ .*\b(?:passed|failed|error)\b.* =+$/.test(text);
  if (open.ends === 'replace') return text.startsWith('>>>>>>> ');
  return open.ends === 'fence' && text.startsWith('```');
}

/** The block that a line opens; null for a line that stands for itself. */
export function opensBlock(text: string, state: StreamState): TextBlock | null {
  if (NODE_DUMP.test(text)) return block('trace', 'trace');
  if (
    /^running \d+ tests?$/.test(text) ||
    /^\s+console\.(?:error|warn|log)\s*$/.test(text) ||
    /^=+ (?:FAILURES|ERRORS|test session starts) =+$/.test(text)
  )
    return block('tests', 'tests');
  if (NUMBERED.test(text)) return block('tests', 'unindented');
  if (/^usage: /i.test(text)) return block('listing', 'unindented');
  if (text.startsWith('<<<<<<< SEARCH')) return block('listing', 'replace');
  if (text.startsWith('```')) return block('listing', 'fence');
  if (/^(?:diff --git |@@ -|--- a\/|\+\+\+ b\/)/.test(text)) return block('listing', 'diff');
  if (text.startsWith('Traceback (most recent call last)')) return block('trace', 'trace');
  return opensTool(text) ?? opensMarker(text.trim(), state);
}

/** How Node begins the report of an uncaught error: the place in the source, then the line of code. */
const NODE_DUMP = /^(?:node:[\w/]+|(?:file:\/\/)?\/\S+\.[cm]?js):\d+$/;

const BULLET_CALL = /^[●⏺] ?(\w+)\((.*)$/su;
/** A call of an MCP tool as Claude Code and Codex show it: `hub - search (MCP)(…)`, `Called hub.search(…)`. */
const MCP_CALL =
  /^(?:[●⏺] ?(?<server>[\w.-]+) - (?<tool>[\w.-]+) \(MCP\)\(|• Called (?<client>[\w-]+)\.(?<name>[\w-]+)\()/u;
/** Codex's screen form of a command that was run. */
const RAN = /^• (?:Ran|Running|Called) (.+)$/su;
/** Codex's screen form of what was looked at, changed or planned: its lines are content. */
const SHOWN = /^• (?:Explored|Exploring|Read|Searched|Edited|Added|Deleted|Viewed|Updated Plan)\b/u;
/** goose's heading of a tool call: tool and extension. */
const GOOSE_CALL = /^─{2,} \S+ \| \S+ ─+/u;
/** What a screen shows while the model thinks. */
const SPINNER = /^[✻✽✶✢✳] ?[A-Z][a-z-]+(?:…|\.{3}| for \d)/u;
/** The report of a failed test by its number (mocha, PHPUnit). */
const NUMBERED = /^ {2,}\d+\) \S/;

/** Marks of the screens of agent CLIs lie beyond ASCII. */
const isMarked = (text: string): boolean => text.charCodeAt(0) > 127;

function opensMarked(text: string): TextBlock | null {
  const mcp = MCP_CALL.exec(text)?.groups;
  if (mcp !== undefined) {
    const [server, tool] = [mcp['server'] ?? mcp['client'] ?? '', mcp['tool'] ?? mcp['name'] ?? ''];
    return block('tool-result', 'unindented', `mcp__${server}__${tool}`);
  }
  const call = BULLET_CALL.exec(text);
  if (call !== null) {
    const tool = call[1] ?? '';
    const command = (call[2] ?? '').replace(/\)[^)]*$/, '');
    if (tool !== 'Bash') return block(isContentTool(tool) ? 'listing' : 'tool-result', 'unindented', tool);
    return block(isListing(command) ? 'listing' : 'tool-result', 'unindented', command);
  }
  const ran = RAN.exec(text)?.[1];
  if (ran !== undefined) return block(isListing(ran) ? 'listing' : 'tool-result', 'unindented', ran);
  if (GOOSE_CALL.test(text)) return block('tool-result', 'command', '');
  if (SHOWN.test(text)) return block('listing', 'unindented', '');
  return /^[●⏺✦]/u.test(text) || SPINNER.test(text) ? block('prose', 'unindented') : null;
}

function opensTool(text: string): TextBlock | null {
  if (isMarked(text)) return opensMarked(text);
  if (STEP.test(text))
    return block(text.includes('bservation') || text.includes('OBSERVATION') ? 'tool-result' : 'prose', 'stamped', '');
  const shell = /^\$ (.+)$/s.exec(text)?.[1];
  if (shell !== undefined && !AGENT_CLI.test(shell))
    return block(isListing(shell) ? 'listing' : 'tool-result', 'command', shell);
  const exec = /^exec (.+)$/s.exec(text)?.[1];
  return exec === undefined ? null : toExecBlock(exec);
}

/** OpenHands' headings of what the agent did and saw; the lines below belong to them. */
const STEP = /^(?:\d\d:\d\d:\d\d - )?(?:ACTION|OBSERVATION|\*\*\w+(?:Action|Observation)\b.*\*\*)$/;

const isContentTool = (tool: string): boolean =>
  isFileTool(tool) || /^(?:Write|Edit|MultiEdit|Update|Create)$/.test(tool);

/** The block of a command that codex runs, from `<command> in <folder>`. */
export function toExecBlock(text: string): TextBlock {
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
