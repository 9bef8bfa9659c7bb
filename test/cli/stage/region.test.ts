import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli } from '#test/support/cli.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

const place = aStageFolder();
afterAll(() => place.remove());

/** Every command that asks AWS about a stage. */
const COMMANDS = [
  ['doctor'],
  ['smoke'],
  ['pause'],
  ['resume'],
  ['redrive', 'publication'],
  ['secret', 'list'],
  ['secret', 'set', 'loki-password'],
  ['setup', 'github', '--organization', 'acme'],
  ['setup', 'github', '--webhook'],
  ['token', 'list'],
];
const inProd = (words: readonly string[], region: string) =>
  cli([...words, '--stage', 'prod', '--folder', place.folder, '--region', region]);

describe("a region that is not the file's", () => {
  let aws: AwsPeer;
  beforeEach(async () => {
    aws = await startAwsPeer();
  });
  afterEach(() => aws.stop());

  it.each(COMMANDS)('is refused by healer %s %s, and AWS is not asked', async (...words) => {
    const { code, stdout, stderr } = await inProd(words, 'us-east-1');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '--region us-east-1 contradicts healer.prod.yml, whose region is eu-central-1: leave it out, or change the file',
    );
    expect(aws.asked).toEqual([]);
  });

  it.each(COMMANDS)('that there is not is refused by healer %s %s with the likely one', async (...words) => {
    const { code, stderr } = await inProd(words, 'us-esat-1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('perhaps us-east-1')]);
    expect(aws.asked).toEqual([]);
  });

  it.each(['cost', 'quotas'])('is a what-if of healer %s', async (command) => {
    const { code, stdout } = await inProd([command, '--json'], 'us-east-1');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ region: 'us-east-1', configuration: 'healer.prod.yml' });
    expect((await inProd([command], 'us-esat-1')).stderr).toContain('--region must be a region of AWS');
  });
});
