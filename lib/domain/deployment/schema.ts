import * as z from 'zod';
import { MODES } from '../remediation/modes.ts';
import { parseAllowList } from '../session/allow-list.ts';
import { toRepositoryName } from '../session/repository-name.ts';
import { address, isLike, oneOf, orNone, parsedText, section, short, text, toBlock, usd, whole } from './fields.ts';
import { isRegion, sayRegion } from './regions.ts';
import { kubernetes, loki, vpc } from './source-schemas.ts';

const DAYS = whole(1, 3650);
const HOURS = whole(1, 168);
const TOKENS = whole(0, 1_000_000_000);
/** Retentions that CloudWatch Logs knows, in days (API reference, PutRetentionPolicy). */
const LOG_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const MODE_OF = /^(?:\*|[a-z0-9][a-z0-9-]{0,38}\/(?:\*|[a-z0-9._-]{1,100}))$/i;

const allowed = parsedText('owner, owner/* or owner/name', 'acme/*', (entry) => {
  const [pattern, ...others] = parseAllowList(entry);
  if (pattern === undefined || others.length > 0) throw new RangeError('one entry');
  return pattern;
});

const model = orNone(
  toBlock({
    name: text('the name of a model', 'gpt-5-mini', isLike(/^\S{1,200}$/)).describe('As the endpoint calls it.'),
    inputUsdPerMillion: usd().describe(
      "USD per million tokens that it reads, from the provider's price list; 0 is a price.",
    ),
    outputUsdPerMillion: usd().describe('USD per million tokens that it writes.'),
  }),
);

const budget = (usdDefault: number, tokensDefault: number) =>
  section({
    usd: usd().default(usdDefault).describe('USD.'),
    tokens: TOKENS.default(tokensDefault).describe('Tokens of both directions.'),
  });

const api = section({
  authorization: oneOf('token', 'jwt', 'iam')
    .default('token')
    .describe('Who may call: token (bearer tokens of `healer token create`), jwt or iam; see docs/security.md.'),
  jwt: orNone(
    toBlock({
      issuer: address('the address of the issuer', 'https://idp.example.com/realms/acme').describe(
        'Address of the OpenID Connect issuer, as its tokens name it.',
      ),
      audience: text("the audience of Healer's tokens", 'healer', (value) => value !== '').describe(
        "Audience of Healer's tokens.",
      ),
    }),
  ).describe('Whose tokens are taken with authorization jwt, else none.'),
  throttling: section({
    rate: whole(1, 10_000).default(50).describe('Requests a second that are taken for long.'),
    burst: whole(1, 10_000).default(100).describe('Requests that are taken at once.'),
  }).describe('Over all callers; more are answered 429.'),
});

/**
 * What an operator decides for one stage, as it stands in `healer.<stage>.yml`. Secrets are never in it. The descriptions
 * become the comments of the file that `healer init` writes.
 */
