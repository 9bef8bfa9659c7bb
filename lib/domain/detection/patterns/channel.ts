/** What a piece of log text is, before its words are read. */
export const CHANNELS = [
  'init',
  'result',
  'error',
  'stderr',
  'entrypoint',
  'tool-result',
  'tool-argument',
  'prompt',
  'prose',
  'listing',
  'infrastructure',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** The channels that a pattern reads when it names none: whatever the run says about itself. */
export const DEFAULT_CHANNELS: readonly Channel[] = ['error', 'stderr', 'entrypoint', 'result', 'infrastructure'];
