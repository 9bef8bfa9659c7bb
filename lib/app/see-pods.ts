import type { Attribution } from '#lib/domain/detection/attribution.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { type Nanos, toNanos, toWindow } from '#lib/domain/time.ts';
import { START_MARGIN_NS } from '#lib/domain/window/plan.ts';
import type { DetectOptions, DetectPorts } from './detect-ports.ts';
import { inParts } from './in-parts.ts';
import type { PlayRead } from './play-read.ts';
import type { Cursor, SeenPod } from './ports.ts';

/** What one look has read for one play, and its pods. */
export interface SeenPods {
  readonly play: PlayRead;
  /** As they were stored before. */
  readonly known: readonly SeenPod[];
  /** As this look shows them; their verdicts are still those that were stored. */
  readonly pods: readonly SeenPod[];
}

/** Plays whose pods are asked for at the same time: waiting for Loki is most of a look. */
const PLAYS_AT_ONCE = 10;

/** What each play's pods have told, and when those began that are new; in the order of the plays. */
export const seePods = (
  ports: DetectPorts,
  options: DetectOptions,
  plays: readonly PlayRead[],
): Promise<readonly SeenPods[]> =>
  inParts(plays, PLAYS_AT_ONCE, async (play) => {
    const known = await recallPods(ports, play.cursor, play.session, play.speakers);
    return { play, known, pods: await updatePods(ports, options, play, known) };
  });

/**
 * The pods as they are stored. What is remembered does where nothing can have been added to it: each pod that speaks is
 * known, and each has its verdict.
 */
async function recallPods(
  { windows, memory }: Pick<DetectPorts, 'windows' | 'memory'>,
  { source, namespace }: Cursor,
  session: Session,
  speakers: ReadonlyMap<string, Attribution>,
): Promise<readonly SeenPod[]> {
  const remembered = memory?.pods(session);
  const names = new Set(remembered?.map(({ pod }) => pod));
  const isWhole = [...speakers.keys()].every((pod) => names.has(pod));
  if (remembered !== undefined && isWhole && remembered.every(({ preflight }) => preflight !== 'pending')) {
    return remembered;
  }
  return windows.pods(source, namespace, session.playId);
}

async function updatePods(
  ports: DetectPorts,
  options: DetectOptions,
  play: PlayRead,
  known: readonly SeenPod[],
): Promise<readonly SeenPod[]> {
  const { session, counts, read, own, owners } = play;
  const before = new Map(known.map((pod) => [pod.pod, pod]));
  const speaking = [...play.speakers].map(async ([pod, owner]): Promise<SeenPod> => {
    const entries = own.filter((entry) => owners.get(entry)?.pod === pod);
    const { firstNs, preflight = 'pending', rule = owner.rule }: Partial<SeenPod> = before.get(pod) ?? {};
    return {
      pod,
      playId: session.playId,
      agent: owner.agent,
      firstNs: firstNs ?? (await findStart(ports, options, play, pod)),
      lastNs: entries.at(-1)?.ns ?? read.proven.until - 1n,
      preflight,
      rule,
      lines: counts.get(pod) ?? entries.length,
    };
  });
  const seen = await Promise.all(speaking);
  return [...new Map([...known, ...seen].map((pod) => [pod.pod, pod])).values()];
}

/** The pod's first line, whatever it says: the line filter would make a late word of trouble look like a start. */
async function findStart(ports: DetectPorts, options: DetectOptions, play: PlayRead, pod: string): Promise<Nanos> {
  const { session, cursor, read } = play;
  const since = toNanos(Date.parse(session.startedAt)) - START_MARGIN_NS;
  if (since >= read.proven.until) return read.proven.since;
  const first = await ports.logs.first(options.selector(cursor.namespace, pod), toWindow(since, read.proven.until));
  return first?.ns ?? read.proven.since;
}
