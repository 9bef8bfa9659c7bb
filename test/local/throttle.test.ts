import { afterEach, describe, expect, it } from 'vitest';
import { createThrottle } from '#lib/local/http/throttle.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { type ServiceStackOptions, startService } from '#test/support/service-stack.ts';

const aStage = (settings: Record<string, number> = {}) => ({
  logicalId: 'Stage',
  properties: { DefaultRouteSettings: settings },
});

describe('createThrottle', () => {
  const take = (throttle: () => boolean, times: number) =>
    Array.from({ length: times }, throttle).filter(Boolean).length;

  it('takes a burst, then the rate, and never more than a burst', () => {
    let now = 1_000;
    const throttle = createThrottle(aStage({ ThrottlingBurstLimit: 10, ThrottlingRateLimit: 4 }), () => now);
    expect(take(throttle, 20)).toBe(10);
    now += 1_000;
    expect(take(throttle, 20)).toBe(4);
    now += 3_600_000;
    expect(take(throttle, 20)).toBe(10);
    now -= 3_600_000;
    expect(take(throttle, 20)).toBe(0);
  });

  it.each([undefined, aStage(), { logicalId: 'Stage', properties: {} }])(
    'takes all without settings (case %#)',
    (stage) => {
      expect(take(createThrottle(stage, Date.now), 10_000)).toBe(10_000);
    },
  );
});

/** The service is packaged anew when the sources have changed. */
const PACKAGING_MS = 180_000;

describe('the running stack', { timeout: PACKAGING_MS }, () => {
  let stack: LocalStack | undefined;
  afterEach(() => stack?.stop());

  /** Answers of the health route to ten requests at once, with a burst of three. */
  async function rush(options: ServiceStackOptions) {
    stack = await startService({
      ...options,
      change({ Resources }) {
        const found = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
        const settings = { ThrottlingBurstLimit: '3', ThrottlingRateLimit: '0.001' };
        Object.assign(found?.Properties ?? {}, { DefaultRouteSettings: settings });
      },
    });
    const url = `${stack.url}/health`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url)));
    return Promise.all(answers.map(async (answer) => ({ status: answer.status, text: await answer.text() })));
  }

  it('throttles as the stage of its template says', async () => {
    const answers = await rush({});
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ text }) => text)).toEqual(Array(7).fill('{"message":"Too Many Requests"}'));
  });

  it('throttles nobody when that is switched off', async () => {
    const answers = await rush({ throttle: false });
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});
