import type { Command } from './command.ts';

/** Every command, loaded only when it is called. In the order of the help text. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  scan: async () => (await import('./commands/scan.ts')).command,
  'explain-attribution': async () => (await import('./commands/explain-attribution.ts')).command,
  mcp: async () => (await import('./commands/mcp.ts')).command,
  token: async () => (await import('./commands/token.ts')).command,
  secret: async () => (await import('./commands/secret.ts')).command,
  init: async () => (await import('./commands/init.ts')).command,
  config: async () => (await import('./commands/config.ts')).command,
  smoke: async () => (await import('./commands/smoke.ts')).command,
  pause: async () => (await import('./commands/pause.ts')).command,
  resume: async () => (await import('./commands/resume.ts')).command,
  redrive: async () => (await import('./commands/redrive.ts')).command,
  setup: async () => (await import('./commands/setup.ts')).command,
  doctor: async () => (await import('./commands/doctor.ts')).command,
  cost: async () => (await import('./commands/cost.ts')).command,
  quotas: async () => (await import('./commands/quotas.ts')).command,
  relay: async () => (await import('./commands/relay.ts')).command,
};
