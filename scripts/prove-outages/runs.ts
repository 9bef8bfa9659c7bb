import type { DemoPlay } from '#lib/local/demo/play.ts';
import { killedPlay } from '#lib/local/demo/plays/killed.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { copyPlay, type Place, placeOf } from './copy-play.ts';
import type { Effect, Kill } from './effects.ts';
import { OUTAGES, type Outage } from './proxy.ts';

export const PEERS = ['loki', 'github', 'kubernetes'] as const;
export type Peer = (typeof PEERS)[number];

/** One failing play, and what goes wrong on its way to the issue. */
export interface Run {
  readonly name: string;
  readonly place: Place;
  readonly play: DemoPlay;
  readonly outage?: { readonly peer: Peer; readonly mode: Outage };
  readonly kill?: Kill;
}

/** What only the cluster tells is played while the cluster is out; the other plays speak in their logs. */
const playFor = (peer: Peer): DemoPlay => (peer === 'kubernetes' ? killedPlay : misspeltToolPlay);

const aRun = (id: string, name: string, play: DemoPlay, fault: Pick<Run, 'outage' | 'kill'> = {}): Run => {
  const place = placeOf(id);
  return { name, place, play: copyPlay(play, place), ...fault };
};

/** The same plays with nothing in their way: what they do is what the others must come to. */
export const cleanRuns = (): readonly Run[] => [
  aRun('clean-log', 'nothing, a failure in the log', misspeltToolPlay),
  aRun('clean-pod', 'nothing, a failure in the cluster', killedPlay),
];

export const outageRuns = (peer: Peer): readonly Run[] =>
  OUTAGES.map((mode) =>
    aRun(`${peer}-${mode}`, `${peer} ${mode} for ten minutes`, playFor(peer), { outage: { peer, mode } }),
  );

/** A worker that dies before and after each effect. */
export const killRuns = (effects: readonly Effect[]): readonly Run[] =>
  effects.flatMap((effect) =>
    (['before', 'after'] as const).map((when) =>
      aRun(
        `kill-${effect.function}-${effect.ordinal}-${when}`,
        `${effect.function} dies ${when} effect ${effect.ordinal}: ${effect.label}`,
        misspeltToolPlay,
        {
          kill: { function: effect.function, ordinal: effect.ordinal, when },
        },
      ),
    ),
  );
