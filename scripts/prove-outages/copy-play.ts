import type { DemoPlay } from '#lib/local/demo/play.ts';

/** Where a copy of a play lives: nothing of it is shared with another copy, its incident included. */
export interface Place {
  readonly playId: string;
  readonly namespace: string;
  readonly repository: string;
}

export const placeOf = (name: string): Place => ({
  playId: `play-${name}`,
  namespace: `ns-${name}`,
  repository: `acme/${name}`,
});

/** A recorded play under its own id, in its own namespace, for its own repository. */
export function copyPlay(play: DemoPlay, place: Place): DemoPlay {
  const { play_id: id, repository } = play.announcement;
  const rename = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(id, place.playId).replaceAll(repository, place.repository)) as T;
  const move = <T>(value: T): T => {
    const moved = JSON.stringify(rename(value)).replaceAll('"namespace":"cto"', `"namespace":"${place.namespace}"`);
    return JSON.parse(moved) as T;
  };
  return {
    ...play,
    announcement: move(play.announcement),
    lines: rename(play.lines),
    cluster: (play.cluster ?? []).map(({ at, objects }) => ({ at, objects: (start: number) => move(objects(start)) })),
  };
}
