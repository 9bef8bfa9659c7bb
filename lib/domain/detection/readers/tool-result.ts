import type { Fact, LogEvent } from '../event.ts';
import { isFileTool, isListing } from './commands.ts';

/** How a tool call ended, as each CLI says it in its own shape. */
export interface ToolOutcome {
  readonly tool: string;
  readonly command: string | null;
  readonly ok: boolean;
  readonly text: string;
}

const SHELL_STATUS = /(?:exit(?:ed)?(?: with)?(?: code| status)?:? ?|Exit code )(\d{1,3})\b/i;

/** False where a shell result names a status other than 0, though the CLI calls the call completed. */
export const hasCleanStatus = (text: string): boolean => {
  const status = (SHELL_STATUS.exec(text.slice(0, 200)) ?? SHELL_STATUS.exec(text.slice(-100)))?.[1];
  return status === undefined || status === '0';
};

/** The event of an ended tool call: a listing when the tool only shows files, else a result that may tell of a failure. */
export function toToolEvent(outcome: ToolOutcome): LogEvent {
  const facts: Fact[] = [
    { kind: 'call', tool: outcome.tool, command: outcome.command, ok: outcome.ok },
    { kind: 'activity' },
  ];
  const isContent =
    outcome.command === null
      ? isFileTool(outcome.tool) && outcome.ok
      : isListing(outcome.command) && !isBroken(outcome);
  return {
    channel: isContent ? 'listing' : 'tool-result',
    text: outcome.text,
    level: null,
    facts,
    command: outcome.command ?? outcome.tool,
  };
}

/** A listing command that could not run at all says so in one short line. */
const isBroken = (outcome: ToolOutcome): boolean => !outcome.ok && outcome.text.length < 400;
