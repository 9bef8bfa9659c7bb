import type { LogEntry } from '#lib/domain/detection/finding.ts';
import { HealerError, SourceError } from '#lib/domain/errors.ts';
import type { OtherPiece } from '#lib/domain/evidence/build-pack.ts';
import { choosePulls, type ForgePull, mentionedPulls, type PlayTraces } from '#lib/domain/evidence/forge.ts';
import { type ToldPull, toForgePieces } from '#lib/domain/evidence/forge-pieces.ts';
import type { Occurrence } from '#lib/domain/incident/incident.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { toMillis } from '#lib/domain/time.ts';
import type { Clock, Forge } from './ports.ts';

/** What GitHub adds to the evidence. */
export interface ForgeEvidence {
  readonly pieces: readonly OtherPiece[];
  /** What could not be read, each a sentence. */
  readonly gaps: readonly string[];
}

/** Pull requests are looked through from this long before the play's start. */
const BEFORE_MS = 24 * 3_600_000;
/** Time that GitHub may take of a gathering, which has 120 s for everything. */
const BUDGET_MS = 25_000;
/** Pull requests that logs name and the list does not hold. */
const MAX_MENTIONED = 2;

const NOTHING: ForgeEvidence = { pieces: [], gaps: [] };

/**
 * Pull requests of the play with comments, reviews, check runs and statuses. Whatever GitHub does, evidence goes on: what
 * could not be read is a gap.
 * @param entries the play's log around the failure: its links name pull requests
 */
export async function gatherForge(
  ports: { readonly forge?: Forge | null; readonly clock: Clock },
  session: Session | undefined,
  latest: Occurrence,
  entries: readonly LogEntry[],
): Promise<ForgeEvidence> {
  const { forge, clock } = ports;
  if (forge == null) return NOTHING;
  const traces = toTraces(session, latest, entries, clock.now());
  const told: ToldPull[] = [];
  const gaps: string[] = [];
  const stopAt = clock.now() + BUDGET_MS;
  try {
    const since = traces.startedAt - BEFORE_MS;
    const list = await forge.pulls(latest.repository, since);
    gaps.push(...list.gaps);
    const named = await readMentioned(forge, latest.repository, list.items, traces);
    for (const pull of choosePulls([...list.items, ...named], traces)) {
      told.push({ pull, notes: [] });
      if (clock.now() > stopAt) {
        gaps.push('GitHub answered so slowly that not all of the pull requests were read.');
        break;
      }
      const activity = await forge.activity(latest.repository, pull, since);
      told[told.length - 1] = { pull, notes: activity.items };
      gaps.push(...activity.gaps);
    }
  } catch (error) {
    gaps.push(toGap(error));
  }
  return { pieces: toForgePieces(told, toMillis(latest.finding.firstNs)), gaps };
}

/** @throws what is no fault of an outside system or a guard: that is Healer's own */
function toGap(error: unknown): string {
  if (!(error instanceof HealerError)) throw error;
  const advice = error instanceof SourceError ? ` ${error.advice}` : '';
  return `GitHub could not be read: ${error.message}.${advice}`;
}

async function readMentioned(forge: Forge, target: string, listed: readonly ForgePull[], traces: PlayTraces) {
  const missing = traces.mentioned.filter((number) => !listed.some((pull) => pull.number === number));
  const found = [];
  for (const number of missing.slice(0, MAX_MENTIONED)) found.push(await forge.pull(target, number));
  return found.filter((pull) => pull !== undefined);
}

function toTraces(
  session: Session | undefined,
  { playId, repository, finding }: Occurrence,
  entries: readonly LogEntry[],
  now: number,
): PlayTraces {
  const agents = Object.entries(session?.agents ?? {});
  return {
    playId,
    logins: agents.flatMap(([, { githubApp }]) => (githubApp === null ? [] : [githubApp.toLowerCase()])),
    agents: agents.map(([name]) => name.toLowerCase()),
    taskIds: (session?.tasks ?? []).map(({ id }) => id),
    mentioned: mentionedPulls(
      entries.map(({ line }) => line),
      repository,
    ),
    startedAt: session === undefined ? toMillis(finding.firstNs) : Date.parse(session.startedAt),
    until: now,
  };
}
