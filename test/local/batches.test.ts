import { describe, expect, it } from 'vitest';
import { failedIds, type ReceivedMessage } from '#lib/local/batches.ts';
import { type Outcome, toFailure } from '#lib/local/invocation.ts';

const batch: readonly ReceivedMessage[] = ['a', 'b'].map((MessageId) => ({ MessageId, ReceiptHandle: MessageId }));
const answer = (value: unknown): Outcome => ({ payload: JSON.stringify(value) });
const failures = (...ids: unknown[]) =>
  answer({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('failedIds', () => {
  it.each<[string, Outcome, string[]]>([
    ['null', answer(null), []],
    ['an empty object', answer({}), []],
    ['an empty list', failures(), []],
    ['null for a list', answer({ batchItemFailures: null }), []],
    ['text', answer('done'), []],
    ['one id', failures('b'), ['b']],
    ['an id twice', failures('b', 'b'), ['b']],
    ['all ids', failures('a', 'b'), ['a', 'b']],
    ['an unknown id', failures('a', 'c'), ['a', 'b']],
    ['an empty id', failures(''), ['a', 'b']],
    ['no id', answer({ batchItemFailures: [{}] }), ['a', 'b']],
    ['null for a failure', answer({ batchItemFailures: [null] }), ['a', 'b']],
    ['no list', answer({ batchItemFailures: 'a' }), ['a', 'b']],
    ['an error', toFailure('Error', 'thrown'), ['a', 'b']],
  ])('with partial failures: %s', (_case, outcome, failed) => {
    expect([...failedIds(batch, outcome, true)].toSorted()).toEqual(failed);
  });

  it.each<[string, Outcome, string[]]>([
    ['any answer is a success', failures('a'), []],
    ['an error keeps the batch', toFailure('Error', 'thrown'), ['a', 'b']],
  ])('without partial failures: %s', (_case, outcome, failed) => {
    expect([...failedIds(batch, outcome, false)].toSorted()).toEqual(failed);
  });
});
