import type { Queues } from './ports.ts';

/** Asks for looks at a (source, namespace) after the given seconds; SQS delays a message by at most 900 s. */
export async function askForLooks(
  queues: Queues,
  place: { readonly source: string; readonly namespace: string },
  afterSeconds: readonly number[],
): Promise<void> {
  const { source, namespace } = place;
  await Promise.all(afterSeconds.map((seconds) => queues.send('window', { source, namespace }, seconds)));
}
