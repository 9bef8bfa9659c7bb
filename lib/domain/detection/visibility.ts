/** What a person may want to know of a run, and what a CLI may keep to itself. */
export const FACTS = {
  tools: 'A10 (declared tools that are not offered)',
  servers: 'A12 (an MCP server that does not start or answer)',
  retries: 'retries of the model',
  prompt: 'an empty prompt',
  sandbox: 'a command that the CLI itself refuses to run',
  provider: 'a broken provider file',
  kill: 'death by SIGKILL',
} as const;
export type VisibleFact = keyof typeof FACTS;

/** One row of the table: what one CLI shows of one fact. */
export interface Visibility {
  /** Id of the reader; `any` stands for every CLI. */
  readonly cli: VisibleCli | 'any';
  readonly fact: VisibleFact;
  readonly seen: 'by default' | 'with a setting' | 'never';
  /** What has to be set, as it is written; null where nothing helps. */
  readonly setting: string | null;
  /** What remains to be said, a sentence. */
  readonly note: string;
}

export const VISIBLE_CLIS = ['claude-code', 'codex', 'opencode', 'gemini', 'cline'] as const;
export type VisibleCli = (typeof VISIBLE_CLIS)[number];

/** A CLI with the version whose behaviour the table tells, and how to run it so that its failures show. */
export interface CliProfile {
  readonly name: string;
  /** Null: from public reports, not from a recorded run. */
  readonly version: string | null;
  /** A shell line that can be pasted; PROMPT_FILE is the file with the instructions. */
  readonly run: string;
  /** Lines of the CLI's own configuration that make more of it visible; null when none do. */
  readonly settings: { readonly file: string; readonly language: string; readonly text: string } | null;
  /** Why these flags, each a sentence. */
  readonly why: readonly string[];
}

/** Recorded versions, and the flags under which their failures show. */
export const CLI_PROFILES: Readonly<Record<VisibleCli, CliProfile>> = {
  'claude-code': {
    name: 'Claude Code',
    version: null,
    run: 'claude -p --output-format stream-json --verbose < PROMPT_FILE',
    settings: null,
    why: [
      'The first event lists every tool and MCP server with its state: A10 and A12 are seen at once.',
      'Text output lists neither, and has no closing event.',
    ],
  },
  codex: {
    name: 'Codex',
    version: '0.171.0',
    run: 'RUST_LOG=warn codex exec --json - < PROMPT_FILE',
    settings: {
      file: '~/.codex/config.toml',
      language: 'toml',
      text: '[mcp_servers.NAME]\nrequired = true\n\n[features]\nunbounded_connection_retries = false',
    },
    why: [
      'At the default level, which is error, an optional MCP server over stdio that fails is not told at all.',
      'A server with "required = true" is one that the run does not start without: set it where the run cannot do without.',
      'With the feature unbounded_connection_retries a model endpoint that refuses is retried without end.',
    ],
  },
  opencode: {
    name: 'opencode',
    version: '1.18.33',
    run: 'opencode run --format json --print-logs "$(cat PROMPT_FILE)"',
    settings: null,
    why: ['Without --print-logs no MCP failure and no retry is told; with it the server is named, never the cause.'],
  },
  gemini: {
    name: 'Gemini CLI',
    version: '0.61.0',
    run: 'gemini --output-format stream-json --debug < PROMPT_FILE',
    settings: null,
    why: [
      'Without --debug one vague line says that some MCP server failed, and nothing at all when it answers 401.',
      'With it each payload is echoed a dozen times: leave it out where the volume of logs matters more.',
    ],
  },
  cline: {
    name: 'Cline',
    version: '3.0.65',
    run: 'CLINE_LOG_PATH=/dev/stderr cline --json "$(cat PROMPT_FILE)"',
    settings: null,
    why: [
      'Without CLINE_LOG_PATH no MCP failure and no retry is told, nor that a broken provider file was left for another provider.',
    ],
  },
};

const never = (cli: Visibility['cli'], fact: VisibleFact, note: string): Visibility => ({
  cli,
  fact,
  seen: 'never',
  setting: null,
  note,
});

const onDemand = (cli: VisibleCli, fact: VisibleFact, setting: string, note: string): Visibility => ({
  cli,
  fact,
  seen: 'with a setting',
  setting,
  note,
});

/** The flags with which Claude Code writes its event stream. */
export const STREAM_JSON = '--output-format stream-json --verbose';
const NO_LIST = 'The CLI lists no tools; a missing one is told only when it is called and refused.';

/** What cannot be seen, and what makes it visible. Measured on recorded runs that were broken on purpose. */
export const VISIBILITY: readonly Visibility[] = [
  {
    cli: 'claude-code',
    fact: 'tools',
    seen: 'with a setting',
    setting: STREAM_JSON,
    note: 'The init event lists the tools.',
  },
  {
    cli: 'claude-code',
    fact: 'servers',
    seen: 'with a setting',
    setting: STREAM_JSON,
    note: 'The init event lists the servers with their state.',
  },
  never('codex', 'tools', NO_LIST),
  onDemand(
    'codex',
    'servers',
    'RUST_LOG=warn',
    'Names the server and the reason. A server over HTTP that answers 401 is told by default.',
  ),
  {
    cli: 'codex',
    fact: 'retries',
    seen: 'by default',
    setting: null,
    note: 'Each retry is an event, also in runs that recover.',
  },
  never('codex', 'prompt', 'An empty prompt ("") is run like any other.'),
  never('codex', 'sandbox', 'A command that its own sandbox denies looks like one that failed.'),
  never('opencode', 'tools', NO_LIST),
  onDemand('opencode', 'servers', '--print-logs', 'Names the server, never the cause.'),
  onDemand('opencode', 'retries', '--print-logs', 'Told at the level of errors, also in runs that recover.'),
  never('gemini', 'tools', NO_LIST),
  onDemand(
    'gemini',
    'servers',
    '--debug',
    'Without it the server and the reason are not named, and a 401 is not told.',
  ),
  {
    cli: 'gemini',
    fact: 'retries',
    seen: 'by default',
    setting: null,
    note: 'On stderr, in the words of the final error.',
  },
  never('cline', 'tools', NO_LIST),
  onDemand('cline', 'servers', 'CLINE_LOG_PATH=/dev/stderr', 'Told at the level of information.'),
  onDemand('cline', 'retries', 'CLINE_LOG_PATH=/dev/stderr', 'Told as warnings.'),
  onDemand('cline', 'provider', 'CLINE_LOG_PATH=/dev/stderr', 'The CLI falls back to another provider.'),
  never(
    'any',
    'kill',
    'The log just ends; that the closing event is missing tells it once Kubernetes or the end of the log says that the pod has ended.',
  ),
];

const CLI_WORDS: readonly (readonly [RegExp, VisibleCli])[] = [
  [/claude/i, 'claude-code'],
  [/codex/i, 'codex'],
  [/opencode/i, 'opencode'],
  [/gemini/i, 'gemini'],
  [/cline/i, 'cline'],
];

/** The CLI that a declaration or a reader names (`claude`, `Codex`, `opencode`); null for one that the table does not know. */
export const toVisibleCli = (name: string | null): VisibleCli | null =>
  name === null ? null : (CLI_WORDS.find(([word]) => word.test(name))?.[1] ?? null);
