import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { backOff, LEASE_MS, MAX_ATTEMPTS, RESEND_AFTER_MS } from '#lib/domain/incident/schedule.ts';
import type { Millis } from '#lib/domain/time.ts';
import { FLOW, type QueueName } from '#lib/flow.ts';
import type { Clock, Ids, IncidentChange, IncidentStore, Queues } from './ports.ts';

/** Healer's own table and queues: their faults say nothing about the incident, so the message itself comes again. */
const OWN_SYSTEMS = new Set(['dynamodb', 'sqs']);

export const isOwnFault = (error: unknown): boolean => error instanceof SourceError && OWN_SYSTEMS.has(error.source);

/**
 * How one message ended. `skipped`: nothing is owed to this stage, or another worker holds the incident. `reason` may quote
 * the other side; `advice` is Healer's own sentence for an operator.
 */
export type Outcome =
  /** `event`: what happened; null when nothing had to be done. */
  | { readonly kind: 'done'; readonly incident: string; readonly event: string | null }
  | {
      readonly kind: 'postponed';
      readonly incident: string;
      readonly until: number;
      readonly reason: string;
      readonly advice: string;
      /** The other side, or the pace that Healer keeps, asked for the pause: nothing failed. */
      readonly isAsked: boolean;
    }
  | { readonly kind: 'escalated'; readonly incident: string; readonly reason: string; readonly advice?: string }
  /** Nothing to do yet: the stage looks again later. */
  | { readonly kind: 'resting'; readonly incident: string; readonly until: Millis }
  | { readonly kind: 'skipped'; readonly incident: string };

export interface WorkerPorts {
  readonly incidents: IncidentStore;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What a stage's work leaves behind. A change with `next` also sends the message. */
export type StageChange = Omit<IncidentChange, 'due' | 'attempt' | 'notBefore' | 'rests'> & {
  /** The stage itself looks again at this moment, or earlier when somebody asks; then there is no `next`. */
  readonly lookAgainAt?: Millis;
};

/** Nothing happened: the stage looks again later. */
export interface StageRest {
  readonly restUntil: Millis;
}

export type StageResult = StageChange | StageRest;
export type StageWork = (incident: Incident) => Promise<StageResult>;

/**
 * One stage's turn on an incident: claims it by lease, works, stores the change, asks the next stage. A fault of an outside
 * system postpones the work (`due` moves, the attempt counts) and a refused guard or a permanent refusal escalates it; in
 * both cases the message is done. Any other error is a fault of Healer: it is thrown, and the message comes again.
 */
export async function workOnIncident(
  ports: WorkerPorts,
  stage: QueueName,
  id: string,
  work: StageWork,
): Promise<Outcome> {
  const now = ports.clock.now();
  const incident = await ports.incidents.claim({ id, stage, owner: ports.ids.uuid(), now, until: now + LEASE_MS });
  if (incident === undefined) return { kind: 'skipped', incident: id };
  try {
    return await finish(ports, stage, incident, await work(incident));
  } catch (error) {
    return settleFault(ports, stage, incident, error);
  }
}

async function finish(ports: WorkerPorts, stage: QueueName, incident: Incident, result: StageResult): Promise<Outcome> {
  if ('restUntil' in result) {
    await ports.incidents.rest(incident, result.restUntil);
    return { kind: 'resting', incident: incident.id, until: result.restUntil };
  }
  const now = ports.clock.now();
  const { lookAgainAt, ...change } = result;
  const next = change.next ?? null;
  const owed = lookAgainAt === undefined ? { next, due: next === null ? null : now + RESEND_AFTER_MS } : undefined;
  const rest = lookAgainAt === undefined ? {} : { next: stage, due: lookAgainAt, rests: true };
  const changed = await ports.incidents.change(
    incident,
    { ...change, ...owed, ...rest, attempt: 0, notBefore: null },
    stage,
    now,
  );
  if (!changed) return { kind: 'skipped', incident: incident.id };
  if (next !== null && mayAsk(stage, next)) await ports.queues.send(next, { incident: incident.id });
  return { kind: 'done', incident: incident.id, event: change.event };
}

/** A stage sends only along the flow; work for another stage is sent by the sweep once it is overdue. */
const mayAsk = (stage: QueueName, next: QueueName): boolean =>
  FLOW.some(({ consumes, produces }) => consumes === stage && produces.includes(next));

async function settleFault(ports: WorkerPorts, stage: QueueName, incident: Incident, error: unknown): Promise<Outcome> {
  if (error instanceof GuardError) return escalate(ports, stage, incident, `nothing was published: ${error.message}`);
  if (!(error instanceof SourceError) || isOwnFault(error)) throw error;
  const { advice } = error;
  const reason = `${error.message} ${advice}`.trim();
  if (!error.retryable || incident.attempt + 1 >= MAX_ATTEMPTS) {
    return { ...(await escalate(ports, stage, incident, reason)), advice };
  }
  const outcome = await postpone(ports, stage, incident, reason, backOff(incident.attempt, error.retryAfterMs));
  return { ...outcome, advice, isAsked: error.retryAfterMs !== undefined };
}

async function postpone(ports: WorkerPorts, stage: QueueName, incident: Incident, reason: string, pauseMs: number) {
  const now = ports.clock.now();
  const until = now + pauseMs;
  const change = { due: until, notBefore: until, attempt: incident.attempt + 1, event: `postponed: ${reason}` };
  await ports.incidents.change(incident, change, stage, now);
  return { kind: 'postponed', incident: incident.id, until, reason } as const;
}

async function escalate(ports: WorkerPorts, stage: QueueName, incident: Incident, reason: string) {
  const change = {
    state: 'escalated',
    next: null,
    due: null,
    notBefore: null,
    event: `handed to a person: ${reason}`,
  } as const;
  await ports.incidents.change(incident, change, stage, ports.clock.now());
  return { kind: 'escalated', incident: incident.id, reason } as const;
}
