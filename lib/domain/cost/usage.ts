import { NANOS_PER_SECOND } from '../time.ts';
import { DRAIN_MS, LEAD_IN_NS, OVERLAP_NS, SIGN_OF_LIFE_NS } from '../window/plan.ts';

/**
 * What Healer's events ask of AWS. `measured`: counted by `node scripts/run.mjs scripts/measure-usage.ts` on the real stores,
 * or by the local stack's record of one incident's life; figures and commands are in docs/benchmarks.md. `assumed`: cannot
 * be measured without AWS. DynamoDB counts in request units, indexes included.
 */

/**
 * Measured. A look that reads a namespace, apart from its sessions: the lease taken and given back with its index, and the
 * coverage. Loki is asked for lines and counts at the same time, and then for the first lines of pods that are new.
 */
export const LOOK = { writes: 5, requests: 7, cpuMs: 25 } as const;

/**
 * Measured. The same, for each session of the namespace. `cursorKb` is written once and read once. The index is read from the
 * oldest known start on: active sessions (0.035 units each), and assumed fewer than as many that have ended since.
 */
export const LOOK_SESSION = { cursorKb: 0.024, reads: 0.06, cpuMs: 0.2 } as const;

/** Measured. A look that ends before it reads: the cursor alone is asked. */
export const SKIPPED = { reads: 1, requests: 1, cpuMs: 3 } as const;

/** Measured. Record and three indexes. */
export const SESSION_START = { writes: 4, requests: 1, cpuMs: 6 } as const;
export const SESSION_END = { writes: 5, requests: 1, cpuMs: 5 } as const;

/** Measured for the session and its cursor; counted for the coverage: a quarter of a KB for each look of two hours. */
export const SESSION_READ = { reads: 7, requests: 5, cpuMs: 6 } as const;

/** Measured. The list of active sessions, in pages of 500, those of them that started first, and the two lists of what is due. */
export const SWEEP = { reads: 2, requests: 6, cpuMs: 10, firstSessions: 200 } as const;
export const SWEEP_SESSION = { reads: 0.04, cpuMs: 0.05 } as const;

/**
 * Measured, with a start event a quarter of a minute after the first line and looks a minute apart. A new pod is a write,
 * and a second one where its verdict comes with a later look; it is asked for until it has its verdict.
 */
export const POD = { writes: 1.3, reads: 0.65 } as const;

/** A pod that goes on speaking is written this often: of the last such span half is left, on average, when it ends. */
export const SIGN_OF_LIFE_MINUTES = Number(SIGN_OF_LIFE_NS / NANOS_PER_SECOND) / 60;

/**
 * Measured. A session and its pods are read once by each worker of `detect`, and again by each that looks at it after its end;
 * then its pods' last lines are stored.
 */
export const SESSION_RECORD = { readsByWorker: 1.5, readsAfterEnd: 1.05, writesAfterEnd: 0.5 } as const;

/**
 * Measured on the local stack, for one incident from its finding on, over three days in which it is followed: functions' runs,
 * writes and reads in units; those of indexes are worked out from what they project (scripts/measure-incident.ts).
 */
export const INCIDENT = {
  writes: 430,
  reads: 1_040,
  /** Messages of the four queues behind detection; most ask how issue and pull request stand. */
  messages: 45,
  runs: { gather: 2, evaluate: 2, publish: 39, remediate: 2, 'github-token': 25, webhook: 6 },
  /** While it is verified: each look that sees an agent begin asks for all such heads. */
  openDays: 3,
} as const;

/** Assumed: milliseconds of a call that is waited for. */
export const LATENCY_MS = { aws: 5, loki: 250, github: 300, model: 20_000 } as const;

/** Assumed: calls of GitHub by run, one after the other. */
export const GITHUB_CALLS = { gather: 8, publish: 4, remediate: 12, 'github-token': 2 } as const;

/**
 * Bytes of log that an invocation leaves at level info, with 26 for each entry. Measured on the local stack: the function's own
 * lines, by event. Assumed, after their shapes: the platform's three, and the line of the API's access log.
 */
export const LOG_BYTES = {
  platform: 370,
  access: 260,
  own: { start: 440, end: 420, look: 410, sweep: 700, incident: 340 },
} as const;

/** Assumed, after the shapes of the items: bytes of one window's coverage, of a session with its pods, of an incident. */
export const STORED_BYTES = { coverage: 250, session: 3_500, incident: 40_000 } as const;

/** Assumed: of five pods of a play one is at work, and each is replaced once. */
export const PODS_PER_SESSION = 5;
export const PODS_AT_WORK = 1.2;

/** Assumed: the share of lines that passes the line filter, one in a hundred. Measured: a line's mean length in bytes. */
export const MATCHED_SHARE = 0.01;
export const LINE_BYTES = 360;
/** Measured on synthetic lines, so rather too low: what gzip leaves of Loki's answers. */
export const GZIP_SHARE = 0.15;

/** The authorizer's answer is kept for 300 s (infra/authorizers.yml), for each token. */
export const AUTHORIZED_PER_HOUR = 12;

/** AWS: five pollers of a queue mapping wait for 20 s each, whether there is work or not. */
export const IDLE_RECEIVES_PER_MINUTE = 15;

/** Minutes for which a worker keeps a secret (lib/adapters/secrets). */
export const SECRET_KEPT_MINUTES = 5;

/** Secrets that a run of the function needs; a function that is not named needs none. */
export const SECRETS = {
  detect: 2,
  gather: 2,
  evaluate: 1,
  publish: 1,
  remediate: 1,
  'github-token': 1,
  webhook: 1,
} as const;

/** Looks at a session that has ended, once a minute. */
export const LOOKS_AFTER_END = DRAIN_MS / 60_000;

/** Minutes for which a worker keeps the list of incidents that are verified (lib/app/play-memory.ts). */
export const VERIFYING_KEPT_MINUTES = 2;

/** Assumed: tokens of a model's call. A pack of 64 KB gzip is cut to what a prompt takes (lib/domain/evaluation/prompt). */
export const MODEL_TOKENS = {
  evaluation: { input: 12_000, output: 1_500 },
  remediation: { input: 60_000, output: 6_000 },
} as const;

/** Assumed: of the incidents that have no rule, a patch by the model is asked for. */
export const REMEDIATED_BY_MODEL = 0.5;

/** Minutes of log that each look reads again: overlap and lead-in (lib/domain/window/plan.ts). */
export const READ_AGAIN_MINUTES = Number((OVERLAP_NS + LEAD_IN_NS) / NANOS_PER_SECOND) / 60;
