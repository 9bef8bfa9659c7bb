import type { TemplateFacts } from './facts.ts';
import type { Load } from './load.ts';
import { busyMs, factsOf, HOURS_PER_MONTH, type Rates, runMs, staleRuns } from './rates.ts';
import * as usage from './usage.ts';

/** What one kind of event asks in a month. */
export interface Work {
  readonly event: string;
  readonly function: string;
  /** Times a month. */
  readonly times: number;
  /** Milliseconds of one time. */
  readonly ms: number;
  /** DynamoDB units of one time. */
  readonly writes: number;
  readonly reads: number;
  /** Bytes of log of one time, those of the platform apart. */
  readonly logBytes: number;
}

/** Which models the deployment has; they make their functions wait. */
export interface Models {
  readonly evaluation: boolean;
  readonly remediation: boolean;
}

/** A message that asks for a look and comes before the gap is over. */
export const TOO_SOON = 'look that comes too soon';

const { LOG_BYTES } = usage;
const AWS_MS = usage.LATENCY_MS.aws;

/** Workers of `detect` at the same time: a namespace is read by one of them at a time. */
export const readersOf = ({ namespaces }: Load, facts: TemplateFacts): number =>
  Math.min(namespaces, factsOf(facts, 'detect').maxConcurrency ?? 1);

/** All work of a month, event by event. */
export function toWork(load: Load, rates: Rates, facts: TemplateFacts, models: Models): readonly Work[] {
  return [...sessionWork(load, rates, facts), ...readingWork(load, rates, facts), ...incidentWork(load, models)];
}

function sessionWork(load: Load, { starts }: Rates, facts: TemplateFacts): readonly Work[] {
  const times = starts * HOURS_PER_MONTH;
  const ms = ({ requests, cpuMs }: { requests: number; cpuMs: number }, name: string) =>
    (requests + 1) * AWS_MS + busyMs(cpuMs, factsOf(facts, name));
  const { SESSION_START, SESSION_END, SESSION_READ, POD, PODS_PER_SESSION } = usage;
  const { readsByWorker, readsAfterEnd, writesAfterEnd } = usage.SESSION_RECORD;
  return [
    {
      event: 'session starts',
      function: 'session-write',
      times,
      ms: ms(SESSION_START, 'session-write'),
      // With what its pods and its record ask once, whenever that is.
      writes: SESSION_START.writes + POD.writes * PODS_PER_SESSION,
      reads: POD.reads * PODS_PER_SESSION + readsByWorker * readersOf(load, facts),
      logBytes: LOG_BYTES.access + LOG_BYTES.own.start,
    },
    {
      event: 'session ends',
      function: 'session-write',
      times,
      ms: ms(SESSION_END, 'session-write'),
      // With what `detect` stores and reads of it then.
      writes: SESSION_END.writes + writesAfterEnd,
      reads: readsAfterEnd * Math.min(readersOf(load, facts), usage.LOOKS_AFTER_END),
      logBytes: LOG_BYTES.access + LOG_BYTES.own.end,
    },
    {
      event: 'session is looked at',
      function: 'session-read',
      times: times * load.readsPerSession,
      ms: ms(SESSION_READ, 'session-read'),
      writes: 0,
      reads: SESSION_READ.reads,
      logBytes: LOG_BYTES.access,
    },
    {
      event: 'caller is authorized',
      function: 'authorize',
      times: usage.AUTHORIZED_PER_HOUR * HOURS_PER_MONTH,
      ms: AWS_MS + busyMs(3, factsOf(facts, 'authorize')),
      writes: 1 / usage.AUTHORIZED_PER_HOUR,
      reads: 1,
      logBytes: 0,
    },
  ];
}

function readingWork(load: Load, rates: Rates, facts: TemplateFacts): readonly Work[] {
  const { LOOK, LOOK_SESSION, SKIPPED, SWEEP, SWEEP_SESSION } = usage;
  const sessions = rates.sessionsPerNamespace;
  const cursorKb = 0.15 + LOOK_SESSION.cursorKb * sessions;
  const signs = (signsOfLife(load) * (rates.starts / load.namespaces)) / rates.looks;
  const hours = load.namespaces * HOURS_PER_MONTH;
  const skippedMs = AWS_MS + busyMs(SKIPPED.cpuMs, factsOf(facts, 'detect'));
  const cursorReads = Math.ceil(cursorKb / 4);
  return [
    {
      event: 'look',
      function: 'detect',
      times: rates.looks * hours,
      ms: rates.lookMs,
      writes: LOOK.writes + Math.ceil(cursorKb) + signs,
      reads: cursorReads + LOOK_SESSION.reads * sessions + verifyingReads(load, rates, facts),
      logBytes: LOG_BYTES.own.look,
    },
    {
      event: TOO_SOON,
      function: 'detect',
      times: (rates.asked - rates.looks) * hours,
      ms: skippedMs,
      writes: 0,
      reads: cursorReads,
      logBytes: 0,
    },
    {
      event: 'sweep',
      function: 'sweep',
      times: rates.sweeps * HOURS_PER_MONTH,
      ms: rates.sweepMs,
      writes: 0,
      reads:
        SWEEP.reads +
        SWEEP_SESSION.reads * (load.sessions + Math.min(SWEEP.firstSessions, load.sessions)) +
        cursorReads * load.namespaces,
      logBytes: LOG_BYTES.own.sweep,
    },
  ];
}

/** Writes of pods that go on speaking, in one session. */
function signsOfLife({ sessionMinutes }: Load): number {
  const { PODS_AT_WORK, PODS_PER_SESSION, SIGN_OF_LIFE_MINUTES } = usage;
  const minutes = (sessionMinutes * PODS_AT_WORK) / PODS_PER_SESSION;
  return PODS_PER_SESSION * Math.max(0, minutes / SIGN_OF_LIFE_MINUTES - 1 / 2);
}

/**
 * The list of incidents that are verified, by look: an entry is half a KB, at most 200 are read, and an eventually consistent
 * unit is 8 KB; and the fix of each, once for each worker.
 */
function verifyingReads(load: Load, rates: Rates, facts: TemplateFacts): number {
  const looks = rates.looks * load.namespaces;
  const workers = readersOf(load, facts);
  const lists = staleRuns(looks, workers, usage.VERIFYING_KEPT_MINUTES);
  const open = Math.min(200, load.incidentsPerDay * usage.INCIDENT.openDays);
  const fixes = (load.incidentsPerDay / 24) * workers;
  return (lists * (open / 16) + fixes) / looks;
}

function incidentWork({ incidentsPerDay }: Load, models: Models): readonly Work[] {
  const { writes, reads, runs } = usage.INCIDENT;
  const times = (incidentsPerDay * HOURS_PER_MONTH) / 24;
  const asks: Readonly<Record<string, boolean>> = { evaluate: models.evaluation, remediate: models.remediation };
  const all = Object.values(runs).reduce((sum, count) => sum + count, 0);
  return Object.entries(runs).map(([name, count]) => ({
    event: `incident: ${name}`,
    function: name,
    times: times * count,
    ms: runMs(name, { asksModel: asks[name] ?? false }),
    writes: writes / all,
    reads: reads / all,
    logBytes: LOG_BYTES.own.incident,
  }));
}
