import { setInterval } from 'node:timers';
import { demoApi } from '../demo/api.ts';
import type { LocalStack } from '../stack.ts';

const LOOK_EVERY_MS = 5_000;

interface Sight {
  readonly state: string;
  readonly reason: string | null;
  readonly advice: string | null;
}

/** Prints what changes in sessions and incidents, with reason and advice; returns a function that ends it. */
export function watch(stack: LocalStack, print: (line: string) => void): () => void {
  const look = createLook(stack, print);
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => print(`the session API was not read: ${String(error)}`))
      .finally(() => (isLooking = false));
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** One look: prints each line when it differs from what was last printed of the same thing. */
export function createLook(stack: LocalStack, print: (line: string) => void): () => Promise<void> {
  const api = demoApi(stack);
  const told = new Map<string, string>();
  const tell = (key: string, line: string): void => {
    if (told.get(key) === line) return;
    told.set(key, line);
    print(`${new Date(stack.clock.now()).toISOString().slice(11, 19)}  ${line}`);
  };
  return async () => {
    const { sessions } = await api.active();
    for (const { play_id: playId } of sessions) {
      const { coverage } = (await api.session(playId)).healer as { coverage: Sight & { cluster?: Sight } };
      tell(`logs ${playId}`, `${playId}: logs ${toWords(coverage)}`);
      if (coverage.cluster !== undefined) tell(`cluster ${playId}`, `${playId}: cluster ${toWords(coverage.cluster)}`);
    }
    const { incidents } = await api.incidents();
    for (const { id } of incidents) {
      const { incident } = await api.incident(id);
      const last = incident.history.at(-1);
      tell(
        id,
        `${incident.repository}: ${incident.title} (${incident.state}); ${last?.stage ?? ''}: ${last?.event ?? ''}`,
      );
    }
  };
}

const toWords = ({ state, reason, advice }: Sight): string => [state, reason, advice].filter(Boolean).join('. ');
