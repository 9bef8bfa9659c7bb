import type { TemplateFacts } from './facts.ts';
import type { Limit, LimitedStage } from './limit.ts';
import type { Load } from './load.ts';
import { toLimits } from './quota-limits.ts';
import { toRates } from './rates.ts';

/** A limit, how much of it the load takes, and with how many sessions all of it. */
export interface Quota {
  readonly limit: Limit;
  /** In the limit's unit, with the load as it is. */
  readonly demand: number;
  /** 0 to 1 and beyond. */
  readonly share: number;
  /** Sessions of the deployment, or of one namespace where the limit is one of a namespace. Null: never in reach. */
  readonly metAt: number | null;
}

/** Beyond this nobody plans. */
const MOST_SESSIONS = 10_000_000;

/** All limits, the one that is met first before the others. */
export function toQuotas(load: Load, facts: TemplateFacts, stage: LimitedStage): readonly Quota[] {
  return toLimits(facts, stage)
    .map((limit) => toQuota(limit, load, facts))
    .toSorted((a, b) => (grownBy(a, load) ?? Infinity) - (grownBy(b, load) ?? Infinity));
}

/** By how much the load may grow until the limit is met. */
function grownBy({ limit, metAt }: Quota, load: Load): number | undefined {
  if (metAt === null) return undefined;
  return metAt / (limit.grows === 'fleet' ? load.sessions : load.sessions / load.namespaces);
}

function toQuota(limit: Limit, load: Load, facts: TemplateFacts): Quota {
  const demandOf = (grown: Load) => limit.demand(grown, toRates(grown, facts));
  const demand = demandOf(load);
  const sessions = limit.grows === 'fleet' ? load.sessions : load.sessions / load.namespaces;
  const isMet = (count: number) => demandOf(grow(load, count / sessions, limit.grows)) >= limit.value;
  return { limit, demand, share: demand / limit.value, metAt: firstOf(isMet) };
}

/** The same load for more or fewer sessions: incidents grow with them, and namespaces unless these are to be filled. */
const grow = (load: Load, factor: number, grows: Limit['grows']): Load => ({
  ...load,
  sessions: load.sessions * factor,
  namespaces: grows === 'fleet' ? load.namespaces * factor : load.namespaces,
  incidentsPerDay: load.incidentsPerDay * factor,
});

/** The smallest whole number for which it holds, when it holds for all above it. */
function firstOf(isMet: (count: number) => boolean): number | null {
  if (!isMet(MOST_SESSIONS)) return null;
  let [low, high] = [0, MOST_SESSIONS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isMet(middle)) high = middle;
    else low = middle;
  }
  return high;
}
