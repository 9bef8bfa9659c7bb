import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { secretsOf } from '#lib/domain/deployment/needed-secrets.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import { aDeployment, MINIMAL } from '#test/support/builders/a-deployment.ts';

const PEM = readFileSync(new URL('../../support/tls/ca.pem', import.meta.url), 'utf8');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function faultsOf(value: unknown, stage = 'prod') {
  try {
    parseDeployment(value, stage);
  } catch (error) {
    if (error instanceof ConfigError) return { message: error.message, faults: error.faults };
    throw error;
  }
  return expect.unreachable('it was accepted');
}

/** The least that works, with one field of another value. */
function withField(path: string, value: unknown): Record<string, unknown> {
  const input = structuredClone(MINIMAL) as Record<string, unknown>;
  if (path.startsWith('kubernetes.')) input['kubernetes'] = { url: 'https://10.0.0.1:6443' };
  const names = path.split('.');
  const last = names.pop() ?? '';
  const block = names.reduce((inner, name) => (inner[name] ??= {}) as Record<string, unknown>, input);
  block[last] = value;
  return input;
}

describe('the file of a stage', () => {
  it('needs repositories and the address of Loki; the rest has defaults', () => {
    expect(aDeployment()).toMatchObject({
      stage: 'prod',
      region: 'eu-central-1',
      repositories: { allowed: ['acme/*'], platform: null },
      api: { authorization: 'token', jwt: null, throttling: { rate: 50, burst: 100 } },
      loki: { tenant: null, user: null, selector: '{namespace="$namespace"}', podLabel: 'pod', lineFilter: 'on' },
      kubernetes: null,
      models: null,
      vpc: null,
      remediation: { mode: 'guarded', modes: {} },
      budgets: { incident: { usd: 2, tokens: 400_000 }, play: { usd: 5 }, day: { usd: 50 } },
      retention: { sessionDays: 30, logDays: 30 },
      notifications: { webhook: 'none' },
      alarms: { email: null },
      secrets: { prefix: '/healer/prod' },
    });
  });

  it.each([undefined, null, {}])('says of %j what must be written', (value) => {
    const { message, faults } = faultsOf(value);
    expect(faults.map(({ path }) => path)).toEqual(['repositories.allowed', 'loki.url']);
    expect(message).toMatch(/^healer\.prod\.yml has 2 faults:\n- repositories\.allowed must be .*\[acme\/\*\]/);
    expect(message).toContain('https://loki.example.com');
  });

  it('tells all faults at once, each with where it is', () => {
    const { faults } = faultsOf({
      repositories: { allowed: ['acme/*', 'a/b/c'], plattform: 'acme/x' },
      loki: { url: 'loki:3100', lineFilter: true },
      api: { authorization: 'jwt' },
      kubernetes: { url: 'http://kubernetes.default', namespaces: ['Cto'] },
      models: { evaluation: { name: 'some-model' } },
      budgets: { day: { usd: '50' } },
      vpc: { subnets: [] },
      logLevel: 'INFO',
      lokiUrl: 'https://loki.example.com',
    });
    expect(faults.map(({ path }) => path).toSorted()).toEqual([
      'api.jwt',
      'budgets.day.usd',
      'kubernetes.namespaces[0]',
      'kubernetes.url',
      'logLevel',
      'loki.lineFilter',
      'loki.url',
      'lokiUrl',
      'models.evaluation.inputUsdPerMillion',
      'models.evaluation.outputUsdPerMillion',
      'repositories.allowed[1]',
      'repositories.plattform',
      'vpc.securityGroups',
      'vpc.subnets',
    ]);
  });

  it.each([
    ['region', 'Frankfurt', 'eu-central-1'],
    ['region', 'eu-nowhere-1', 'must be a region of AWS that Healer can be deployed to'],
    ['region', 'eu-centrl-1', 'perhaps eu-central-1'],
    ['region', 1, 'must be a region of AWS'],
    ['repositories.allowed', 'acme/*', 'a list'],
    ['repositories.allowed', [], 'at least one'],
    ['repositories.allowed', ['*'], 'owner/*'],
    [
      'repositories.allowed',
      Array.from({ length: 60 }, (_, index) => `acme/${'x'.repeat(30)}${index}`),
      '2000 characters',
    ],
    ['repositories.platform', 'acme', 'owner/name'],
    ['loki.selector', '{namespace="cto"}', '$namespace'],
    ['loki.podLabel', 'pod name', 'label'],
    ['loki.longestPauseSeconds', 46, 'from 0 to 45'],
    ['kubernetes', 'yes', 'url, ca, namespaces'],
    ['kubernetes.ca', base64('nonsense'), 'certificate'],
    ['github.apiUrl', 'http://github.example.com/api/v3', 'https'],
    ['github.evidenceInPublicRepositories', true, 'hide or show'],
    ['api.authorization', 'none', 'token, jwt, iam'],
    ['api.throttling.rate', 0, 'from 1'],
    ['models.baseUrl', 'models.example.com/v1', 'http or https'],
    ['remediation.mode', 'always', 'guarded'],
    ['remediation.modes', { acme: 'auto' }, 'owner/name'],
    ['remediation.modes', { 'acme/x': 'sometimes' }, 'guarded'],
    ['budgets.incident.tokens', 1.5, 'whole number'],
    ['budgets.play.usd', -1, 'from 0'],
    ['budgets.play.usd', 0.000_000_1, 'USD'],
    ['retention.sessionDays', 0, 'from 1'],
    ['retention.logDays', 31, '30, 60'],
    ['sessions.idleHours', 'six', 'whole number'],
    ['notifications.webhook', true, 'none or secret'],
    ['vpc', true, 'subnets, securityGroups'],
    ['alarms.email', 'oncall', 'oncall@example.com'],
    ['secrets.prefix', '/healer/prod/', 'begins with /'],
    ['logLevel', 'INFO', 'debug, info'],
  ])('refuses %s = %j', (path, value, advice) => {
    const { message, faults } = faultsOf(withField(path, value));
    expect(faults).toHaveLength(1);
    expect(faults[0]?.path.startsWith(path)).toBe(true);
    expect(message).toContain(advice);
  });

  it('names a VPC without a subnet, and how to go without one', () => {
    const { message } = faultsOf({ ...MINIMAL, vpc: { subnets: [], securityGroups: ['sg-0a1b2c3d'] } });
    expect(message).toContain('vpc.subnets must name at least one subnet');
    expect(message).toContain('vpc: none');
  });

  it('takes a block without anything in it as one with defaults', () => {
    expect(parseDeployment({ ...MINIMAL, api: null, budgets: { day: null } }, 'prod')).toEqual(aDeployment());
  });

  it.each([['none'], [null], [undefined]])('takes %j for a block that is not there', (value) => {
    const deployment = parseDeployment(
      { ...MINIMAL, kubernetes: value, models: value, vpc: value, alarms: { email: value } },
      'prod',
    );
    expect(deployment).toMatchObject({ kubernetes: null, models: null, vpc: null, alarms: { email: null } });
  });

  it.each([
    ['PEM', PEM],
    ['PEM in base64', base64(PEM)],
  ])('takes a certificate authority as %s', (_, ca) => {
    const { kubernetes } = aDeployment({ kubernetes: { url: 'https://10.0.0.1:6443', ca } });
    expect(
      Buffer.from(kubernetes?.ca ?? '', 'base64')
        .toString()
        .trim(),
    ).toBe(PEM.trim());
  });

  it.each(['Prod', 'a_b', '1st', 'prod-', '', 'a-stage-with-a-name-that-is-far-too-long'])(
    'is refused for the stage %j',
    (stage) => expect(() => parseDeployment(MINIMAL, stage)).toThrow(/^The stage must have 1 to 30 .*--stage prod/),
  );

  it.each(['p', 'prod', 'pr-1234', 'a-stage-of-exactly-30-letters1'])('has a place for the stage %s', (stage) => {
    expect(aDeployment({}, stage)).toMatchObject({ stage, secrets: { prefix: `/healer/${stage}` } });
  });
});

