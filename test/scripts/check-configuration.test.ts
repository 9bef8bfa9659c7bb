import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { copySources } from '#lib/local/package-service.ts';
import { ROOT } from '#test/support/template/package-cache.ts';

interface Configuration {
  readonly stage: string;
  readonly region: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly known?: readonly string[];
}

const require = createRequire(import.meta.url);
const { findFaults } = require('../../scripts/check-configuration.cjs') as {
  findFaults: (configuration: Configuration) => readonly string[];
};

const { default: DEFAULTS } = parse(readFileSync(join(ROOT, 'infra/parameters.yml'), 'utf8')) as {
  default: Readonly<Record<string, string>>;
};

const GOOD = {
  ...DEFAULTS,
  secretsPrefix: '/healer/prod',
  allowedRepositories: 'acme/*, other, one/widgets.js',
  lokiUrl: 'http://loki-gateway.observability',
};
const faultsOf = (parameters: object, place: Partial<Configuration> = {}) =>
  findFaults({ stage: 'prod', region: 'eu-central-1', parameters: { ...GOOD, ...parameters }, ...place });

describe('the configuration of a deployment', () => {
  it('is accepted with what must be set', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('names what must be set, and what to write', () => {
    const faults = findFaults({
      stage: 'dev',
      region: 'eu-central-1',
      parameters: { ...GOOD, ...DEFAULTS, secretsPrefix: '/healer/dev' },
    });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain('--param "allowedRepositories=acme/*"');
    expect(faults[1]).toContain('--param "lokiUrl=https://loki.example.com"');
  });

  it.each([
    ['allowedRepositories', 'acme/*,https://github.com/acme/widgets'],
    ['allowedRepositories', ','],
    ['allowedRepositories', '*'],
    ['platformRepository', 'acme'],
    ['lokiUrl', 'loki:3100'],
    ['lokiUrl', 'https://user:secret@loki.example.com'],
    ['lokiSelector', '{namespace="cto"}'],
    ['lokiLineFilter', 'yes'],
    ['kubeUrl', 'http://kubernetes.default'],
    ['openaiBaseUrl', 'models.example.com/v1'],
    ['githubApiUrl', 'http://github.example.com/api/v3'],
    ['secretsPrefix', 'healer/prod'],
    ['secretsPrefix', '/healer/prod/'],
    ['apiAuthorization', 'none'],
    ['throttlingRate', '0'],
    ['evidenceInPublicRepositories', 'true'],
    ['sessionRetentionDays', '0'],
    ['sessionIdleHours', 'six'],
    ['sessionMaxHours', '1.5'],
    ['logLevel', 'INFO'],
  ])('refuses %s = %s without repeating it', (name, value) => {
    const [fault, ...others] = faultsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name} must be `));
    if (name.startsWith('loki')) expect(fault).not.toContain(value);
  });

  it('names a parameter that does not exist, and those that do', () => {
    const [fault, ...others] = faultsOf({ lokiURL: 'https://loki.example.com' }, { known: Object.keys(GOOD) });
    expect(others).toEqual([]);
    expect(fault).toMatch(/^There is no parameter lokiURL\. .*lokiUrl/);
  });

  it('wants issuer and audience with jwt', () => {
    expect(faultsOf({ apiAuthorization: 'jwt' })).toHaveLength(2);
    expect(faultsOf({ apiAuthorization: 'jwt', jwtIssuer: 'https://id.example.com', jwtAudience: 'healer' })).toEqual(
      [],
    );
  });

  it.each(['Prod', 'a_b', '1st', 'prod-', '', 'a-stage-with-a-name-that-is-far-too-long'])(
    'refuses the stage %j',
    (stage) => {
      expect(faultsOf({}, { stage })).toEqual([expect.stringContaining('--stage prod')]);
    },
  );

  it.each(['p', 'prod', 'pr-1234', 'a-stage-of-exactly-30-letters1'])('accepts the stage %s', (stage) => {
    expect(faultsOf({}, { stage })).toEqual([]);
  });

  it.each(['nowhere', 'eu-central', ''])('refuses the region %j', (region) => {
    expect(faultsOf({}, { region })).toEqual([expect.stringContaining('--region eu-central-1')]);
  });
});

describe('serverless deploy', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'healer-test-'));
    copySources(ROOT, folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stops at a fault before it packages or uploads anything', { timeout: 60_000 }, async () => {
    const cli = join(dirname(require.resolve('serverless/package.json')), 'bin', 'serverless.js');
    // Nobody listens there: a request would fail in other words.
    const env = { PATH: process.env['PATH'], HOME: folder, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
    const words = ['deploy', '--stage', 'prod', '--param', 'lokiUrl=loki:3100', '--param', 'logLevel=all'];
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [cli, ...words], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve(`${error?.code}\n${stdout}${stderr}`),
      );
    });
    expect(printed).toMatch(/^1\n/);
    expect(printed).toContain('Nothing was deployed: the configuration has 3 fault(s).');
    expect(printed).not.toContain('ECONNREFUSED');
  });
});
