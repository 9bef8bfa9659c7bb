import type { Fact } from '../event.ts';

const QUOTE = '["\'`]?';
const NAME = String.raw`(?<name>[\w.@/-]{1,80}?)`;

/** Start-up lines that say a server is up, in the forms of several CLIs. */
const CONNECTED: readonly RegExp[] = [
  new RegExp(
    String.raw`\bMCP server ${QUOTE}${NAME}${QUOTE}:? (?:successfully connected|connection established|connected|ready|is ready|started)`,
    'i',
  ),
  new RegExp(String.raw`\bservice=mcp key=${NAME} .*?(?:\bconnected\b|successfully created client)`, 'i'),
  new RegExp(String.raw`\bServer '${NAME}' (?:supports tool updates|has tools)`, 'i'),
  new RegExp(String.raw`handlers for server '${NAME}'`, 'i'),
  new RegExp(String.raw`\b(?:re)?connected to (?:MCP server )?${QUOTE}${NAME}${QUOTE}(?:,|$| in | with )`, 'i'),
  new RegExp(String.raw`^\W*local server ${NAME}(?: ready| up| ok)?$`, 'i'),
];
const DISABLED = /\bservice=mcp key=([\w.-]+) .*\bmcp server disabled/i;
const COUNT = /\btool(?:Count|s)=(\d+)\b/;
const DISCOVERED = /\bMCP (?:context refresh|discovery|servers?) (?:is )?(?:complete|finished|done)/i;
const MENTIONED = /mcp|server|connected/i;

const server = (name: string, state: 'connected' | 'disabled', count: number | null): Fact => ({
  kind: 'server',
  name,
  state,
  toolCount: count,
  tools: null,
});

/** Facts that a plain start-up line tells of servers; empty for all other lines. */
export function readServerLine(text: string): readonly Fact[] {
  if (text.length > 2000 || !MENTIONED.test(text)) return [];
  if (DISCOVERED.test(text)) return [{ kind: 'discovered' }];
  const disabled = DISABLED.exec(text)?.[1];
  if (disabled !== undefined) return [server(disabled, 'disabled', null)];
  for (const shape of CONNECTED) {
    const name = shape.exec(text)?.groups?.['name'];
    if (name === undefined) continue;
    const count = COUNT.exec(text)?.[1];
    return [server(name, 'connected', count === undefined ? null : Number(count))];
  }
  return [];
}

const NAMED: readonly RegExp[] = [
  /\b(?:server_name|server|key|extension)=["'`]?([\w.@/-]{1,80})/i,
  /\b(?:mcp (?:client|server)|client|extension|server) (?:for )?["'`]([\w.@/ -]{1,80})["'`]/i,
  /\bmcp servers failed to initialize: ([\w.-]{1,80}):/i,
  /\b(?:local|remote|mcp) server:? ([\w.@/-]{1,80}?)(?::|,| (?:failed|did|is|exited|timed|not|could|cannot|unreachable|unavailable)\b)/i,
  /\bextension[:,]? ([\w.@/-]{1,80}?)(?::|,)/i,
  /\bto (?:mcp )?server ([\w.@/-]{1,80}?)(?::|,)/i,
];
const NO_NAMES = new Set([
  'failed',
  'startup',
  'connection',
  'transport',
  'error',
  'is',
  'did',
  'stderr',
  'disconnected',
  'config',
  'configuration',
]);

/** The MCP server that a complaint names; null when it names none. */
export function serverNameIn(text: string): string | null {
  const head = text.slice(0, 2000);
  for (const shape of NAMED) {
    const name = shape.exec(head)?.[1];
    if (name !== undefined && !NO_NAMES.has(name.toLowerCase())) return name;
  }
  return null;
}
