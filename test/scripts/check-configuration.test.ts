import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copySources, filesBelow } from '#lib/local/package-service.ts';
import { type AwsPeer, startAwsPeer } from '#test/support/aws-peer.ts';
import { MINIMAL } from '#test/support/builders/a-deployment.ts';
import { aParameterStore, type ParameterStore } from '#test/support/parameter-store.ts';
import { ROOT } from '#test/support/template/package-cache.ts';

const FRAMEWORK = join(
  dirname(createRequire(import.meta.url).resolve('serverless/package.json')),
  'bin',
  'serverless.js',
);

let folder: string;
let aws: AwsPeer;
let store: ParameterStore;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'healer-test-'));
  copySources(ROOT, folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  store = aParameterStore();
  aws = await startAwsPeer(store.actions);
});
afterEach(async () => {
  await aws.stop();
  rmSync(join(folder, 'healer.prod.yml'), { force: true });
});

const write = (content: object): void => writeFileSync(join(folder, 'healer.prod.yml'), JSON.stringify(content));

/** What the framework printed, and how it ended. */
async function serverless(...words: string[]): Promise<{ code: number; printed: string }> {
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    AWS_ENDPOINT_URL: aws.url,
    ...credentials,
    AWS_MAX_ATTEMPTS: '1',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [FRAMEWORK, ...words], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: `${stdout}${stderr}` }),
    );
  });
}

const faultsOf = (printed: string): readonly string[] => printed.split('\n').filter((line) => line.startsWith('- '));

/** What was asked beside who asks, and which secrets there are. */
const changes = (): readonly string[] =>
  aws.names().filter((name) => name !== 'GetCallerIdentity' && name !== 'AmazonSSM.GetParametersByPath');

/** The framework starts, and the command that reads the file. */
describe('serverless deploy', { timeout: 60_000 }, () => {
  afterEach(() => expect(filesBelow(join(folder, '.serverless')).filter((file) => file.endsWith('.zip'))).toEqual([]));

  it('stops without a file, and says what writes one', async () => {
    const { code, printed } = await serverless('deploy', '--stage', 'prod');
    expect(code).toBe(1);
    expect(printed).toContain('Nothing was deployed: 1 fault.');
    expect(faultsOf(printed)).toEqual([
      '- There is no healer.prod.yml here: npx healer init --stage prod asks and writes it.',
    ]);
    expect(changes()).toEqual([]);
  });

  it('stops at every fault of the file and of the call, before it asks AWS for anything', async () => {
    write({ ...MINIMAL, vpc: { subnets: [], securityGroups: ['sg-0a1b2c3d'] }, logLevel: 'loud' });
    const { code, printed } = await serverless('deploy', '--stage', 'prod', '--param', 'lokiUrl=loki:3100');
    expect(code).toBe(1);
    expect(faultsOf(printed)).toEqual([
      expect.stringContaining('vpc.subnets must name at least one subnet'),
      expect.stringContaining('logLevel must be one of debug'),
      '- --param sets nothing here: write the value into healer.prod.yml.',
    ]);
    expect(changes()).toEqual([]);
  });

  it('stops when the call names another region than the file', async () => {
    write(MINIMAL);
    const { printed } = await serverless('deploy', '--stage', 'prod', '--region', 'us-east-1');
    expect(faultsOf(printed)).toEqual([expect.stringContaining('whose region is eu-central-1: leave it out')]);
    expect(changes()).toEqual([]);
  });

  it('stops at each secret that is missing, and has asked for nothing else', async () => {
    write({ ...MINIMAL, kubernetes: { url: 'https://10.0.0.1:6443' } });
    store.put('/healer/prod/github-app-id', '1');
    const { code, printed } = await serverless('deploy', '--stage', 'prod');
    expect(code).toBe(1);
    expect(faultsOf(printed)).toEqual([
      expect.stringMatching(
        /github-app-key .* npx healer secret set github-app-key --stage prod; npx healer setup github /,
      ),
      expect.stringMatching(/kubernetes-token .* npx healer secret set kubernetes-token --stage prod$/),
    ]);
    expect(aws.names()).toContain('AmazonSSM.GetParametersByPath');
    expect(changes()).toEqual([]);
  });

  it('stops when the region does not answer', async () => {
    write(MINIMAL);
    aws.refuse('AmazonSSM.GetParametersByPath', 'UnrecognizedClientException');
    const { code, printed } = await serverless('deploy', '--stage', 'prod');
    expect(code).toBe(1);
    expect(faultsOf(printed)).toEqual([expect.stringContaining('AWS took no credentials')]);
  });

  it.each(['Prod_1', 'a-stage-with-a-name-that-is-far-too-long', '1st'])(
    'says once what is wrong with the stage %s',
    async (stage) => {
      const { code, printed } = await serverless('deploy', '--stage', stage);
      expect(code).toBe(1);
      expect(printed.split('The stage must have 1 to 30 characters')).toHaveLength(2);
      expect(printed).not.toContain('Cannot resolve');
      expect(changes()).toEqual([]);
    },
  );
});

