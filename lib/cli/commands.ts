import type { Command } from './command.ts';

/** Every command, loaded only when it is called. In the order of the help text. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  scan: async () => (await import('./commands/scan.ts')).command,
  'explain-attribution': async () => (await import('./commands/explain-attribution.ts')).command,
  mcp: async () => (await import('./commands/mcp.ts')).command,
  token: async () => (await import('./commands/token.ts')).command,
  relay: async () => (await import('./commands/relay.ts')).command,
};
