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
