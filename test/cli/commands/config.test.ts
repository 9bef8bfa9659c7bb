import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeploymentInput } from '#lib/domain/deployment/deployment.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli } from '#test/support/cli.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

let place: ReturnType<typeof aStageFolder>;
const inStage = (overrides: Partial<DeploymentInput> = {}): void => {
  place = aStageFolder(overrides);
};
afterEach(() => place.remove());

const config = (...args: string[]) => cli(['config', '--stage', 'prod', '--folder', place.folder, ...args]);
const write = (text: string): void => writeFileSync(join(place.folder, 'healer.prod.yml'), text);

describe('healer config', () => {
  it('shows every field with its value, and the secrets that are asked for', async () => {
    inStage({ kubernetes: { url: 'https://10.0.0.1:6443' } });
    const { code, stdout, stderr } = await config();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('healer.prod.yml is in order.');
    for (const line of ['url: https://loki.example.com', 'ca: none', 'vpc: none', '    usd: 50', 'kubernetes-token'])
      expect(stdout).toContain(line);
    expect(stdout).toMatch(/below \/healer\/prod \(npx healer secret set NAME --stage prod\)/);
    expect(stdout).toMatch(/github-webhook-secret +where wanted/);
    expect(stdout).not.toContain('loki-password ');
  });

  it('tells as JSON what the template is made with', async () => {
    inStage();
    const { code, stdout } = await config('--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      stage: 'prod',
      file: 'healer.prod.yml',
      deployment: { region: 'eu-central-1', loki: { url: 'https://loki.example.com' } },
      secrets: [{ name: 'github-app-id', required: true }, { name: 'github-app-key' }, { required: false }],
      parameters: { allowedRepositories: 'acme/*', logRetentionDays: 30 },
    });
  });

  it('tells all faults, and ends with 2', async () => {
    inStage({ logLevel: 'loud' as 'info', vpc: { subnets: [], securityGroups: ['sg-0a1b2c3d'] } });
    const { code, stdout, stderr } = await config();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^healer: healer\.prod\.yml has 2 faults:\n- vpc\.subnets must .*\n- logLevel must /);
    const json = await config('--json');
    expect([json.code, json.stderr]).toEqual([2, '']);
    expect(JSON.parse(json.stdout)).toMatchObject({ faults: [{ path: 'vpc.subnets' }, { path: 'logLevel' }] });
  });

  it.each([
    ['loki:\n  url: [\n', 'line 3'],
    ['region: eu-central-1\nregion: eu-west-1\n', 'line 2'],
    ['region: "eu\n', 'line 2'],
  ])('says where %j is no YAML', async (text, line) => {
    inStage();
    write(text);
    const { code, stderr } = await config();
    expect(code).toBe(2);
    expect(stderr).toContain(`healer.prod.yml, ${line}, is no YAML`);
  });

  it('takes no aliases that lead nowhere', async () => {
    inStage();
    write('loki: *nowhere\n');
    expect((await config()).stderr).toContain('healer.prod.yml uses YAML aliases that lead nowhere');
  });

  it('says what writes a file where there is none, and names the folder that it was told', async () => {
    inStage();
    const here = await cli(['config', '--stage', 'test-of-none']);
    expect([here.code, here.stderr]).toEqual([
      2,
      'healer: there is no healer.test-of-none.yml here: npx healer init --stage test-of-none asks and writes it\n',
    ]);
    const folder = `${place.folder}/a folder`;
    const there = await cli(['config', '--stage', 'test', '--folder', folder]);
    expect([there.code, there.stderr]).toEqual([
      2,
      `healer: there is no healer.test.yml in ${folder}: npx healer init --stage test --folder '${folder}' asks and writes it\n`,
    ]);
  });

  it('refuses a region that there is not, with the likely one', async () => {
    inStage({ region: 'eu-centrl-1' });
    const { code, stderr } = await config();
    expect(code).toBe(2);
    expect(stderr).toContain('- region must be a region of AWS that Healer can be deployed to, perhaps eu-central-1\n');
  });

  it('gives the defaults to who packages without a file, or with a wrong one', async () => {
    inStage();
    const none = await cli(['config', '--stage', 'test', '--folder', place.folder, '--json', '--or-defaults']);
    expect(none.code).toBe(0);
    expect(JSON.parse(none.stdout)).toMatchObject({
      file: null,
      parameters: { lokiUrl: '', secretsPrefix: '/healer/test' },
    });
    write('loki: none\n');
    const wrong = await config('--json', '--or-defaults');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ faults: [{}, {}], parameters: { region: 'eu-central-1' } });
  });

  it('has no parameters for an odd stage', async () => {
    inStage();
    const { code, stdout } = await cli(['config', '--stage', 'Prod_1', '--json', '--or-defaults']);
    expect(code).toBe(2);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['stage', 'file', 'faults']);
  });
});

describe('healer config --secrets', () => {
  let aws: AwsPeer;
  let store: ParameterStore;

  beforeEach(async () => {
    inStage({ loki: { url: 'https://loki.example.com', user: 'healer' } });
    store = aParameterStore();
    aws = await startAwsPeer(store.actions);
    return () => aws.stop();
  });

  it('names each that is missing or in the clear, with the command that stores it', async () => {
    store.put('/healer/prod/github-app-id', '1', 'String');
    const { code, stderr } = await config('--secrets');
    expect(code).toBe(2);
    expect(stderr.split('\n')).toEqual([
      'healer: The secrets have 3 faults:',
      expect.stringMatching(
        /^- The secret github-app-id .* unencrypted: npx healer secret set github-app-id --stage prod --force$/,
      ),
      expect.stringMatching(
        /^- The secret github-app-key .* is missing: npx healer secret set github-app-key --stage prod; npx healer setup github --stage prod --organization acme makes/,
      ),
      expect.stringMatching(
        /^- The secret loki-password .* is missing: npx healer secret set loki-password --stage prod$/,
      ),
      '',
    ]);
  });

  it('is content when they are there', async () => {
    for (const name of ['github-app-id', 'github-app-key', 'loki-password']) store.put(`/healer/prod/${name}`, '1');
    expect(await config('--secrets')).toMatchObject({ code: 0, stderr: '' });
  });

  it('goes on with a warning where the operator may not look', async () => {
    aws.refuse('AmazonSSM.GetParametersByPath', 'AccessDeniedException');
    const { code, stdout } = await config('--secrets', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ warning: expect.stringContaining('ssm:GetParametersByPath') });
  });

  it('stops where AWS does not know the operator', async () => {
    aws.refuse('AmazonSSM.GetParametersByPath', 'UnrecognizedClientException');
    const { code, stderr } = await config('--secrets');
    expect(code).toBe(2);
    expect(stderr).toContain('AWS took no credentials');
  });
});