describe('a secret in the file', () => {
  it.each([
    ['loki.password', 'hunter2', 'loki-password'],
    ['loki.url', 'https://user:hunter2@loki.example.com', 'loki-password'],
    ['kubernetes.token', 'opaque', 'kubernetes-token'],
    ['github.appId', 123_456, 'github-app-id'],
    ['github.privateKey', 'opaque', 'github-app-key'],
    ['github.webhookSecret', 'opaque', 'github-webhook-secret'],
    ['models.evaluation.apiKey', 'opaque', 'openai-key-evaluation'],
    ['models.remediation.apiKey', 'opaque', 'openai-key-remediation'],
    [
      'notifications.webhook',
      `https://hooks.slack.com/services/T00000000/B00000000/${'aB3dE5fG7h'.repeat(2)}JkLm`,
      'notify-webhook',
    ],
    ['github-app-key', 'opaque', 'github-app-key'],
    ['loki.tenant', `ghp_${'aB3dE5fG7h'.repeat(3)}JkLmNo`, 'loki-password'],
    [
      'kubernetes.ca',
      base64('-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqG\n-----END PRIVATE KEY-----'),
      'kubernetes-token',
    ],
  ])('at %s is not repeated; its fault says what stores it', (path, value, name) => {
    const { message, faults } = faultsOf(withField(path, value));
    const own = faults.filter((fault) => fault.path === path);
    expect(own).toHaveLength(1);
    expect(own[0]?.message).toContain(`npx healer secret set ${name} --stage prod`);
    expect(message).not.toContain(String(value));
  });

  const TOKEN = `ghp_${'aB3dE5fG7h'.repeat(3)}JkLmNo`;
  const set = (name: string) => `npx healer secret set ${name} --stage prod`;

  it.each([
    [
      'loki.url',
      'https://user:pass@loki.example.com',
      ['write the address without them, the user name into loki.user', set('loki-password')],
    ],
    ['loki.url', 'https://user@loki.example.com', ['the user name into loki.user', set('loki-password')]],
    ['loki.url', `https://loki.example.com/?access_token=${TOKEN}`, ['without them', set('loki-password')]],
    ['loki.token', 'x', ['take it out', set('loki-password'), 'its user name stands in loki.user']],
    [
      'github.webUrl',
      `https://${TOKEN}@github.com`,
      ['write the address without them', 'signs in as an App', set('github-app-key')],
    ],
    [
      'github.apiUrl',
      `https://github.example.com/api/v3?access_token=${TOKEN}`,
      ['without them', 'signs in as an App'],
    ],
    ['github.token', 'x', ['takes no token of GitHub', set('github-app-key')]],
    [
      'repositories.allowed',
      [`https://x:${TOKEN}@github.com/acme/x`],
      ['write owner/name alone', 'signs in as an App'],
    ],
    ['kubernetes.url', 'https://admin:pw@10.0.0.1:6443', ['write the address without them', set('kubernetes-token')]],
    [
      'models.baseUrl',
      'https://u:k@models.example.com/v1',
      [set('openai-key-evaluation'), set('openai-key-remediation')],
    ],
    ['models.apiKey', 'x', [`${set('openai-key-evaluation')} or ${set('openai-key-remediation')}`]],
    ['api.token', 'x', ['npx healer token create --stage prod']],
    ['api.jwt.issuer', 'https://u:p@idp.example.com', ['write the address without them']],
    ['notifications.webhook', 'https://hooks.example.com/T0', ['notifications.webhook: secret', set('notify-webhook')]],
    ['notifications.slackToken', 'x', ['notifications.webhook: secret', set('notify-webhook')]],
    ['lokiPassword', 'x', [set('loki-password')]],
    ['LOKI_PASSWORD', 'x', [set('loki-password')]],
    ['kubeToken', 'x', [set('kubernetes-token')]],
    ['openaiApiKey', 'x', [set('openai-key-evaluation')]],
    ['slackWebhookToken', 'x', [set('notify-webhook')]],
    ['webhookSecret', 'x', [set('github-webhook-secret')]],
    ['githubToken', 'x', ['signs in as an App', set('github-app-key')]],
    ['secrets.kubernetesToken', 'x', [set('kubernetes-token')]],
    ['token', TOKEN, ['signs in as an App']],
    ['password', 'x', ['npx healer secret --help names the secrets']],
    ['vpc.apiKey', 'x', ['npx healer secret --help names the secrets']],
    ['proxy', 'https://user:pass@proxy.example.com', ['take them out', 'npx healer secret --help']],
  ] as const)('at %s = %j has the field and the secret in which it belongs', (path, value, advice) => {
    const { message, faults } = faultsOf(withField(path, value));
    const own = faults.filter((fault) => fault.path.startsWith(path));
    expect(own).toHaveLength(1);
    for (const part of advice) expect(own[0]?.message).toContain(part);
    expect(message).not.toMatch(/ NAME\b|hunter2|ghp_|pass@|pw@|u:k|u:p/);
  });

  it('is that of the model that the file configures', () => {
    const models = { apiKey: 'x', remediation: { name: 'm', inputUsdPerMillion: 0, outputUsdPerMillion: 0 } };
    const { message } = faultsOf({ ...MINIMAL, models });
    expect(message).toContain(set('openai-key-remediation'));
    expect(message).not.toContain('openai-key-evaluation');
  });

  it('is not a misspelt number of tokens', () => {
    const { faults } = faultsOf({ ...MINIMAL, budgets: { day: { token: 5 } } });
    expect(faults).toEqual([{ path: 'budgets.day.token', message: 'is no field; there are usd, tokens' }]);
  });

  it('is not seen in what stands in files that are in order', () => {
    const kubernetes = { url: 'https://10.0.0.1:6443', ca: base64(PEM), namespaces: ['cto', 'agents'] };
    const model = { name: 'gpt-5.1-mini-2025-11-13', inputUsdPerMillion: 0.25, outputUsdPerMillion: 2 };
    const vpc = { subnets: ['subnet-0a1b2c3d4e5f60718'], securityGroups: ['sg-0a1b2c3d4e5f60718'] };
    expect(
      aDeployment({ kubernetes, models: { evaluation: model, remediation: model }, vpc, secrets: { prefix: '/a/b' } }),
    ).toMatchObject({ vpc, secrets: { prefix: '/a/b' } });
  });
});

