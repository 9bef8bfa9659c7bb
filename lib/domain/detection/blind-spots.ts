import { STREAM_JSON, toVisibleCli, VISIBILITY, type VisibleFact } from './visibility.ts';

/** What is known of one agent by the time one asks. */
export interface SeenAgent {
  readonly agent: string | null;
  /** As declared, or as its stream showed; null when neither. */
  readonly cli: string | null;
  /** Its event stream was read, so the CLI runs in its machine-readable mode. */
  readonly hasStream: boolean;
  /** A start event listed its tools, or its servers: then the CLI has shown them. */
  readonly hasTools: boolean;
  readonly hasServers: boolean;
}

/** The facts that a blind spot matters for: the codes of pre-flight, which a run may end well without. */
const PROMISED = [
  ['tools', 'A10'],
  ['servers', 'A12'],
] as const satisfies readonly (readonly [VisibleFact, string])[];

/**
 * What cannot be seen of these agents, each a sentence such as "A12 cannot be seen for codex without RUST_LOG=warn (rex)."
 * Empty means that everything promised is visible, never that everything is fine.
 */
export function toBlindSpots(agents: readonly SeenAgent[]): readonly string[] {
  const spots = new Map<string, { readonly codes: Set<string>; readonly names: Set<string> }>();
  for (const agent of agents) {
    for (const [fact, code] of PROMISED) {
      if (fact === 'tools' ? agent.hasTools : agent.hasServers) continue;
      const reason = reasonOf(agent, fact);
      if (reason === null) continue;
      const spot = spots.get(reason) ?? { codes: new Set(), names: new Set() };
      spot.codes.add(code);
      if (agent.agent !== null) spot.names.add(agent.agent);
      spots.set(reason, spot);
    }
  }
  return [...spots].map(([reason, { codes, names }]) => {
    const who = names.size === 0 ? '' : ` (${[...names].join(', ')})`;
    return `${[...codes].join(' and ')} ${reason}${who}.`;
  });
}

/** Why a fact is not seen of an agent, as the end of a sentence; null when it is seen by default. */
function reasonOf({ cli, hasStream }: SeenAgent, fact: VisibleFact): string | null {
  if (cli === null) return 'may stay unseen: no event stream of a known CLI was read';
  const known = toVisibleCli(cli);
  if (known === null) return `may stay unseen for ${cli}, whose start event lists neither tools nor servers`;
  const row = VISIBILITY.find((one) => one.cli === known && one.fact === fact);
  if (row === undefined || row.seen === 'by default') return null;
  if (row.setting === null) return `cannot be seen for ${known} before a missing tool is called`;
  if (hasStream && row.setting === STREAM_JSON) return `cannot be seen for ${known}: its start event was not read`;
  return `cannot be seen for ${known} without ${row.setting}`;
}
