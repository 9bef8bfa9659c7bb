import type { AgentConfig, SessionDeclaration } from '../../session/session.ts';
import type { ServerState } from '../detection.ts';
import type { Fact } from '../event.ts';
import type { Hit } from '../hits.ts';
import type { BuiltPattern } from '../patterns/pattern.ts';
import type { Message, PlacedFact, Timeline } from '../timeline.ts';
import { configOf } from './declaration.ts';
import { belongsTo, offersOf, offersRemote } from './tool-names.ts';

const RULE = { category: 'preflight' as const, severity: 'high' as const, literals: [''], expression: '.' };

/** A10 by comparison: no line of the log needs to say it. */
const TOOLS_CHECK: BuiltPattern = {
  ...RULE,
  id: 'check.declared-tools',
  code: 'A10',
  family: 'tools',
  summary: 'declared tool {tool} is not offered by the CLI',
};

/** A12 by comparison, or by the start event's own list where nothing is declared. */
const SERVERS_CHECK: BuiltPattern = {
  ...RULE,
  id: 'check.declared-servers',
  code: 'A12',
  family: 'mcp',
  settle: { seconds: 60, by: ['server'] },
  summary: 'MCP server {server} is not connected',
};

type Start = Extract<Fact, { kind: 'start' }>;

const BROKEN: ReadonlySet<ServerState> = new Set(['failed', 'needs-auth', 'cancelled']);

/** The hit of a check, which no line of words made. */
export function toHit(pattern: BuiltPattern, message: Message, identity: Readonly<Record<string, string>>): Hit {
  return {
    message,
    event: null,
    pattern,
    identity,
    pod: message.owner.pod,
    isRetry: false,
    subject: null,
    isFirm: true,
  };
}

const stateOf = (servers: NonNullable<Start['servers']>, name: string): ServerState | undefined => {
  const key = Object.keys(servers).find((listed) => listed.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : servers[key];
};

/** Declared local servers that the start event lists as broken, or does not list. */
function brokenServers(start: Start, config: AgentConfig): string[] {
  const servers = start.servers;
  if (servers === null) return [];
  return Object.entries(config.tools.localServers)
    .filter(([, server]) => server.enabled)
    .map(([name]) => name)
    .filter((name) => BROKEN.has(stateOf(servers, name) ?? 'failed'));
}

/** An undeclared server is behind the remote tools when it is broken and none of them is there. */
function brokenGateways(start: Start, config: AgentConfig, missing: readonly string[]): string[] {
  if (start.servers === null || missing.length === 0 || missing.length < config.tools.remote.length) return [];
  const local = new Set(Object.keys(config.tools.localServers).map((name) => name.toLowerCase()));
  return Object.entries(start.servers)
    .filter(([name, state]) => BROKEN.has(state) && !local.has(name.toLowerCase()))
    .map(([name]) => name);
}

const hasPending = (start: Start): boolean => Object.values(start.servers ?? {}).includes('pending');

/** Declared tools that a start event does not offer, apart from those of servers that are told themselves. */
function missingTools(
  start: Start,
  config: AgentConfig,
  told: ReadonlySet<string>,
): { remote: string[]; local: string[] } {
  const offered = new Set(start.tools);
  const names = start.servers === null ? null : Object.keys(start.servers);
  const remote = hasPending(start) ? [] : config.tools.remote.filter((tool) => !offersRemote(offered, names, tool));
  const local = Object.entries(config.tools.localServers)
    .filter(([name, server]) => server.enabled && !told.has(name) && stateOf(start.servers ?? {}, name) !== 'pending')
    .flatMap(([name, server]) => server.tools.filter((tool) => !offersOf(offered, name, tool)));
  return { remote, local };
}

function checkStart(start: Start, message: Message, config: AgentConfig): Hit[] {
  const servers = brokenServers(start, config);
  const missing = start.tools === null ? { remote: [], local: [] } : missingTools(start, config, new Set(servers));
  const gateways = brokenGateways(start, config, missing.remote);
  const tools = [...(gateways.length > 0 ? [] : missing.remote), ...missing.local];
  const hits = [...servers, ...gateways].map((server) => toHit(SERVERS_CHECK, message, { server }));
  return tools.length === 0
    ? hits
    : [...hits, toHit(TOOLS_CHECK, message, { tool: tools.toSorted().slice(0, 3).join(' ') })];
}

/** A server that says how many tools it has, but fewer than are declared for it. */
function checkCount(fact: Extract<Fact, { kind: 'server' }>, message: Message, config: AgentConfig): Hit[] {
  if (fact.toolCount === null || fact.state !== 'connected') return [];
  const local = config.tools.localServers[fact.name];
  const declared = local === undefined ? [] : local.enabled ? local.tools : [];
  if (fact.toolCount >= declared.length) return [];
  return [toHit(TOOLS_CHECK, message, { server: fact.name, tool: declared.toSorted().slice(0, 3).join(' ') })];
}

/** When all servers have been listed, a declared one that has not spoken is missing. */
function checkDiscovered(placed: PlacedFact, facts: readonly PlacedFact[], config: AgentConfig): Hit[] {
  const seen = facts
    .filter(({ message }) => message.order < placed.message.order)
    .flatMap(({ fact }) => (fact.kind === 'server' ? [fact.name.toLowerCase()] : []));
  if (seen.length === 0) return [];
  return Object.entries(config.tools.localServers)
    .filter(([name, server]) => server.enabled && !seen.includes(name.toLowerCase()))
    .map(([name]) => toHit(SERVERS_CHECK, placed.message, { server: name }));
}

/** Without a declaration, a server that the start event itself lists as failed. */
function checkUndeclared(start: Start, message: Message): Hit[] {
  return Object.entries(start.servers ?? {})
    .filter(([, state]) => state === 'failed')
    .map(([server]) => toHit(SERVERS_CHECK, message, { server }));
}

function checkFact(placed: PlacedFact, facts: readonly PlacedFact[], config: AgentConfig | null): Hit[] {
  const { fact, message } = placed;
  if (config === null) return fact.kind === 'start' ? checkUndeclared(fact, message) : [];
  if (fact.kind === 'start') return checkStart(fact, message, config);
  if (fact.kind === 'server') return checkCount(fact, message, config);
  return fact.kind === 'discovered' ? checkDiscovered(placed, facts, config) : [];
}

/**
 * Compares what is declared for each agent with what its own start events and start-up lines offer
 * (corpus/README.md, rule 10).
 */
export function checkDeclared(timeline: Timeline, session: SessionDeclaration | null): Hit[] {
  return [...timeline.factsByPod.values()].flatMap((facts) =>
    facts.flatMap((placed) => checkFact(placed, facts, configOf(session, placed.message.owner.agent))),
  );
}

/** True when a later fact shows that a server works: it connects, or one of its tools answers. */
export function showsServer(fact: Fact, server: string): boolean {
  if (fact.kind === 'server') return fact.state === 'connected' && fact.name.toLowerCase() === server.toLowerCase();
  if (fact.kind === 'start') return stateOf(fact.servers ?? {}, server) === 'connected';
  return fact.kind === 'call' && fact.ok && belongsTo(fact.tool, server);
}
