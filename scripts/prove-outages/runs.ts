import type { DemoPlay } from '#lib/local/demo/play.ts';
import { killedPlay } from '#lib/local/demo/plays/killed.ts';
import { correctedPlay, misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { copyPlay, type Place, placeOf } from './copy-play.ts';
import type { Effect, Kill } from './effects.ts';
import { OUTAGES, type Outage } from './proxy.ts';

export const PEERS = ['loki', 'github', 'kubernetes'] as const;
export type Peer = (typeof PEERS)[number];

/** Which requests of a run meet its outage. */
const REACHES = ['all requests', 'requests after the finding', 'writes'] as const;
export type Reach = (typeof REACHES)[number];

/** Numbers of what a run must leave behind. */
export interface Leaves {
  readonly issues: number;
  /** Issues that Healer closed. */
  readonly closed: number;
  readonly incidents: number;
  readonly occurrences: number;
  readonly comments: number;
  /** Branches but the default one. */
  readonly branches: number;
  /** Commits of Healer on them. */
  readonly commits: number;
  readonly pulls: number;
}

/** A play of a run, and where it is played. */
export interface PlacedPlay {
  readonly place: Place;
  readonly play: DemoPlay;
}

/** One failing play, and what goes wrong on its way to the issue. */
export interface Run extends PlacedPlay {
  readonly name: string;
  /** Absent where only the issue counts. */
  readonly leaves?: Leaves;
  readonly outage?: { readonly peer: Peer; readonly mode: Outage; readonly reach: Reach };
  readonly kill?: Kill;
  /** What is played after the first play was told. */
  readonly sequel?: Sequel;
}

/** The same failure in a second play, and a third one that passes after a person merged the fix. */
export interface Sequel {
  readonly again: PlacedPlay;
  readonly healed: PlacedPlay;
}

/** A failure that a rule can mend: its issue and the draft pull request. */
const MENDABLE: Leaves = {
  issues: 1,
  closed: 0,
  incidents: 1,
  occurrences: 1,
  comments: 0,
  branches: 1,
  commits: 1,
  pulls: 1,
};
const POD_LEAVES: Leaves = { ...MENDABLE, branches: 0, commits: 0, pulls: 0 };
/** Two plays showed it; the comment tells why the issue is closed. */
const STORY_LEAVES: Leaves = { ...MENDABLE, closed: 1, occurrences: 2, comments: 1 };

type Fault = Pick<Run, 'outage' | 'kill'>;

const placed = (play: DemoPlay, place: Place): PlacedPlay => ({ place, play: copyPlay(play, place) });

/** A failure in the log. */
const logRun = (id: string, name: string, fault: Fault = {}): Run => ({
  name,
  ...placed(misspeltToolPlay, placeOf(id)),
  leaves: MENDABLE,
  ...fault,
});

/** What only the cluster tells. */
const podRun = (id: string, name: string, fault: Fault = {}): Run => ({
  name,
  ...placed(killedPlay, placeOf(id)),
  leaves: POD_LEAVES,
  ...fault,
});

function storyRun(id: string, name: string, fault: Fault = {}): Run {
  const run = logRun(id, name, fault);
  const later = (playId: string): Place => ({ ...run.place, playId });
  const sequel = {
    again: placed(misspeltToolPlay, later(`again-${id}`)),
    healed: placed(correctedPlay, later(`healed-${id}`)),
  };
  return { ...run, leaves: STORY_LEAVES, sequel };
}

/** Plays with nothing in their way: what they do is what the others must come to. */
export const cleanRuns = (): readonly Run[] => [
  logRun('clean-log', 'nothing, a failure in the log'),
  podRun('clean-pod', 'nothing, a failure in the cluster'),
];

export const cleanStory = (): readonly Run[] => [
  storyRun('clean-story', 'nothing, from the failure to the closed issue'),
];

const REACH_OF: Readonly<Record<Peer, readonly Reach[]>> = {
  loki: ['all requests', 'requests after the finding'],
  github: ['all requests', 'writes'],
  kubernetes: ['all requests', 'requests after the finding'],
};

export const outageRuns = (peer: Peer): readonly Run[] =>
  REACH_OF[peer].flatMap((reach, i) =>
    OUTAGES.map((mode) => {
      const name = `${peer} ${mode} for ten minutes${i === 0 ? '' : `, ${reach}`}`;
      const run = peer === 'kubernetes' ? podRun : logRun;
      return run(`${peer}-${mode}-${i}`, name, { outage: { peer, mode, reach } });
    }),
  );

/** A worker that dies before and after each effect. */
export const killRuns = (effects: readonly Effect[], isStory: boolean): readonly Run[] =>
  effects.flatMap((effect) =>
    (['before', 'after'] as const).map((when) => {
      const { function: name, label, nth } = effect;
      const id = `${name}-${label}-${nth}-${when}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      const run = isStory ? storyRun : logRun;
      return run(id, `${name} dies ${when} ${label}, ${nth}`, { kill: { ...effect, when } });
    }),
  );
