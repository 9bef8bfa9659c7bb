import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { HealerCallError } from '#lib/client/index.ts';
import { toShortened, toVisibleLine } from '#lib/domain/publication/safe-text.ts';

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Correct the fields that are named and call the tool again.',
  401: 'Set HEALER_TOKEN for this MCP server; `npx healer token create` makes one.',
  403: 'Check HEALER_TOKEN (a revoked one is refused), and that the repository is in the list of allowed ones.',
  404: 'Check the id: healer_list_sessions and healer_list_incidents name what there is.',
  409: 'End the session that is active first, or choose another play_id.',
  413: 'Declare fewer agents, tools or tasks.',
  429: 'Wait a minute, then call the tool again.',
};

/** A failed call as an answer that a model can act on: what happened, field by field, and what to do. */
export function toToolFailure(error: unknown, url: string): CallToolResult {
  const lines =
    error instanceof HealerCallError ? renderFailure(error, url) : ['The tool failed for a reason of its own.'];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

const line = (text: string): string => toShortened(toVisibleLine(text), 500);

function renderFailure(error: HealerCallError, url: string): string[] {
  const { message, status, faults, requestId } = error;
  return [
    line(message),
    ...faults.map((fault) => `- ${line(fault.path) || 'the request'}: ${line(fault.message)}`),
    `What to do: ${adviceFor(status, url)}`,
    ...(requestId === undefined ? [] : [`Request id, for the operator: ${line(requestId)}`]),
  ];
}

function adviceFor(status: number | undefined, url: string): string {
  if (status === undefined || status < 400)
    return `Check that Healer runs at ${line(url)} (HEALER_URL); \`npm start\` runs it on this machine.`;
  return ADVICE[status] ?? 'Call the tool again in a minute; if it fails again, tell the operator.';
}