it('is parsed or refused with a ConfigError whatever it holds, and never repeats a value', () => {
  const marked = fc.string({ minLength: 4, maxLength: 40 }).map((text) => `\u{1F510}${text}`);
  const value = fc.oneof(marked, fc.double(), fc.boolean(), fc.constant(null), fc.array(marked), fc.object());
  const names = [
    'region',
    'repositories',
    'api',
    'loki',
    'kubernetes',
    'models',
    'budgets',
    'vpc',
    'alarms',
    'secrets',
  ];
  const file = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.dictionary(fc.string(), value)));
  fc.assert(
    fc.property(fc.oneof(file, value), (input) => {
      const { message } = faultsOf(input);
      expect(message).not.toContain('\u{1F510}');
    }),
  );
});

describe('the secrets that a configuration asks for', () => {
  const namesOf = (...[overrides]: Parameters<typeof aDeployment>) =>
    secretsOf(aDeployment(overrides))
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name);
  const model = { name: 'm', inputUsdPerMillion: 0, outputUsdPerMillion: 0 };

  it('says of each optional one what goes without it', () => {
    const optional = secretsOf(aDeployment()).filter(({ isRequired }) => !isRequired);
    expect(optional).toMatchObject([
      { name: 'github-webhook-secret', loss: expect.stringContaining('events of GitHub are not heard') },
    ]);
    expect(secretsOf(aDeployment()).every(({ isRequired, loss }) => isRequired === (loss === null))).toBe(true);
  });

  it.each([
    ['nothing optional', {}, []],
    ['a user at Loki', { loki: { url: 'https://l', user: 'healer' } }, ['loki-password']],
    ['a cluster', { kubernetes: { url: 'https://10.0.0.1' } }, ['kubernetes-token']],
    [
      'models',
      { models: { evaluation: model, remediation: model } },
      ['openai-key-evaluation', 'openai-key-remediation'],
    ],
    ['one model', { models: { remediation: model } }, ['openai-key-remediation']],
    ['a webhook', { notifications: { webhook: 'secret' } }, ['notify-webhook']],
  ] as const)('with %s', (_, overrides, names) => {
    expect(namesOf(overrides)).toEqual(['github-app-id', 'github-app-key', ...names]);
  });
});
