import { expect, it } from 'vitest';
import { SourceError } from '#lib/domain/errors.ts';
import { ModelAnswerError } from '#lib/domain/model/model-errors.ts';
import { aModel, ask, type ModelPeer } from './peer.ts';

/** What every endpoint does for Healer. */
export function describeModel(peer: () => ModelPeer): void {
  it('answers in the shape that was asked for, and counts tokens', async () => {
    const answer = await ask(aModel(peer()));
    expect(answer.value).toEqual({
      city: expect.stringMatching(/Paris/i),
      kind: expect.stringMatching(/^(?:city|town)$/),
    });
    expect(JSON.parse(answer.text)).toMatchObject({ city: answer.value.city });
    expect(answer.usage).toMatchObject({ isReported: true });
    expect(answer.usage.inputTokens).toBeGreaterThan(5);
    expect(answer.usage.outputTokens).toBeGreaterThan(2);
    expect(answer.model).not.toBe('');
  });

  it('refuses a wrong key for good', async () => {
    const error = await ask(aModel(peer(), { key: 'sk-of-nobody' })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({
      status: 401,
      retryable: false,
      advice: expect.stringContaining('openai-key-evaluation'),
    });
  });

  it('does not know a model of another name', async () => {
    const error = await ask(aModel(peer(), { model: 'no-such-model-1' })).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'SourceError',
      source: 'openai',
      status: expect.any(Number),
      retryable: false,
    });
  });

  it('cuts an answer off at its limit, which is told with the usage', async () => {
    const error = await ask(aModel(peer()), undefined, 1).catch((reason: unknown) => reason);
    // Some endpoints refuse so low a limit at once.
    if (error instanceof SourceError) return expect(error.status).toBe(400);
    expect(error).toBeInstanceOf(ModelAnswerError);
    expect(error).toMatchObject({ fault: 'truncated', usage: { isReported: true } });
  });
}
