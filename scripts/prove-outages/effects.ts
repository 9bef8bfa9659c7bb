import type { InterruptibleCall } from '#lib/local/aws/interruptions.ts';

/** The workers of the chain whose effects are interrupted. */
const CHAIN = new Set(['detect', 'gather', 'evaluate', 'publish', 'remediate']);
const EFFECTS = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'SendMessage', 'SendMessageBatch']);

/** One write or send of a worker for a play. */
export interface Effect {
  readonly function: string;
  /** What it changes, e.g. `UpdateItem incidents head`, `POST issues`. */
  readonly label: string;
  /** Its place among the effects of that function with that label for the play, from 1. */
  readonly nth: number;
}

/** A worker that dies of an effect: before it, or after it and before it hears of it. */
export interface Kill extends Effect {
  readonly when: 'before' | 'after';
}

/** An effect as it is seen on its way. */
export interface SeenEffect {
  readonly function: string;
  /** Undefined where the request does not tell: on GitHub all workers write under one login. */
  readonly worker: string | undefined;
  readonly label: string;
  /** What tells whose effect it is. */
  readonly text: string;
}

/** Counts the effects of a run, and says at which of them its worker dies. */
export interface EffectWatch {
  /** Whose effect it is, its text tells. */
  isOwn(text: string): boolean;
  /** Undefined lets it pass. */
  see(effect: SeenEffect): Kill['when'] | undefined;
  readonly effects: readonly Effect[];
  readonly hasKilled: () => boolean;
  /** The worker of the function that had the run's latest effect. */
  readonly workerOf: (functionName: string) => string | undefined;
}

/** @param tokens one of which an effect of the run holds: its namespace, its play, its incidents, its repository */
export function watchEffects(tokens: readonly string[], kill: Kill | undefined): EffectWatch {
  const counts = new Map<string, number>();
  const workers = new Map<string, string>();
  const effects: Effect[] = [];
  let hasKilled = false;
  return {
    effects,
    hasKilled: () => hasKilled,
    workerOf: (name) => workers.get(name),
    isOwn: (text) => tokens.some((token) => text.includes(token)),
    see({ function: name, worker, label }) {
      if (worker !== undefined) workers.set(name, worker);
      const nth = (counts.get(kindOf({ function: name, label })) ?? 0) + 1;
      counts.set(kindOf({ function: name, label }), nth);
      effects.push({ function: name, label, nth });
      if (hasKilled || kill?.function !== name || kill.label !== label || kill.nth !== nth) return undefined;
      hasKilled = true;
      return kill.when;
    },
  };
}

/**
 * Finds the run that an effect is of: by its text, else by the run for which its worker had an effect last, since a worker
 * serves one message at a time.
 */
export function watchFinder(watches: readonly EffectWatch[]) {
  const latest = new Map<string, EffectWatch>();
  return ({ worker = '', text }: Pick<SeenEffect, 'worker' | 'text'>): EffectWatch | undefined => {
    const found = watches.find((watch) => watch.isOwn(text)) ?? latest.get(worker);
    if (found !== undefined && worker !== '') latest.set(worker, found);
    return found;
  };
}

/** The effect that a call of a service has, if it has one and a worker of the chain makes it. */
export function effectOf({ function: name, worker, action, body }: InterruptibleCall): SeenEffect | undefined {
  if (!CHAIN.has(name) || !EFFECTS.has(action)) return undefined;
  return { function: name, worker, label: `${action} ${placeIn(body)}`, text: body };
}

interface Key {
  readonly sk?: { readonly S: string };
}

interface Request {
  readonly TableName?: string;
  readonly Item?: Key;
  readonly Key?: Key;
  readonly RequestItems?: { readonly [table: string]: readonly { readonly PutRequest?: { readonly Item: Key } }[] };
  readonly QueueUrl?: string;
}

/** Table and kind of item, or queue. */
function placeIn(body: string): string {
  const { TableName, Item, Key: key, QueueUrl, RequestItems } = JSON.parse(body) as Request;
  if (QueueUrl !== undefined) return shortName(QueueUrl.split('/').at(-1) ?? '');
  const [table, [first] = []] = Object.entries(RequestItems ?? {})[0] ?? [TableName ?? ''];
  const sk = (Item ?? key ?? first?.PutRequest?.Item)?.sk?.S ?? '';
  return `${shortName(table)} ${sk.split('#')[0]}`.trim();
}

/** Without the service and stage that all names begin with. */
const shortName = (name: string): string => name.split('-').at(-1) ?? name;

/** What effects of a run have in common that are alike. */
const kindOf = ({ function: name, label }: Pick<Effect, 'function' | 'label'>): string => `${name} ${label}`;

/** Looks come more or less often, by the speed of the machine: of what they repeat the last one is not the same each time. */
const MANY = 4;

/** The last of a few effects that are alike; of many one that comes in any case. */
const lateOf = (alike: readonly Effect[]): readonly Effect[] =>
  alike.length > MANY ? alike.slice(alike.length / 2).slice(0, 1) : alike.slice(-1);

/** Of effects that are alike the first two and a late one. */
export const distinctEffects = (effects: readonly Effect[]): readonly Effect[] =>
  [...Map.groupBy(effects, kindOf).values()].flatMap((alike) => [...new Set([...alike.slice(0, 2), ...lateOf(alike)])]);

/** What each look at a namespace and each write on GitHub repeats, whatever was seen. */
const REPEATED = /^\w+ (windows? ?|incidents (minute|hour)$)/;

/** Of each kind the first effect that the shorter story does not have, and a late one. */
export function effectsBeyond(shorter: readonly Effect[], effects: readonly Effect[]): readonly Effect[] {
  const known = Map.groupBy(shorter, kindOf);
  const beyond = effects.filter(
    (effect) => !REPEATED.test(effect.label) && effect.nth > (known.get(kindOf(effect))?.length ?? 0),
  );
  return [...Map.groupBy(beyond, kindOf).values()].flatMap((alike) => [
    ...new Set([...alike.slice(0, 1), ...lateOf(alike)]),
  ]);
}
