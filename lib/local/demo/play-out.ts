import { toNanos } from '#lib/domain/time.ts';
import type { LocalStack } from '../stack.ts';
import { demoApi } from './api.ts';
import { brokenArrow, reasonOf } from './arrows.ts';
import { holdsAll, listIssues } from './issues.ts';
import { arrow, createNarrator, type Seen } from './narrator.ts';
import type { Peers } from './peers.ts';
import type { DemoLine, DemoPlay } from './play.ts';

/** How far the clock moves between two looks while nothing of the play is due. */
const STEP_MS = 15_000;
/** Virtual time after the last line within which all must be told, messages that were lost once included. */
const PATIENCE_MS = 30 * 60_000;
/** A play of which nothing may be told is watched this long after its end: what is held would be told by then. */
const QUIET_MS = 6 * 60_000;

/**
 * Plays one recorded play: announces it, pushes each line at its true time while the clock moves, ends it, and waits
 * until its last arrow has been seen.
 * @throws Error naming the broken arrow and the reason
 */
export async function playOut(
  stack: LocalStack,
  peers: Peers,
  play: DemoPlay,
  print: (line: string) => void,
  told = new Set<string>(),
): Promise<Seen> {
  const api = demoApi(stack);
  const start = stack.clock.now();
  const playId = play.announcement.play_id;
  const { message } = await api.start(play.announcement);
  print(arrow(start, 'MCP ─▶ session API', `${playId}: ${message}`));
  const narrator = createNarrator(api, playId, print, told);
  const stepTo = async (at: number): Promise<Seen> => {
    while (stack.clock.now() < at) {
      await stack.advanceTo(Math.min(at, stack.clock.now() + STEP_MS));
      failWhenBlind(play, await narrator.look(stack.clock.now()));
    }
    return narrator.look(stack.clock.now());
  };
  for (const { at, happen } of happenings(play, peers)) {
    await stepTo(start + at * 1000);
    happen(start, stack.clock.now());
  }
  await stepTo(start + play.end.at * 1000);
  await api.end(playId, play.end.status);
  return waitForAll(stack, peers, play, stepTo);
}

interface Happening {
  readonly at: number;
  readonly happen: (start: number, now: number) => void;
}

/** Lines and changes of the cluster, in order of time. */
function happenings(play: DemoPlay, peers: Peers): readonly Happening[] {
  const lines = play.lines.map((line) => ({ at: line.at, happen: (_: number, now: number) => push(peers, line, now) }));
  const changes = (play.cluster ?? []).map(({ at, objects }) => ({
    at,
    happen: (start: number) => peers.kubernetes.put(...objects(start)),
  }));
  return [...lines, ...changes].toSorted((a, b) => a.at - b.at);
}

function push(peers: Peers, { pod, line }: DemoLine, now: number): void {
  const stream = { namespace: 'cto', pod, container: 'agent' };
  const { refusals } = peers.loki.push([{ stream, values: [[String(toNanos(now)), line]] }]);
  if (refusals.length > 0) throw new Error(`Loki refused a line of the demo: ${refusals.join('; ')}`);
}

type StepTo = (at: number) => Promise<Seen>;

async function waitForAll(stack: LocalStack, peers: Peers, play: DemoPlay, stepTo: StepTo): Promise<Seen> {
  const end = stack.clock.now();
  if (play.expected === null) await stepTo(end + QUIET_MS);
  for (;;) {
    const seen = await stepTo(stack.clock.now() + STEP_MS);
    const broken = brokenArrow(play, seen) ?? (await untoldOf(peers, play));
    if (broken === undefined) return seen;
    if (stack.clock.now() - end > PATIENCE_MS) throw new Error(`broken arrow: ${broken}; ${reasonOf(seen)}`);
  }
}

/** What no issue says yet: an issue that stands is brought up to date at most every five minutes. */
async function untoldOf(peers: Peers, play: DemoPlay): Promise<string | undefined> {
  const { expected } = play;
  if (expected === null) return undefined;
  const issues = await listIssues(peers, [play]);
  const isTold = issues.some((issue) => holdsAll(issue, expected.words));
  return isTold ? undefined : `publish ─▶ GitHub, no issue says ${expected.words.join(', ')}`;
}

function failWhenBlind(play: DemoPlay, seen: Seen): void {
  if (seen.session.healer.coverage.state !== 'blind') return;
  throw new Error(`broken arrow: ${brokenArrow(play, seen) ?? 'Loki ─▶ detect'}; ${reasonOf(seen)}`);
}
