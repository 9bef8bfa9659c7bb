import {
  type AttributableSession,
  type Attribution,
  attributeEntry,
  podOf,
  toAgent,
} from '../detection/attribution.ts';
import { workloadsOf } from '../detection/workload.ts';
import type { AgentConfig, SessionDeclaration } from '../session/session.ts';
import type { ScanEntry } from './scan-entry.ts';

const PLAY = /^play-[a-z0-9.]+(?=-|$)/;

/** Play and agent by a pod's name alone: `play-<id>-<agent>-<suffix>`; another pod is a play of its own. */
export function namePod(pod: string): { readonly playId: string; readonly agent: string | null } {
  const playId = PLAY.exec(pod)?.[0];
  if (playId === undefined) return { playId: pod, agent: null };
  const owner = workloadsOf(pod).find((name) => name.startsWith(`${playId}-`));
  const agent = owner?.slice(playId.length + 1) ?? '';
  return { playId, agent: agent === '' || /^\d+$/.test(agent) ? null : agent };
}

/**
 * Whose line an entry is: by the product's attribution with the declared session, else by the pod's name. Undefined for
 * pods of Healer itself and of log collectors. What nobody names belongs to the one declared play.
 */
export function scanAttribution(session: SessionDeclaration | null): (entry: ScanEntry) => Attribution | undefined {
  const cache = new WeakMap<ScanEntry['labels'], Attribution | 'none'>();
  const attribute = (entry: ScanEntry): Attribution | undefined => {
    const pod = podOf(entry) ?? 'unknown';
    if (entry.isNameless === true || pod === 'unknown') return toNameless(pod, entry, session);
    const claimed = session === null ? undefined : attributeEntry(entry, [session]);
    return claimed ?? attributeEntry(entry, [toPlay(pod)]);
  };
  return (entry) => {
    const known = entry.metadata === undefined ? cache.get(entry.labels) : undefined;
    if (known !== undefined) return known === 'none' ? undefined : known;
    const found = attribute(entry);
    cache.set(entry.labels, found ?? 'none');
    return found;
  };
}

/** What the name of an undeclared pod tells, as attribution reads it. */
function toPlay(pod: string): AttributableSession {
  const { playId, agent } = namePod(pod);
  return { playId, service: null, agents: agent === null ? {} : { [agent]: UNDECLARED }, tasks: [] };
}

const UNDECLARED: AgentConfig = { githubApp: null, cli: null, model: null, tools: { remote: [], localServers: {} } };

function toNameless(pod: string, entry: ScanEntry, session: SessionDeclaration | null): Attribution {
  const base = { pod, container: entry.labels['container'] ?? null, rule: 'pod-name' } as const;
  if (session === null) return { ...base, ...namePod(pod) };
  const names = Object.keys(session.agents);
  const only = names.length === 1 ? (names[0]?.toLowerCase() ?? null) : null;
  return { ...base, playId: session.playId, agent: toAgent(entry, pod, session.agents) ?? only };
}
