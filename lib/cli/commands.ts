import type { Command } from './command.ts';

/** Every command, loaded only when it is called. In the order of the help text. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {};
