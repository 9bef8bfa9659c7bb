import { afterAll, describe, expect, it } from 'vitest';
import { findStage } from '#lib/cli/stage/find-stage.ts';
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
    [{ region: 'mars' }, '--region must be a region of AWS'],
    [
      { region: 'eu-centrl-1' },
      '--region must be a region of AWS that Healer can be deployed to, perhaps eu-central-1',
    ],
  ])('refuses %j', (values, sentence) => {
    expect(() => parseStage(values, {})).toThrow(sentence);
  });

  it.each([['AWS_REGION'], ['AWS_DEFAULT_REGION']])('says that %s holds no region', (name) => {
    expect(() => parseStage({}, { [name]: 'us-east-9' })).toThrow(`${name} must be a region of AWS`);
  });
});

describe('the stage of a file', () => {
  const place = aStageFolder({ region: 'us-east-1' });
  const faulty = aStageFolder({ region: 'us-east-1', logLevel: 'loud' as 'info' });
  const unreadable = aStageFolder({ region: 'us-est-1' });
  afterAll(() => [place, faulty, unreadable].forEach(({ remove }) => remove()));
  const read = (values: object, env = {}) => readStage({ stage: 'prod', folder: place.folder, ...values }, env);
  const find = ({ folder }: { folder: string }, values: object = {}, env = {}) =>
    findStage({ stage: 'prod', folder, ...values }, env);

  it("takes the file's region before the environment's, whatever that holds", async () => {
    expect(await read({}, { AWS_REGION: 'eu-west-1' })).toMatchObject({ name: 'prod', region: 'us-east-1' });
    expect((await read({ region: 'us-east-1' }, { AWS_REGION: 'mars' })).region).toBe('us-east-1');
    expect((await read({})).deployment.secrets.prefix).toBe('/healer/prod');
  });

  it.each([
    ['eu-west-1', '--region eu-west-1 contradicts healer.prod.yml, whose region is us-east-1: leave it out'],
    ['us-est-1', '--region must be a region of AWS that Healer can be deployed to, perhaps us-east-1'],
  ])('is not in another region: %s', async (region, sentence) => {
    await expect(read({ region })).rejects.toThrow(sentence);
    await expect(find(place, { region })).rejects.toThrow(sentence);
    // Also when something else in the file is wrong.
    await expect(find(faulty, { region })).rejects.toThrow(sentence);
  });

  it('is found although something else in the file is wrong', async () => {
    const expected = { region: 'us-east-1', deployment: null, lack: { kind: 'wrong' } };
    expect(await find(faulty, {}, { AWS_REGION: 'eu-west-1' })).toMatchObject(expected);
    expect(await find(unreadable, { region: 'us-east-1' })).toMatchObject(expected);
    await expect(find(unreadable)).rejects.toThrow('region must be a region of AWS');
  });

  it('says how to write a file that is missing, and in which folder it is not', async () => {
    await expect(read({ stage: 'other' })).rejects.toThrow(
      `there is no healer.other.yml in ${place.folder}: npx healer init --stage other --folder ${place.folder} asks`,
    );
  });

  it('is named by words that lead there again', async () => {
    expect((await read({})).words).toBe(`--stage prod --folder ${place.folder}`);
    expect(await find(place, { stage: 'other', region: 'eu-west-1' })).toMatchObject({
      words: '--stage other --region eu-west-1',
      lack: { kind: 'missing' },
    });
  });
});

it('names the stack', () => {
  expect(stackOf({ name: 'prod', region: 'eu-central-1' })).toBe('healer-prod');
});
