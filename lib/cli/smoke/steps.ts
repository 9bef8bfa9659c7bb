import type { HealerClient } from '#lib/client/index.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { openSwitches } from '../pause/switches.ts';
import { saySpan } from '../spans.ts';
import { findStreams, type StreamSight } from './find-streams.ts';
import { findSweep } from './find-sweep.ts';
import type { SmokePlan } from './plan.ts';
import { until } from './until.ts';

/** What the steps hand on to each other. */
export interface SmokeRun {
  readonly plan: SmokePlan;
  readonly url: string;
  readonly client: HealerClient;
  readonly startedAt: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** One thing that must work; the next one needs it. */
export interface SmokeStep {
  readonly name: string;
  /** What to do when it does not. */
  readonly advice: (plan: SmokePlan) => string;
  /** Returns what was seen. @throws Error saying what was wrong */
  run(run: SmokeRun): Promise<string | Sight>;
}

/** What was seen, and what it does not prove. */
export interface Sight {
  readonly seen: string;
  readonly advice: string;
}

/** The first look comes ten seconds after a start, the next ones within 80 s; then the sweep asks once a minute. */
const READ_WITHIN_MS = 150_000;
/** The sweep runs each minute, and its log is some seconds behind. */
const SWEPT_WITHIN_MS = 150_000;
const HEALTH_MS = 10_000;

/** No line was read: whether there could have been any decides what that proves. */
function toSilentSight(plan: SmokePlan, seen: string, streams: StreamSight): string | Sight {
  const { namespace } = plan;
  if (streams.isMatched === undefined) {
    const advice = `Whether ${namespace} holds a stream that could have been read is not known: ${streams.reason.replace(/\.$/, '')}.`;
    return { seen, advice };
  }
  if (streams.isMatched) return seen;
  const advice = `This proves that Loki answers and the sweep runs, not that logs are read: name a namespace with pods by --namespace. ${doctor(plan)}`;
  return { seen: `${seen}; the selector matches no stream of ${namespace} (last 24 hours)`, advice };
}

const doctor = ({ stage }: SmokePlan): string => `npx healer doctor ${stage.words} looks at all of it.`;

/** @throws ConfigError when nobody answers at the address */
async function askHealth(url: string): Promise<Response> {
  try {
    return await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS), redirect: 'manual' });
  } catch (error) {
    const { cause, name } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
    throw new ConfigError(`nobody answers at ${url} (${reason}): compare it with HEALER_URL or --url`, {
      cause: error,
    });
  }
}

/** From the announcement of a play to its end, as a caller does it and Healer sees it. */
export const STEPS: readonly SmokeStep[] = [
  {
    name: 'switched on',
    advice: ({ stage }) => `npx healer resume ${stage.words} starts it again.`,
    async run({ plan }) {
      const off = (await openSwitches(plan.stage)).filter(({ isOn }) => !isOn).map(({ name }) => name);
      if (off.length > 0) throw new ConfigError(`the stage is paused: ${off.join(', ')}`);
      return 'the schedule and all queues';
    },
  },
  {
    name: 'reachable',
    advice: (plan) => `The log of session-read says why it does not answer. ${doctor(plan)}`,
    async run({ url }) {
      const response = await askHealth(url);
      if (response.status !== 200) throw new Error(`${url}/health answered ${response.status}`);
      const { version } = (await response.json()) as { version?: unknown };
      return `${url}, version ${String(version)}`;
    },
  },
  {
    name: 'started',
    advice: ({ repository }) =>
      `The token must be one of this stage, and ${repository} one of its repositories; the log of session-write says more.`,
    async run({ client, plan }) {
      const { playId, repository, namespace } = plan;
      await client.start({ play_id: playId, repository, namespace, tasks: [] });
      return `${playId} of ${repository} in the namespace ${namespace}`;
    },
  },
  {
    name: 'seen',
    advice: doctor,
    async run({ client, plan }) {
      const { session } = await client.get(plan.playId);
      if (session.status !== 'active') throw new Error(`the session is ${session.status}, not active`);
      const { sessions } = await client.listActive({ repository: plan.repository });
      if (!sessions.some(({ play_id: id }) => id === plan.playId))
        throw new Error('it is not among the active sessions');
      return `active, one of ${sessions.length} of its repository`;
    },
  },
  {
    name: 'read',
    advice: (plan) => `docs/operate.md, "Blind sessions", has the reasons in order of likelihood. ${doctor(plan)}`,
    async run({ client, plan, startedAt, signal }) {
      const { proven, lines } = await until(READ_WITHIN_MS, signal, async () => {
        const { healer } = await client.get(plan.playId);
        const { state, proven_until: proven, reason, advice, read } = healer.coverage;
        const isRead = proven !== null && Date.parse(proven) >= startedAt;
        if (!isRead) throw new Error([`the logs are ${state}`, reason, advice].filter(Boolean).join(': '));
        return { proven, lines: read?.lines ?? 0 };
      });
      const seen = `logs of ${plan.namespace} proven until ${proven}, ${lines} lines`;
      return lines > 0 ? seen : toSilentSight(plan, seen, await findStreams(plan.stage, plan.namespace));
    },
  },
  {
    name: 'swept',
    advice: () => 'docs/operate.md#sweep-silent says what to look at.',
    run: ({ plan, startedAt, signal }) =>
      until(SWEPT_WITHIN_MS, signal, async () => {
        const sweep = await findSweep(plan.stage, startedAt);
        if (sweep === undefined) throw new Error('the log of the sweep has no pass since the start');
        return `the schedule ran the sweep ${saySpan(sweep.at - startedAt)} after the start${sweep.told}`;
      }),
  },
  {
    name: 'ended',
    advice: () => 'The log of session-write says why it could not be ended; it ends by itself after hours.',
    async run({ client, plan }) {
      await client.end(plan.playId, 'completed');
      const { session } = await client.get(plan.playId);
      if (session.status !== 'completed') throw new Error(`the session is ${session.status}, not completed`);
      return 'completed';
    },
  },
];
