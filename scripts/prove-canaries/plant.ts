import type { DemoPlay } from '#lib/local/demo/play.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { refusedKeyPlay } from '#lib/local/demo/plays/refused-key.ts';
import { eventObject, podObject } from '#lib/local/kubernetes/objects.ts';
import { broken, CANARIES, type Canary, FORMS, SEPARATORS } from '#test/domain/redaction/canaries.ts';
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
const KINDS_A_PLAY = 5;
const LOOK_ALIKES_A_PLAY = 14;
/** So many ways of breaking a secret a kind. */
const SEPARATORS_A_KIND = 3;

/** A failing play, which of its pods speaks, and the second after which it does. */
interface Scene {
  readonly play: DemoPlay;
  readonly pod: string;
  readonly at: number;
}

const podAt = ({ lines }: DemoPlay, at: number): string => lines.findLast((line) => line.at <= at)?.pod ?? '';
const MISSPELT: Scene = { play: misspeltToolPlay, pod: podAt(misspeltToolPlay, 6), at: 7 };
/** Critical, so that people are notified. */
const REFUSED: Scene = { play: refusedKeyPlay, pod: podAt(refusedKeyPlay, 100), at: 101 };

/**
 * Each kind in each of its forms in a log, and as it is in the cluster, on GitHub, in the configuration, and in the very line
 * that tells of the failure.
 */
export const canaryRuns = (): readonly PlantedRun[] =>
  chunks(CANARIES, KINDS_A_PLAY).map((canaries, index) => {
    const texts = canaries.map(({ text }) => text);
    const lines = canaries.flatMap((canary, i) => linesOf(canary, index * KINDS_A_PLAY + i));
    const scene = index % 2 === 0 ? MISSPELT : withRefusal(REFUSED, texts.join(' '));
    return { ...planted(placeOf(`canary-${index}`), scene, lines, texts), canaries, lookAlikes: [], spoken: texts };
  });

function linesOf(canary: Canary, nth: number): readonly string[] {
  const separators = Object.values(SEPARATORS);
  const some = Array.from(
    { length: SEPARATORS_A_KIND },
    (_, i) => separators[(nth * SEPARATORS_A_KIND + i) % separators.length] ?? '',
  );
  const texts = [
    ...Object.values(FORMS).map((form) => form(canary).text),
    ...some.map((by) => broken(canary, by, [0.4])),
  ];
  return texts.flatMap((text) => text.split('\n'));
}

export const lookAlikeRuns = (): readonly PlantedRun[] =>
  chunks(LOOK_ALIKES, LOOK_ALIKES_A_PLAY).map((lookAlikes, index) => {
    const place = placeOf(`plain-${index}`);
    return { ...planted(place, MISSPELT, lookAlikes, []), canaries: [], lookAlikes, spoken: [] };
  });

/** The endpoint repeats what it refused. */
function withRefusal(scene: Scene, text: string): Scene {
  const once = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const lines = scene.play.lines.map(({ line, ...rest }) => ({
    ...rest,
    line: line.replace('invalid x-api-key', () => `invalid x-api-key ${line.startsWith('{') ? twice : once}`),
  }));
  return { ...scene, play: { ...scene.play, lines } };
}

function planted(place: Place, scene: Scene, lines: readonly string[], texts: readonly string[]): Run {
  const play = copyPlay(scene.play, place);
  const pod = play.lines[scene.play.lines.findIndex((line) => line.pod === scene.pod)]?.pod ?? '';
  const more = lines.map((line, i) => ({ at: scene.at + Math.floor(i / 10), pod, line }));
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
  const config = announcement['cto_config'] as { readonly agents: Record<string, { readonly tools: object }> };
  const env = Object.fromEntries(texts.map((text, i) => [`VALUE_${i}`, text]));
  const docs = { command: 'npx', args: texts, env };
  const agents = Object.entries(config.agents).map(([name, agent]) => {
    const tools = { ...agent.tools, localServers: { docs } };
    return [name, { ...agent, prompt: texts.join('\n'), tools }] as const;
  });
  return {
    cto_config: { agents: Object.fromEntries(agents) },
    tasks: texts.map((title, i) => ({ id: String(i), title, dependencies: [] })),
  };
}

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
