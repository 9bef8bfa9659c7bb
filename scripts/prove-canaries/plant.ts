import type { DemoPlay } from '#lib/local/demo/play.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { eventObject, podObject } from '#lib/local/kubernetes/objects.ts';
import { CANARIES, type Canary, FORMS } from '#test/domain/redaction/canaries.ts';
import { LOOK_ALIKES } from '#test/domain/redaction/look-alikes.ts';
import { copyPlay, type Place, placeOf } from '../prove-outages/copy-play.ts';
import type { Run } from '../prove-outages/runs.ts';

/** A failing play with secrets, or with what only looks like some, wherever a play has words. */
export interface PlantedRun extends Run {
  readonly canaries: readonly Canary[];
  readonly lookAlikes: readonly string[];
  /** What its pull request says. */
  readonly spoken: readonly string[];
}

/** So many kinds a play that all of its lines stand around the failure. */
const KINDS_A_PLAY = 7;
const LOOK_ALIKES_A_PLAY = 14;
/** Second at which the failure is told. */
const FAILURE_AT = 6;

/** Each kind in each of its forms in a log, and as it is in the cluster, on GitHub and in the configuration. */
export const canaryRuns = (): readonly PlantedRun[] =>
  chunks(CANARIES, KINDS_A_PLAY).map((canaries, index) => {
    const texts = canaries.map(({ text }) => text);
    const lines = canaries.flatMap((canary) => Object.values(FORMS).flatMap((form) => form(canary).text.split('\n')));
    return { ...planted(placeOf(`canary-${index}`), lines, texts), canaries, lookAlikes: [], spoken: texts };
  });

export const lookAlikeRuns = (): readonly PlantedRun[] =>
  chunks(LOOK_ALIKES, LOOK_ALIKES_A_PLAY).map((lookAlikes, index) => {
    const place = placeOf(`plain-${index}`);
    return { ...planted(place, lookAlikes, []), canaries: [], lookAlikes, spoken: [] };
  });

function planted(place: Place, lines: readonly string[], texts: readonly string[]): Run {
  const play = copyPlay(misspeltToolPlay, place);
  const pod = play.lines[0]?.pod ?? '';
  const more = lines.map((line, i) => ({ at: FAILURE_AT + 1 + Math.floor(i / 10), pod, line }));
  const cluster = [{ at: 7, objects: (start: number) => clusterOf(place, pod, texts, start) }];
  const announcement = { ...play.announcement, ...configurationOf(play, texts) };
  const full: DemoPlay = {
    ...play,
    announcement,
    lines: [...play.lines, ...more].toSorted((a, b) => a.at - b.at),
    cluster: texts.length === 0 ? [] : cluster,
  };
  return { name: place.playId, place, play: full };
}

function clusterOf(place: Place, name: string, texts: readonly string[], start: number) {
  const { namespace } = place;
  const at = start + 7000;
  const events = texts.map((message, i) =>
    eventObject({
      name: `${name}.${i}`,
      namespace,
      reason: 'BackOff',
      message,
      object: { kind: 'Pod', name },
      at,
    }),
  );
  const message = texts.join(' ');
  const pod = podObject({
    namespace,
    name,
    createdAt: start,
    startedAt: start,
    message,
    containers: [{ startedAt: start }],
  });
  return [pod, ...events];
}

/** In the places where a configuration has free words: a server's environment, tasks, fields that nobody knows. */
function configurationOf({ announcement }: DemoPlay, texts: readonly string[]) {
  const config = announcement['cto_config'] as { readonly agents: { readonly rex: { readonly tools: object } } };
  const { rex } = config.agents;
  const env = Object.fromEntries(texts.map((text, i) => [`VALUE_${i}`, text]));
  const docs = { command: 'npx', args: texts, env };
  return {
    cto_config: {
      agents: { rex: { ...rex, prompt: texts.join('\n'), tools: { ...rex.tools, localServers: { docs } } } },
    },
    tasks: texts.map((title, i) => ({ id: String(i), title, dependencies: [] })),
  };
}

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
