import type { QueueName, Stage } from '#lib/flow.ts';

/** A message that one function sends to another's queue. */
const edge = (stage: Stage, queue: QueueName) => `${stage.function} → ${queue}`;

/**
 * The longest chain of messages, as the edges in their order. Each edge is gone once: what a function sends to its own
 * queue, or back to a stage before it, is a bounded repetition, which the table's state ends.
 */
export function longestChain(flow: readonly Stage[]): readonly string[] {
  const walk = (stage: Stage, gone: readonly string[]): readonly string[] => {
    const onward = stage.produces.filter((queue) => !gone.includes(edge(stage, queue)));
    const chains = onward.flatMap((queue) => {
      const path = [...gone, edge(stage, queue)];
      return flow.filter((next) => next.consumes === queue).map((next) => walk(next, path));
    });
    return longest([gone, ...chains]);
  };
  const starts = flow.filter(({ consumes }) => ['http', 'schedule', 'authorizer', 'invoke'].includes(consumes));
  return longest(starts.map((stage) => walk(stage, [])));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}
