import type { Attribution } from '../detection/attribution.ts';
import type { AgentFacts } from '../detection/detection.ts';
import type { Nanos } from '../time.ts';
import type { ScanEntry } from './scan-entry.ts';

/** What was read of one pod, and what its agent's own event stream told. */
export interface ScannedPod {
  readonly pod: string;
  readonly playId: string;
  readonly agent: string | null;
  /** Reader that understood the stream; null when only plain text was seen. */
  cli: string | null;
  lines: number;
  /** Null when no line tells a moment. */
  firstNs: Nanos | null;
  lastNs: Nanos | null;
  /** Number of tools that a start event listed; null when none did. */
  tools: number | null;
  servers: AgentFacts['servers'];
  result: AgentFacts['result'];
}

/** Beyond so many pods only their number is kept. */
const MOST_PODS = 1000;

/** The pods of a scan. */
export class ScannedPods {
  readonly #pods = new Map<string, ScannedPod>();
  #others = new Set<string>();

  get list(): readonly ScannedPod[] {
    return [...this.#pods.values()];
  }

  /** Pods that are not listed one by one; exact up to as many again. */
  get unlisted(): number {
    return this.#others.size;
  }

  see({ ns, isTimed }: ScanEntry, { pod, playId, agent }: Attribution): void {
    const known = this.#pods.get(pod) ?? this.#add({ pod, playId, agent });
    if (known === undefined) return;
    known.lines += 1;
    if (!isTimed) return;
    if (known.firstNs === null || ns < known.firstNs) known.firstNs = ns;
    if (known.lastNs === null || ns > known.lastNs) known.lastNs = ns;
  }

  learn(facts: readonly AgentFacts[]): void {
    for (const { pod, cli, tools, servers, result } of facts) {
      const known = this.#pods.get(pod);
      if (known === undefined) continue;
      known.cli = cli ?? known.cli;
      known.tools = tools?.length ?? known.tools;
      known.servers = servers ?? known.servers;
      known.result = result ?? known.result;
    }
  }

  #add(owner: Pick<ScannedPod, 'pod' | 'playId' | 'agent'>): ScannedPod | undefined {
    if (this.#pods.size >= MOST_PODS) {
      if (this.#others.size < MOST_PODS) this.#others.add(owner.pod);
      return undefined;
    }
    const fresh = {
      ...owner,
      cli: null,
      lines: 0,
      firstNs: null,
      lastNs: null,
      tools: null,
      servers: null,
      result: null,
    };
    this.#pods.set(owner.pod, fresh);
    return fresh;
  }
}
