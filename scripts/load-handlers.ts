import { aLambdaContext, anApiEvent } from '#test/support/builders/lambda.ts';
import { handler as read } from '../functions/session-read.ts';
import { handler as write } from '../functions/session-write.ts';

/**
 * Child of `scripts/load.ts`, in a process of its own: invokes the handlers one after the other and prints, for each
 * route, milliseconds in which the event loop was busy (the handler's own work) and in which it waited (the emulators').
 */
export interface Sample {
  readonly route: string;
  readonly busy: number;
  readonly waiting: number;
}

const SESSION = (playId: string) => ({
  play_id: playId,
  repository: 'acme/widgets',
  cto_config: { agents: { rex: { cli: 'claude', tools: { remote: ['docs_lookup'], localServers: {} } } } },
  tasks: [{ id: '7', title: 'Task 7' }],
});

/** A round as a play and a reader make it. */
async function* round(turn: number): AsyncGenerator<readonly [string, () => Promise<unknown>]> {
  const playId = `load-${process.pid}-${turn}`;
  const of = { parameters: { play_id: playId } };
  const routes = [
    ['POST /api/v1/session/start', write, { body: SESSION(playId) }],
    ['GET /api/v1/session/{play_id}', read, of],
    ['GET /api/v1/sessions/active', read, { query: { limit: '20' } }],
    ['POST /api/v1/session/{play_id}/end', write, { ...of, body: { status: 'completed' } }],
  ] as const;
  for (const [route, handler, request] of routes)
    yield [route, () => handler(anApiEvent(route, request), aLambdaContext())];
}

const WARM_UP_ROUNDS = 50;

async function sample(seconds: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    for await (const [route, invoke] of round(turn)) {
      const before = performance.eventLoopUtilization();
      await invoke();
      const { active, idle } = performance.eventLoopUtilization(before);
      if (turn >= WARM_UP_ROUNDS) samples.push({ route, busy: active, waiting: idle });
    }
  }
  return samples;
}

process.send?.(await sample(Number(process.argv[2])));
process.disconnect?.();
