import { afterAll, describe, expect, it } from 'vitest';
import { parseStage, readStage, stackOf } from '#lib/cli/stage/stage.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

describe('parseStage', () => {
  it.each([
    [{}, {}, 'dev', 'eu-central-1'],
    [{}, { HEALER_STAGE: 'staging', AWS_REGION: 'us-east-1' }, 'staging', 'us-east-1'],
    [{}, { AWS_DEFAULT_REGION: 'eu-west-1' }, 'dev', 'eu-west-1'],
    [{}, { HEALER_STAGE: '', AWS_REGION: '' }, 'dev', 'eu-central-1'],
    [{ stage: 'prod', region: 'us-gov-west-1' }, { HEALER_STAGE: 'x', AWS_REGION: 'y' }, 'prod', 'us-gov-west-1'],
    [{ stage: 'a'.repeat(30) }, {}, 'a'.repeat(30), 'eu-central-1'],
  ])('of %j and %j is %s in %s', (values, env, name, region) => {
    expect(parseStage(values, env)).toEqual({ name, region });
  });

  it.each([
    [{ stage: '' }, 'Write --stage prod'],
    [{ stage: 'Prod' }, 'Write --stage prod'],
    [{ stage: 'a'.repeat(31) }, 'Write --stage prod'],
    [{ region: 'mars' }, '--region'],
  ])('refuses %j', (values, sentence) => {
    expect(() => parseStage(values, {})).toThrow(sentence);
  });
});

describe('readStage', () => {
  const place = aStageFolder({ region: 'us-east-1' });
  afterAll(() => place.remove());
  const read = (values: object, env = {}) => readStage({ stage: 'prod', folder: place.folder, ...values }, env);

  it("takes the file's region before the environment's, and a named one before both", async () => {
    expect(await read({}, { AWS_REGION: 'eu-west-1' })).toMatchObject({ name: 'prod', region: 'us-east-1' });
    expect((await read({ region: 'eu-west-1' })).region).toBe('eu-west-1');
    expect((await read({})).deployment.secrets.prefix).toBe('/healer/prod');
  });

  it('says how to write a file that is missing', async () => {
    await expect(read({ stage: 'other' })).rejects.toThrow('npx healer init --stage other');
  });
});

it('names the stack', () => {
  expect(stackOf({ name: 'prod', region: 'eu-central-1' })).toBe('healer-prod');
});
