import { lookGapMs, looksAfterNewcomer } from '../window/plan.ts';
import type { FunctionFacts, TemplateFacts } from './facts.ts';
import type { Load } from './load.ts';
import { GITHUB_CALLS, LATENCY_MS, LOOK, LOOK_SESSION, PODS_PER_SESSION } from './usage.ts';

/** A year's twelfth, in hours. */
export const HOURS_PER_MONTH = 730;
const SECONDS_PER_HOUR = 3600;
/** Memory with which a function has one whole processor (AWS: Lambda, configuring memory). */
const MB_PER_PROCESSOR = 1769;
/** Rounds after which looks and the pods that they find have settled. */
const ROUNDS = 30;

/** How often things happen, by hour; looks by namespace. */
export interface Rates {
  readonly sessionsPerNamespace: number;
  /** Starts of the whole deployment, and as many ends. */
  readonly starts: number;
  readonly sweeps: number;
  /** Messages that ask for a look, in one namespace. */
  readonly asked: number;
  /** Looks that read; the other messages end at once. */
  readonly looks: number;
  readonly lookMs: number;
  readonly sweepMs: number;
}

/**
 * Runs that find the worker's memory out of date, by hour: what is kept for some minutes is read again by each worker that
 * is at work, and never more often than it runs.
 */
export const staleRuns = (runs: number, workers: number, keptMinutes: number): number =>
  Math.min(runs, (workers * 60) / keptMinutes);

/** Time of a processor in a function of that memory, which has its share of one. */
export const busyMs = (cpuMs: number, { memoryMb }: FunctionFacts): number =>
  cpuMs * Math.max(1, MB_PER_PROCESSOR / memoryMb);

export const factsOf = ({ functions }: TemplateFacts, name: string): FunctionFacts => {
  const found = functions[name];
  if (found === undefined) throw new RangeError(`the template has no function ${name}`);
  return found;
};

/** Rates that the load, the code's own constants and the template lead to. */
export function toRates(load: Load, facts: TemplateFacts): Rates {
  const sessionsPerNamespace = load.sessions / load.namespaces;
  const starts = (load.sessions * 60) / load.sessionMinutes;
  const sweeps = SECONDS_PER_HOUR / facts.sweepEveryS;
  const newcomers = (starts / load.namespaces) * (1 + PODS_PER_SESSION);
  const lookMs = toLookMs(sessionsPerNamespace, Math.min(1, newcomers / sweeps), facts);
  const { asked, looks } = settleLooks({
    startsPerHour: starts / load.namespaces,
    newcomers,
    sweeps,
    blockedMs: Math.max(lookGapMs(sessionsPerNamespace), lookMs),
    looksPerNewcomer: looksAfterNewcomer(sessionsPerNamespace).length,
  });
  return { sessionsPerNamespace, starts, sweeps, asked, looks, lookMs, sweepMs: toSweepMs(load, facts) };
}

/**
 * Looks that read and messages that ask for them. A look keeps others away for as long as it takes, or for the gap if that
 * is longer; a look that sees a new play or pod asks for more, once a minute at most.
 */
interface Asking {
  readonly startsPerHour: number;
  /** Plays and pods that are new, by hour. */
  readonly newcomers: number;
  readonly sweeps: number;
  readonly blockedMs: number;
  readonly looksPerNewcomer: number;
}

function settleLooks({ startsPerHour, newcomers, sweeps, blockedMs, looksPerNewcomer }: Asking) {
  const blocked = blockedMs / 1000 / SECONDS_PER_HOUR;
  // A start asks for one look, and so does an end.
  const planned = sweeps + 2 * startsPerHour;
  let asked = planned;
  let looks = asked / (1 + asked * blocked);
  for (let round = 0; round < ROUNDS; round += 1) {
    const withNewcomer = looks * (1 - Math.exp(-newcomers / looks));
    asked = planned + Math.min(SECONDS_PER_HOUR / 60, withNewcomer) * looksPerNewcomer;
    looks = asked / (1 + asked * blocked);
  }
  return { asked, looks };
}

/** @param newcomerShare looks that see a new play or pod, and ask Loki a second time */
function toLookMs(sessions: number, newcomerShare: number, facts: TemplateFacts): number {
  const waiting = LOOK.requests * LATENCY_MS.aws + (1 + newcomerShare) * LATENCY_MS.loki;
  return waiting + busyMs(LOOK.cpuMs + LOOK_SESSION.cpuMs * sessions, factsOf(facts, 'detect'));
}

/** Lists in pages of 500, and one request for ten namespaces. */
function toSweepMs({ sessions, namespaces }: Load, facts: TemplateFacts): number {
  const calls = 5 + Math.ceil(sessions / 500) + namespaces / 10;
  return calls * LATENCY_MS.aws + busyMs(10 + 0.05 * sessions, factsOf(facts, 'sweep'));
}

/** What a run of a stage behind detection takes: its calls, one after the other, and one of the model where it asks. */
export function runMs(name: string, { asksModel }: { readonly asksModel: boolean }): number {
  const calls = (GITHUB_CALLS as Readonly<Record<string, number>>)[name] ?? 0;
  return 150 + 12 * LATENCY_MS.aws + calls * LATENCY_MS.github + (asksModel ? LATENCY_MS.model : 0);
}
