// Plugin of the Serverless Framework: before a deployment it looks at what an operator sets (infra/parameters.yml, stage,
// region) and stops with every fault and what to write where, before anything is packaged or uploaded. Packaging alone
// needs none of the values, so `serverless package` is not checked.
const OWNER = '[A-Za-z0-9][A-Za-z0-9-]{0,38}';
const REPOSITORY = new RegExp(`^${OWNER}/[A-Za-z0-9._-]{1,100}$`);
const ALLOWED = new RegExp(`^${OWNER}(/\\*|/[A-Za-z0-9._-]{1,100})?$`);
const MODE = new RegExp(`^(\\*|${OWNER}/(\\*|[A-Za-z0-9._-]{1,100}))=(guarded|auto|label|off)$`);
/** The longest name that AWS limits is a function's: 64 characters, of which `healer-` and the function take up to 30. */
const STAGE = /^[a-z][a-z0-9-]{0,28}[a-z0-9]$|^[a-z]$/;
const REGION = /^[a-z]{2}(-[a-z]+)+-\d+$/;

const splitList = (text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

function isUrl(text, isPlainAllowed) {
  try {
    const { protocol, username, password } = new URL(text);
    return (protocol === 'https:' || (isPlainAllowed && protocol === 'http:')) && username === '' && password === '';
  } catch {
    return false;
  }
}

const isCertificate = (text) => /-----BEGIN CERTIFICATE-----/.test(Buffer.from(text, 'base64').toString());
const isLoopback = (text) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/.test(text);
const isWhole = (text, min, max) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
const oneOf = (...words) => ({ holds: (text) => words.includes(text), expected: `one of ${words.join(', ')}` });
const whole = (min, max) => ({
  holds: (text) => isWhole(text, min, max),
  expected: `a whole number from ${min} to ${max}`,
});

const isUsd = (text) => /^\d{1,6}(\.\d{1,6})?$/.test(text);
const price = { holds: (text) => text === '' || isUsd(text), expected: 'a price in USD, or empty', example: '0.75' };
const amount = { holds: isUsd, expected: 'an amount in USD', example: '5' };

/** What each parameter must be, and an example that can be pasted. A parameter that is not listed is free text. */
const RULES = {
  allowedRepositories: {
    holds: (text) => splitList(text).length > 0 && splitList(text).every((entry) => ALLOWED.test(entry)),
    expected: 'the repositories that Healer may watch, as a comma-separated list of owner, owner/* and owner/name',
    example: 'acme/*',
  },
  platformRepository: { holds: (text) => text === '' || REPOSITORY.test(text), expected: 'owner/name, or empty' },
  lokiUrl: {
    holds: (text) => isUrl(text, true),
    expected: 'the address of Loki, without user and password',
    example: 'https://loki.example.com',
  },
  lokiSelector: {
    holds: (text) => text === '' || (text.startsWith('{') && text.includes('"$namespace"')),
    expected: 'empty, or a LogQL stream selector that contains "$namespace"',
    example: '{cluster="prod", namespace="$namespace"}',
  },
  lokiLineFilter: oneOf('on', 'off'),
  kubeUrl: {
    holds: (text) => text === '' || isUrl(text, false) || isLoopback(text),
    expected: 'the address of the Kubernetes API with https, or empty',
    example: 'https://10.0.0.1:6443',
  },
  kubeCa: {
    holds: (text) => text === '' || isCertificate(text),
    expected: "the cluster's certificate authority as PEM in base64, or empty",
    example: "$(kubectl config view --raw --minify -o jsonpath='{.clusters[0].cluster.certificate-authority-data}')",
  },
  githubApiUrl: {
    holds: (text) => isUrl(text, false) || isLoopback(text),
    expected: "the base of GitHub's REST API, with https",
    example: 'https://api.github.com',
  },
  githubWebUrl: {
    holds: (text) => text === '' || isUrl(text, false) || isLoopback(text),
    expected: "the address of GitHub's pages for people, with https, or empty",
    example: 'https://github.com',
  },
  secretsPrefix: {
    holds: (text) => /^(\/[A-Za-z0-9_.-]+)+$/.test(text),
    expected: 'a path in the SSM Parameter Store that begins with / and does not end with it',
    example: '/healer/prod',
  },
  apiAuthorization: oneOf('token', 'jwt', 'iam'),
  throttlingRate: whole(1, 10_000),
  throttlingBurst: whole(1, 10_000),
  evidenceInPublicRepositories: oneOf('show', 'hide'),
  sessionRetentionDays: whole(1, 3650),
  sessionIdleHours: whole(1, 168),
  sessionMaxHours: whole(1, 168),
  openaiBaseUrl: {
    holds: (text) => isUrl(text, true),
    expected: "the base of an endpoint that serves OpenAI's chat completions, without user and password",
    example: 'https://api.openai.com/v1',
  },
  evaluationInputUsdPerMillion: price,
  evaluationOutputUsdPerMillion: price,
  remediationInputUsdPerMillion: price,
  remediationOutputUsdPerMillion: price,
  remediationModes: {
    holds: (text) => splitList(text).every((entry) => MODE.test(entry)),
    expected:
      'a comma-separated list of owner/name=mode, owner/*=mode and *=mode; modes are guarded, auto, label and off',
    example: 'acme/*=guarded,acme/sandbox=auto',
  },
  budgetUsdPerIncident: amount,
  budgetUsdPerPlay: amount,
  budgetUsdPerDay: amount,
  budgetTokensPerIncident: whole(0, 1_000_000_000),
  budgetTokensPerPlay: whole(0, 1_000_000_000),
  budgetTokensPerDay: whole(0, 1_000_000_000),
  logLevel: oneOf('debug', 'info', 'warn', 'error'),
};

const say = (name, { expected, example }) =>
  `${name} must be ${expected}. Write --param "${name}=${example ?? '…'}", or the value into infra/parameters.yml.`;

/** A sentence for each fault of the resolved configuration; none when it can be deployed. Values are never repeated. */
function findFaults({ stage, region, parameters, known = Object.keys(parameters) }) {
  const faults = Object.entries(RULES)
    .filter(([name, rule]) => name in parameters && !rule.holds(String(parameters[name] ?? '').trim()))
    .map(([name, rule]) => say(name, rule));
  for (const name of Object.keys(parameters).filter((each) => !known.includes(each))) {
    faults.push(`There is no parameter ${name}. infra/parameters.yml has them all: ${known.join(', ')}.`);
  }
  if (parameters.apiAuthorization === 'jwt') {
    if (!isUrl(parameters.jwtIssuer, false))
      faults.push(say('jwtIssuer', { expected: 'the https address of the issuer' }));
    if (!parameters.jwtAudience) faults.push(say('jwtAudience', { expected: "the audience of Healer's tokens" }));
  }
  for (const stage of ['evaluation', 'remediation']) {
    const prices = [`${stage}InputUsdPerMillion`, `${stage}OutputUsdPerMillion`];
    const missing = parameters[`${stage}Model`] ? prices.filter((name) => parameters[name] === '') : [];
    faults.push(...missing.map((name) => say(name, { expected: `the price of ${stage}Model`, example: '0.75' })));
  }
  if (!STAGE.test(stage)) {
    faults.unshift(
      'The stage must have 1 to 30 characters: lower-case letters, digits and hyphens, a letter first, no hyphen at the ' +
        'end. Write --stage prod.',
    );
  }
  if (!REGION.test(region))
    faults.unshift('The region must be the name of an AWS region. Write --region eu-central-1.');
  return faults;
}

class CheckConfiguration {
  constructor(serverless) {
    this.serverless = serverless;
    this.hooks = { initialize: () => this.check() };
  }

  known() {
    return Object.keys(this.serverless.configurationInput.params.default);
  }

  /** As the framework resolves `${param:…}`: the command line first, then the stage's own values, then the defaults. */
  parameters(stage) {
    const { params } = this.serverless.configurationInput;
    const words = (this.serverless.processedInput.options.param ?? []).map((word) => word.split(/=(.*)/s));
    const given = Object.fromEntries(words.map(([name, value = '']) => [name, value]));
    return { ...params.default, ...params[stage], ...given };
  }

  check() {
    if (this.serverless.processedInput.commands[0] !== 'deploy') return;
    const { service, classes } = this.serverless;
    const { stage, region } = service.provider;
    const faults = findFaults({ stage, region, parameters: this.parameters(stage), known: this.known() });
    if (faults.length === 0) return;
    const list = faults.map((fault) => `- ${fault}`).join('\n');
    throw new classes.Error(
      `Nothing was deployed: the configuration has ${faults.length} fault(s).\n${list}`,
      'HEALER_CONFIGURATION',
    );
  }
}

module.exports = CheckConfiguration;
module.exports.findFaults = findFaults;
