import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '#test/support/fixture-service/start-fixture.ts';

let stack: Fixture;
beforeAll(async () => {
  process.env['AWS_PROFILE'] = 'of-the-host';
  process.env['HEALER_HOST_SECRET'] = 'of-the-host';
  stack = await startFixture({
    overrides: { GREETING: 'from the runner', NOT_IN_THE_TEMPLATE: 'ignored' },
    replacements: { broker: { write: (event, arn) => ({ right: 'replaced', event, arn }) } },
  });
});
afterAll(async () => {
  delete process.env['AWS_PROFILE'];
  delete process.env['HEALER_HOST_SECRET'];
  await stack.stop();
});

describe('the environment of a function', () => {
  it('is what the template says and what Lambda adds, with nothing of the host', async () => {
    const { json } = await stack.act('environment');
    expect(json).toMatchObject({
      AWS_LAMBDA_FUNCTION_NAME: 'fixture-test-api',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'api',
      AWS_ENDPOINT_URL_DYNAMODB: stack.endpoint,
      AWS_ENDPOINT_URL_SQS: stack.endpoint,
      AWS_ENDPOINT_URL_SSM: stack.endpoint,
      AWS_ENDPOINT_URL_LAMBDA: stack.endpoint,
      NODE_OPTIONS: '--enable-source-maps',
      TABLE: 'fixture-test-records',
      TABLE_ARN: 'arn:aws:dynamodb:eu-central-1:000000000000:table/fixture-test-records',
      WORK_QUEUE_NAME: 'fixture-test-work',
      WORK_QUEUE_URL: `${stack.endpoint}/000000000000/fixture-test-work`,
    });
    expect(Object.values(json)).not.toContain('of-the-host');
  });

  it('takes an override for a variable of the template, and for no other', async () => {
    const { json } = await stack.act('environment');
    expect(json['GREETING']).toBe('from the runner');
    expect(json).not.toHaveProperty('NOT_IN_THE_TEMPLATE');
  });
});

describe('an invocation', () => {
  it('reports an error with type, message and trace in terms of the sources', async () => {
    const failure = stack.invoke('broker', { fail: true }).catch((error: unknown) => error);
    expect(await failure).toMatchObject({
      errorType: 'RangeError',
      message: 'broker: RangeError: the broker refuses',
      trace: expect.arrayContaining([expect.stringContaining('broker.ts')]),
    });
  });

  it('tells the alias in the ARN', async () => {
    const names = [
      'broker',
      'fixture-test-broker',
      'arn:aws:lambda:eu-central-1:000000000000:function:fixture-test-broker',
    ];
    for (const name of names) {
      expect(await stack.invoke(name, {})).toMatchObject({ right: 'none' });
      expect(await stack.invoke(`${name}:read`, {})).toMatchObject({ right: 'read' });
      expect(await stack.invoke(name, {}, 'read')).toMatchObject({ right: 'read' });
    }
  });

  it('is refused for a function or an alias that does not exist, naming those that do', async () => {
    await expect(stack.invoke('nobody', {})).rejects.toThrow('there is no function nobody; known are api, authorize,');
    await expect(stack.invoke('broker', {}, 'admin')).rejects.toThrow('there is no function broker:admin');
  });

  it('is answered by the replacement of an alias', async () => {
    const arn = 'arn:aws:lambda:eu-central-1:000000000000:function:fixture-test-broker:write';
    expect(await stack.invoke('broker', { a: 1 }, 'write')).toEqual({ right: 'replaced', event: { a: 1 }, arn });
  });

  it('knows its remaining time, which a jump of the clock does not shorten', async () => {
    const running = stack.act('time');
    const { json } = await running;
    expect(Number(json['before'])).toBeGreaterThan(3_000);
    expect(Number(json['before'])).toBeLessThanOrEqual(5_000);
    expect(Number(json['after'])).toBeLessThan(Number(json['before']));
  });
});

describe('workers', () => {
  it.each(['hang', 'spin'] as const)('a timeout ends the worker that does %s, and no other', async (does) => {
    const before = await stack.invoke('stuck', {});
    const stuck = stack.invoke('stuck', { does }).catch((error: unknown) => error);
    const [other] = await Promise.all([stack.invoke('stuck', {}), stack.act('bare')]);
    expect(other).not.toEqual(before);
    expect(await stuck).toMatchObject({
      errorType: 'Sandbox.Timedout',
      message: expect.stringMatching(/Task timed out after 1\.00 seconds$/),
    });
    expect(await stack.invoke('stuck', {})).toEqual(other);
  });

  it('serve one invocation at a time and are ten at most', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => stack.act('wait', { ms: 200 })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    // `running` counts in one worker: nobody else was in it.
    expect(answers.every(({ json }) => json['running'] === 0)).toBe(true);
    const inTheirWorker = answers.map(({ json }) => Number(json['invocations']));
    expect(Math.max(...inTheirWorker)).toBeGreaterThan(1);
  });

  it('print into the file of their function and to whoever listens', async () => {
    const heard: string[] = [];
    const end = stack.logs.subscribe((line) => heard.push(`${line.function} ${line.stream} ${line.text}`));
    await stack.act('log', { text: 'one line' });
    await expect.poll(() => heard).toEqual(['api stdout one line', 'api stderr error: one line']);
    end();
    const file = () => readFileSync(join(stack.logs.directory, 'api.log'), 'utf8');
    await expect.poll(file).toContain('stdout one line\n');
  });
});
