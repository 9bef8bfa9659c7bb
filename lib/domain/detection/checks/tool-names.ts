/** Characters of a server's name that CLIs cannot use in a tool's name become `_`. */
const toSafe = (server: string): string => server.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/** A server's name as it may stand before its tools: some CLIs keep the dash, others do not. */
const spellings = (server: string): readonly string[] => [
  ...new Set([toSafe(server), toSafe(server).replaceAll('-', '_')]),
];

/** Prefixes that CLIs put before a server's tools: Claude Code and Codex, older opencode, droid. */
const prefixes = (server: string): readonly string[] =>
  spellings(server).flatMap((name) => [`mcp__${name}__`, `${name}___`, `${name}_`]);

/** True when a server's declared tool is offered under its own name or under that name behind the CLI's prefix. */
export const offersOf = (offered: ReadonlySet<string>, server: string, tool: string): boolean =>
  offered.has(tool) || prefixes(server).some((prefix) => offered.has(`${prefix}${tool}`));

/**
 * True when a remote tool is offered. The declaration does not name its server, so any listed server's prefix will do;
 * without a list, any `mcp__<server>__`.
 */
export function offersRemote(offered: ReadonlySet<string>, servers: readonly string[] | null, tool: string): boolean {
  if (offered.has(tool)) return true;
  if (servers !== null && servers.length > 0) return servers.some((server) => offersOf(offered, server, tool));
  return [...offered].some((name) => /^mcp__.+?__/.test(name) && name.replace(/^mcp__.+?__/, '') === tool);
}

/** True when a tool's full name belongs to the server. */
export const belongsTo = (tool: string, server: string): boolean =>
  prefixes(server).some((prefix) => tool.startsWith(prefix));
