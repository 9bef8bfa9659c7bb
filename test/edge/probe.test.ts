import '#test/support/quiet.ts';

import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { withProbe } from '#lib/edge/probe.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { aLambdaContext, anSqsEvent } from '#test/support/builders/lambda.ts';

const seen: string[] = [];
const handler = withProbe(
  async (request, work) => ({ asked: request.namespaces, leaves: work.remainingMs() }),
  sqsBatch('window', async ({ namespace }) => void seen.push(namespace)),
);
const context = aLambdaContext({ getRemainingTimeInMillis: () => 9_000 });
const call = (event: object) => handler(event, context);

it('answers a probe, with the time that is left', async () => {
  expect(await call({ healer: 'probe' })).toEqual({ asked: [], leaves: 9_000 });
  expect(await call({ healer: 'probe', namespaces: ['cto'] })).toEqual({ asked: ['cto'], leaves: 9_000 });
});

it.each([
  [{ healer: 'probed' }],
  [{ healer: 'probe', namespaces: ['a', 'b', 'c', 'd'] }],
  [{ healer: 'probe', namespaces: ['x"} or {a="b'] }],
  [{ healer: 'probe', url: 'http://elsewhere' }],
])('refuses %j', async (event) => {
  await expect(call(event)).rejects.toThrow('a probe must be');
});

it('never takes what a queue brings for one, whatever it says', async () => {
  const probe = JSON.stringify({ healer: 'probe', namespaces: ['cto'] });
  const disguised = { ...anSqsEvent([probe]), healer: 'probe' };
  for (const event of [anSqsEvent([probe]), disguised] as SQSEvent[]) {
    const answer = (await call(event)) as { batchItemFailures: unknown[] };
    expect(answer.batchItemFailures).toHaveLength(1);
  }
  const message = JSON.stringify({ source: 'loki', namespace: 'cto' });
  expect(await call(anSqsEvent([message]))).toEqual({ batchItemFailures: [] });
  expect(seen).toEqual(['cto']);
});
