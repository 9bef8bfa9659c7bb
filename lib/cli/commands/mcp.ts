import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { HealerCallError } from '#lib/client/index.ts';
import { type Command, UsageError } from '../command.ts';
import { createMcpServer } from '../mcp/server.ts';

const HELP = `
Usage: healer mcp

An MCP server over stdio: a coding assistant announces plays to Healer, looks at
them, and has failures explained. Its tools: healer_start_session,
healer_get_session, healer_list_sessions, healer_list_incidents,
healer_explain_incident.

Environment:
  HEALER_URL     where Healer is (default: http://localhost:8083, npm start)
  HEALER_TOKEN   a token of \`healer token create\`; npm start needs none

Example (a client's configuration):
  { "mcpServers": { "healer": { "command": "npx", "args": ["healer", "mcp"],
    "env": { "HEALER_URL": "https://…", "HEALER_TOKEN": "hlr_…" } } } }
`;

const DEFAULT_URL = 'http://localhost:8083';

export const command: Command = {
  summary: 'is an MCP server over stdio for coding assistants',
  help: HELP,
  async run(args, io) {
    parseArgs({ args: [...args], options: {} });
    const transport = new StdioServerTransport(io.stdin, io.stdout);
    const server = open(io.env['HEALER_URL'] || DEFAULT_URL, io.env['HEALER_TOKEN'], io.signal);
    // The client ends the conversation by closing stdin, a person by Ctrl-C.
    const isOver = Promise.race([once(io.stdin, 'end'), once(io.stdin, 'close'), once(io.signal, 'abort')]);
    await server.connect(transport);
    await isOver;
    await server.close();
    return 0;
  },
};

function open(url: string, token: string | undefined, signal: AbortSignal) {
  try {
    return createMcpServer({ url, token, signal });
  } catch (error) {
    if (error instanceof HealerCallError) throw new UsageError(`HEALER_URL: ${error.message}`);
    throw error;
  }
}
