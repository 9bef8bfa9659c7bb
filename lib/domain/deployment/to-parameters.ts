import { type Deployment, parseDeployment } from './deployment.ts';

/** Values of `${param:…}` in serverless.yml and infra/. */
export type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

/** A function reads an empty variable as one that is not set. */
const orEmpty = (value: string | null): string => value ?? '';

/** What the template is made with. */
export const toParameters = (deployment: Deployment): Parameters => ({
  region: deployment.region,
  logLevel: deployment.logLevel,
  secretsPrefix: deployment.secrets.prefix,
  allowedRepositories: deployment.repositories.allowed.join(','),
  platformRepository: orEmpty(deployment.repositories.platform),
  sessionRetentionDays: String(deployment.retention.sessionDays),
  logRetentionDays: deployment.retention.logDays,
  sessionIdleHours: String(deployment.sessions.idleHours),
  sessionMaxHours: String(deployment.sessions.maxHours),
  alarmEmail: orEmpty(deployment.alarms.email),
  alarmMail: deployment.alarms.email === null ? 'none' : 'own',
  notifications: deployment.notifications.webhook,
  ...toApi(deployment),
  ...toSources(deployment),
  ...toNetwork(deployment),
  ...toGithub(deployment),
  ...toModels(deployment),
  ...toBudgets(deployment),
});

const toApi = ({ api }: Deployment): Parameters => ({
  apiAuthorization: api.authorization,
  jwtIssuer: orEmpty(api.jwt?.issuer ?? null),
  jwtAudience: orEmpty(api.jwt?.audience ?? null),
  throttlingRate: String(api.throttling.rate),
  throttlingBurst: String(api.throttling.burst),
});

const toSources = ({ loki, kubernetes }: Deployment): Parameters => ({
  lokiUrl: loki.url,
  lokiTenant: orEmpty(loki.tenant),
  lokiUser: orEmpty(loki.user),
  lokiSelector: loki.selector,
  lokiPodLabel: loki.podLabel,
  lokiLongestPauseSeconds: String(loki.longestPauseSeconds),
  lokiLineFilter: loki.lineFilter,
  kubeUrl: orEmpty(kubernetes?.url ?? null),
  kubeCa: orEmpty(kubernetes?.ca ?? null),
  kubeNamespaces: (kubernetes?.namespaces ?? []).join(','),
});

/** `network` picks the block of infra/network.yml. */
const toNetwork = ({ vpc }: Deployment): Parameters => ({
  network: vpc === null ? 'none' : 'vpc',
  subnets: vpc?.subnets ?? [],
  securityGroups: vpc?.securityGroups ?? [],
});

const toGithub = ({ github, remediation }: Deployment): Parameters => ({
  githubApiUrl: github.apiUrl,
  githubWebUrl: orEmpty(github.webUrl),
  evidenceInPublicRepositories: github.evidenceInPublicRepositories,
  remediationModes: Object.entries({ '*': remediation.mode, ...remediation.modes })
    .map(([pattern, mode]) => `${pattern}=${mode}`)
    .join(','),
});

function toModels({ models }: Deployment): Parameters {
  const { evaluation = null, remediation = null } = models ?? {};
  return {
    openaiBaseUrl: orEmpty(models?.baseUrl ?? null),
    evaluationModel: evaluation?.name ?? '',
    evaluationInputUsdPerMillion: toUsd(evaluation?.inputUsdPerMillion),
    evaluationOutputUsdPerMillion: toUsd(evaluation?.outputUsdPerMillion),
    remediationModel: remediation?.name ?? '',
    remediationInputUsdPerMillion: toUsd(remediation?.inputUsdPerMillion),
    remediationOutputUsdPerMillion: toUsd(remediation?.outputUsdPerMillion),
  };
}

const toBudgets = ({ budgets: { incident, play, day } }: Deployment): Parameters => ({
  budgetUsdPerIncident: toUsd(incident.usd),
  budgetUsdPerPlay: toUsd(play.usd),
  budgetUsdPerDay: toUsd(day.usd),
  budgetTokensPerIncident: String(incident.tokens),
  budgetTokensPerPlay: String(play.tokens),
  budgetTokensPerDay: String(day.tokens),
});

/** Without an exponent, as the functions read it: 0.000001 too. */
const toUsd = (amount: number | undefined): string =>
  amount === undefined ? '' : amount.toFixed(6).replace(/\.?0+$/, '');

const PLACE = { repositories: { allowed: ['acme/*'] }, loki: { url: 'https://loki.example.com' } };

/**
 * For packaging without a file: every default, and nothing where there is none. Functions refuse to start with that, so it
 * is no deployment; the local stack sets what it needs itself.
 */
export const defaultParameters = (stage: string): Parameters => ({
  ...toParameters(parseDeployment(PLACE, stage)),
  allowedRepositories: '',
  lokiUrl: '',
});