export const deploymentSchema = toBlock({
  region: z
    .string({ error: ({ input }) => sayRegion(input) })
    .refine(isRegion, { error: ({ input }) => sayRegion(input) })
    .default('eu-central-1')
    .describe('AWS region.'),
  repositories: section({
    allowed: short(
      2_000,
      z
        .array(allowed, { error: () => 'must be a list of owner, owner/* and owner/name, e.g. [acme/*]' })
        .min(1, { error: () => 'must name at least one repository, e.g. [acme/*]' }),
    ).describe('Whose plays may be announced: owner, owner/* and owner/name.'),
    platform: orNone(parsedText('owner/name', 'acme/platform', toRepositoryName)).describe(
      "Where failures of configuration, tools and infrastructure are told; none: the play's own repository.",
    ),
  }).describe('Repositories that are watched.'),
  api: api.describe('The session API.'),
  loki: loki.describe("Where the logs of the agents' pods are read."),
  kubernetes: kubernetes.describe("The agents' cluster; none: logs alone are read."),
  github: section({
    apiUrl: address("the base of GitHub's REST API", 'https://api.github.com')
      .default('https://api.github.com')
      .describe("Base of GitHub's REST API; https://<host>/api/v3 for an Enterprise Server."),
    webUrl: orNone(address("the address of GitHub's pages for people", 'https://github.com')).describe(
      "GitHub's pages for people, for the links in issues; none: derived from apiUrl.",
    ),
    evidenceInPublicRepositories: oneOf('hide', 'show')
      .default('hide')
      .describe('show puts log lines into issues of public repositories too.'),
  }).describe('Where issues and pull requests are made.'),
  models: orNone(
    toBlock({
      baseUrl: address("the base of an endpoint that serves OpenAI's chat completions", 'https://api.openai.com/v1', {
        isPlainAllowed: true,
      })
        .default('https://api.openai.com/v1')
        .describe("Base of an endpoint that serves OpenAI's chat completions with structured outputs."),
      evaluation: model.describe(
        'Adds to the diagnoses; its key is the secret openai-key-evaluation. none: fixed rules alone.',
      ),
      remediation: model.describe(
        'Writes patches where no rule knows one; its key is the secret openai-key-remediation. none: rules alone.',
      ),
    }),
  ).describe('Language models; none: diagnoses and patches come from fixed rules alone.'),
  remediation: section({
    mode: oneOf(...MODES)
      .default('guarded')
      .describe(
        'When a proposal goes out as a draft pull request. guarded: what code computed and what CI does not run at once, ' +
          "the rest with a maintainer's label healer:fix; auto: at once; label: nothing without the label; off: never.",
      ),
    modes: z
      .record(z.string().refine(isLike(MODE_OF), { error: () => 'must be owner/name or owner/*' }), oneOf(...MODES), {
        error: () => 'must be a block of owner/name: mode, e.g. acme/sandbox: auto',
      })
      .default({})
      .describe('Other modes by repository, e.g. acme/sandbox: auto.'),
  }).describe('Proposed fixes.'),
  budgets: section({
    incident: budget(2, 400_000).describe('Of one incident.'),
    play: budget(5, 1_000_000).describe('Of one play.'),
    day: budget(50, 10_000_000).describe('Of one day (UTC).'),
  }).describe('What models may use; a call that does not fit is not made.'),
  retention: section({
    sessionDays: DAYS.default(30).describe('Days for which ended sessions and their traces are kept.'),
    logDays: z
      .literal(LOG_DAYS, { error: () => `must be one of ${LOG_DAYS.join(', ')}` })
      .default(30)
      .describe("Days for which the functions' logs are kept."),
  }).describe('How long things are kept.'),
  sessions: section({
    idleHours: HOURS.default(6).describe(
      'Hours without a line after which a session ends; unread time does not count.',
    ),
    maxHours: HOURS.default(48).describe('Hours after which a session ends even if nobody ends it.'),
  }).describe('When sessions end by themselves.'),
  notifications: section({
    webhook: oneOf('none', 'secret')
      .default('none')
      .describe(
        'secret: a Slack-compatible webhook, whose address is the secret notify-webhook, is told of critical failures.',
      ),
  }).describe('Who is told at once.'),
  vpc: vpc.describe(
    'Where the functions detect and gather run, for a Loki or a cluster that is not public; none: outside.',
  ),
  alarms: section({
    email: orNone(z.email({ error: () => 'must be an e-mail address, e.g. oncall@example.com' })).describe(
      'Who gets alarms by mail; AWS sends a mail that must be confirmed.',
    ),
  }).describe("Alarms on Healer's own state."),
  secrets: section({
    prefix: orNone(
      text(
        'a path in the SSM Parameter Store that begins with / and does not end with it',
        '/healer/prod',
        isLike(/^(?:\/[A-Za-z0-9_.-]+){1,14}$/),
      ),
    ).describe('Path in the SSM Parameter Store; none: /healer/<stage>.'),
  }).describe('Where `healer secret set` puts secrets; they are never in this file.'),
  logLevel: oneOf('debug', 'info', 'warn', 'error').default('info').describe('How much the functions log.'),
});