describe('other commands of the framework', { timeout: 60_000 }, () => {
  it.each([
    ['remove', '--stage', 'prod'],
    ['package', '--stage', 'prod'],
  ])('%s stops at a wrong file', async (...words) => {
    write({ ...MINIMAL, logLevel: 'loud' });
    const { code, printed } = await serverless(...words);
    expect(code).toBe(1);
    expect(printed).toContain('Nothing was done: 1 fault.');
    expect(changes()).toEqual([]);
  });

  it('remove stops without a file: it would go to some region', async () => {
    const { code, printed } = await serverless('remove', '--stage', 'prod');
    expect(code).toBe(1);
    expect(printed).toContain('There is no healer.prod.yml here, so it is not known where the stage is');
    expect(changes()).toEqual([]);
  });

  it.each([
    ['without a file', false],
    ['with a wrong one', true],
  ] as const)('remove goes on %s when it is told the region', async (_, hasFile) => {
    if (hasFile) write({ ...MINIMAL, logLevel: 'loud' });
    const { printed } = await serverless('remove', '--stage', 'prod', '--region', 'us-east-1');
    expect(printed).not.toContain('fault');
    expect(changes().length).toBeGreaterThan(0);
  });
});

describe('a bucket in the way', () => {
  interface Plugin {
    readonly hooks: { readonly error: (error: object) => void };
  }
  type PluginClass = new (serverless: object, options: object, utils: object) => Plugin;
  const CheckConfiguration = createRequire(import.meta.url)('../../scripts/check-configuration.cjs') as PluginClass;

  it.each([
    [{ code: 'DEPLOYMENT_BUCKET_REMOVED_MANUALLY', message: 'Deployment bucket has been removed manually.' }, 1],
    [{ code: 'AWS_S3_HEAD_BUCKET_FORBIDDEN', message: 'Could not access the deployment bucket.' }, 1],
    [{ message: 'CREATE_FAILED: ServerlessDeploymentBucket (AWS::S3::Bucket) BucketAlreadyExists' }, 1],
    [{ code: 'STACK_OPERATION_FAILURE', message: 'CREATE_FAILED: SessionsTable (AWS::DynamoDB::Table)' }, 0],
  ])('of %j is told with what clears it', (error, notices) => {
    const told: string[] = [];
    const serverless = { service: { provider: { stage: 'prod' } } };
    new CheckConfiguration(serverless, {}, { log: { notice: (text: string) => told.push(text) } }).hooks.error(error);
    expect(told).toHaveLength(notices);
    for (const text of told) expect(text).toContain('npx serverless remove --stage prod');
  });
});

describe('a Node that is too old', () => {
  it('is told in one sentence', () => {
    const place = mkdtempSync(join(tmpdir(), 'healer-test-'));
    try {
      copyFileSync(join(ROOT, 'scripts/find-node.cjs'), join(place, 'find-node.cjs'));
      const script = `
        Object.defineProperty(process, 'version', { value: 'v20.20.2' });
        try { require('./find-node.cjs').findNode(); } catch (error) { console.log(error.message); }`;
      const printed = execFileSync(process.execPath, ['-e', script], { cwd: place, encoding: 'utf8' });
      expect(printed).toMatch(/^Node 22\.18 or newer is needed \(24 is recommended\), and this is v20\.20\.2\. /);
      expect(printed).toMatch(/install Node 24 and put it first on the PATH\.\n$/);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
