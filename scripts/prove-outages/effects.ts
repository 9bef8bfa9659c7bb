import type { InterruptibleCall } from '#lib/local/aws/interruptions.ts';

/** The workers of the chain whose effects are interrupted. */
const CHAIN = new Set(['detect', 'gather', 'evaluate', 'publish', 'remediate']);
const EFFECTS = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'SendMessage', 'SendMessageBatch']);

/** One write or send of a worker for a play. */
export interface Effect {
  readonly function: string;
  /** Its place among the effects of that function for the play, from 1. */
  readonly ordinal: number;
  /** For people, e.g. `UpdateItem incidents`. */
  readonly label: string;
}

export interface Kill {
  readonly function: string;
  readonly ordinal: number;
  readonly when: 'before' | 'after';
}

/** Counts the effects of a run, and says at which of them its worker dies. */
export interface EffectWatch {
  /** Undefined lets it pass. */
  see(call: { readonly function: string; readonly label: string; readonly text: string }): Kill['when'] | undefined;
  readonly effects: readonly Effect[];
  readonly hasKilled: () => boolean;
}

/** @param tokens one of which each effect of the run holds: its namespace, its play, its incidents, its repository */
export function watchEffects(tokens: readonly string[], kill: Kill | undefined): EffectWatch {
  const counts = new Map<string, number>();
  const effects: Effect[] = [];
  let hasKilled = false;
  return {
    effects,
    hasKilled: () => hasKilled,
    see({ function: name, label, text }) {
      if (!tokens.some((token) => text.includes(token))) return undefined;
      const ordinal = (counts.get(name) ?? 0) + 1;
      counts.set(name, ordinal);
      effects.push({ function: name, ordinal, label });
      if (hasKilled || kill?.function !== name || kill.ordinal !== ordinal) return undefined;
      hasKilled = true;
      return kill.when;
    },
  };
}

/** The effect that a call of a service has, if it has one and a worker of the chain makes it. */
export function effectOf({ function: name, action, body }: InterruptibleCall) {
  if (!CHAIN.has(name) || !EFFECTS.has(action)) return undefined;
  return { function: name, label: `${action} ${placeIn(body)}`, text: body };
}

/** Table or queue, as its logical name tells it. */
function placeIn(body: string): string {
  const { TableName, QueueUrl, RequestItems } = JSON.parse(body) as {
    TableName?: string;
    QueueUrl?: string;
    RequestItems?: object;
  };
  return TableName ?? QueueUrl?.split('/').at(-1) ?? Object.keys(RequestItems ?? {}).join(', ');
}

/** Of effects of the same function on the same place, the first three and the last: the looks in between are alike. */
export function distinctEffects(effects: readonly Effect[]): readonly Effect[] {
  const kind = ({ function: name, label }: Effect) => `${name} ${label}`;
  return [...Map.groupBy(effects, kind).values()].flatMap((alike) => [
    ...alike.slice(0, 3),
    ...alike.slice(3).slice(-1),
  ]);
}
