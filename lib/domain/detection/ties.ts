import { createHash } from 'node:crypto';
import type { Ties } from './finding.ts';
import { agentInName, workloadsOf } from './workload.ts';

/** What is known of a failure when its ties are read. */
export interface Tied {
  /** Ids of the patterns that found it. */
  readonly patterns: readonly string[];
  readonly pod: string;
  readonly agent: string | null;
  readonly identity: Readonly<Record<string, string>>;
  /** Texts of its lines, as the program meant them. */
  readonly texts: readonly string[];
  /** Tools or commands whose result it is. */
  readonly commands: readonly string[];
  /** Names of all agents of the play, lower case. */
  readonly agents: readonly string[];
}

const MAX_TIES = 16;
const SEARCHED = 4_000;

/** Names may hold what a log said, so only their hashes are kept: ties are compared, never shown. */
const tie = (kind: string, name: string): string =>
  `${kind}:${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 12)}`;

/** Workloads that others lean on, by the words of their names. */
const SERVES: readonly (readonly [string, RegExp])[] = [
  ['dns', /\bdns\b|coredns|kube-dns/],
  ['tools', /\btools?\b|\bmcp\b/],
  ['storage', /\bnfs\b|storage|\bceph|\bminio\b|\bcsi\b|\befs\b/],
  ['model', /\b(?:llm|litellm|vllm|ollama|model|inference|bedrock|openai|anthropic)\b/],
  ['docker', /\bdind\b|\bdocker\b|buildkit/],
  ['database', /postgres|mysql|mariadb|redis|mongo|\bdatabase\b|\bdb\b/],
];

/** What a failure lacks, by the words of its lines. */
const LACKS: readonly (readonly [string, RegExp])[] = [
  ['dns', /EAI_AGAIN|ENOTFOUND|resolve host|failed to resolve|name resolution|dns error|no such host|NameResolution/i],
  ['storage', /ESTALE|stale (?:nfs )?file handle|transport endpoint is not connected/i],
  ['disk', /ephemeral-storage|no space left on device|ENOSPC|DiskPressure/i],
  ['memory', /low on resource: memory|MemoryPressure/i],
  ['schema', /dirty database|schema (?:version|mismatch)|relation "[^"]{1,80}" does not exist|pending migrations?/i],
  ['docker', /docker daemon/i],
];

/** What a failure takes away from others, by the words of its lines. */
const BREAKS: readonly (readonly [string, RegExp])[] = [
  ['disk', /Node\S{0,20}DiskPressure/i],
  ['memory', /Node\S{0,20}MemoryPressure/i],
  ['schema', /migration (?:\S+ )?failed|error: migration/i],
];

const NO_WORK = /no pull requests? (?:found|of|for)|nothing to review|no (?:branch|commits?) (?:found|of|from)\b/i;
const NO_TASK = /task (?:context|details?|description)\b.{0,60}(?:empty|missing)|no tasks? (?:found|to)/i;
const DELIVERS = /pull.?request|\bpr\b|branch|push|commit|github|\bgit\b/i;
const PLANS = /intake|plan|decompos|parse|split|morgan/i;

/** Kubernetes objects that the text names. */
const OBJECT = /\b(?:configmap|secret|persistentvolumeclaim|pvc)s?[\s\\"'`:]{1,4}([a-z0-9][a-z0-9.-]{2,252})/gi;
/** Runs that a controller names: two dashes or more. */
const RUN = /(?<![\w.-])[a-z0-9]+(?:-[a-z0-9]+){2,8}(?![\w.-])/g;
/** Hosts of addresses. */
const HOST =
  /https?:\/\/(?:[^\s/@"']{1,200}@)?([a-z0-9.-]{1,253})|\b(?:dial tcp|lookup|getaddrinfo \w+)\s+([a-z0-9.-]{3,253})/gi;
/** A server behind the prefix that a CLI puts before its tools. */
const TOOL_SERVER = /^mcp__(.+?)__|^([\w-]+?)___/;

const all = (texts: readonly string[], expression: RegExp): readonly string[] =>
  texts.flatMap((text) => [...text.matchAll(expression)].map((match) => match[1] ?? match[2] ?? match[0]));

const unique = (ties: readonly string[]): readonly string[] => [...new Set(ties)].slice(0, MAX_TIES);

/** `tools-server` serves `tools`. */
const withoutRole = (name: string): readonly string[] => [name, name.replace(/-(?:server|svc|service|mcp)$/, '')];

const serves = (name: string): readonly string[] => SERVES.filter(([, word]) => word.test(name)).map(([role]) => role);

/** What ties the failure to those of other pods: what its end takes away from them, and what it itself leans on. */
export function toTies(tied: Tied): Ties {
  const texts = tied.texts.map((text) => text.slice(0, SEARCHED));
  return { provides: unique(provided({ ...tied, texts })), needs: unique(needed({ ...tied, texts })) };
}

function provided({ patterns, pod, agent, identity, texts }: Tied): readonly string[] {
  const own = workloadsOf(pod);
  const names = own.flatMap(withoutRole);
  const text = texts.join('\n');
  const isDelivery = patterns.some((id) => id.startsWith('git.')) || DELIVERS.test(identity['tool'] ?? '');
  return [
    ...BREAKS.filter(([, words]) => words.test(text)).map(([role]) => tie('role', role)),
    tie('agent', agent ?? agentInName(pod)),
    ...all(texts, OBJECT).map((name) => tie('object', name)),
    ...names.map((name) => tie('service', name)),
    ...own.flatMap(serves).map((role) => tie('role', role)),
    ...(isDelivery ? [tie('work', 'delivery')] : []),
    ...(PLANS.test(agent ?? own[0] ?? '') ? [tie('work', 'tasks')] : []),
    ...all(texts, RUN)
      .filter((name) => !own.includes(name))
      .map((name) => tie('run', name)),
  ];
}

function needed({ patterns, pod, agent, identity, texts, commands, agents }: Tied): readonly string[] {
  const text = texts.join('\n');
  const lacking = LACKS.filter(([, words]) => words.test(text)).map(([role]) => tie('role', role));
  const own = agent ?? agentInName(pod);
  const mentioned = agents.filter((name) => name !== own && name.length > 2 && mentions(text, name));
  return [
    ...workloadsOf(pod).map((name) => tie('run', name)),
    ...mentioned.map((name) => tie('agent', name)),
    ...all(texts, OBJECT).map((name) => tie('object', name)),
    ...all(texts, HOST).flatMap((host) => withoutRole(host.split('.')[0] ?? host).map((name) => tie('service', name))),
    ...servers(identity, commands)
      .flatMap(withoutRole)
      .map((name) => tie('service', name)),
    ...lacking,
    ...(patterns.some((id) => id.startsWith('api.')) ? [tie('role', 'model')] : []),
    ...(patterns.includes('mcp.tools-server') ? [tie('role', 'tools')] : []),
    ...(NO_WORK.test(text) ? [tie('work', 'delivery')] : []),
    ...(NO_TASK.test(text) ? [tie('work', 'tasks')] : []),
  ];
}

const servers = (identity: Readonly<Record<string, string>>, commands: readonly string[]): readonly string[] => [
  ...['server', 'key'].flatMap((key) => identity[key] ?? []),
  ...commands.flatMap((command) => {
    const [, long, short] = TOOL_SERVER.exec(command) ?? [];
    return long ?? short ?? [];
  }),
];

function mentions(text: string, name: string): boolean {
  const at = text.toLowerCase().indexOf(name);
  if (at < 0) return false;
  const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
  return !/[\w-]/.test(around);
}
