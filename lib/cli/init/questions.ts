/** One question of `healer init`. Its explanation and its check are the field's own. */
export interface Question {
  /** Field of the file. */
  readonly path: string;
  readonly message: string;
  /** What Enter gives; absent: something must be written. */
  readonly fallback?: string;
  /** Answers among which is chosen. */
  readonly choices?: readonly string[];
}

/** Questions that belong together; with a `gate`, they are asked only when that is answered with yes. */
export interface Topic {
  readonly gate?: { readonly path: string; readonly message: string };
  readonly questions: readonly Question[];
}

const modelOf = (stage: 'evaluation' | 'remediation', message: string): Topic => ({
  gate: { path: `models.${stage}`, message },
  questions: [
    { path: 'models.baseUrl', message: 'Address of the endpoint', fallback: 'https://api.openai.com/v1' },
    { path: `models.${stage}.name`, message: 'Name of the model' },
    { path: `models.${stage}.inputUsdPerMillion`, message: 'USD per million tokens of input' },
    { path: `models.${stage}.outputUsdPerMillion`, message: 'USD per million tokens of output' },
  ],
});

/** What differs from deployment to deployment; everything else has a default that stands in the file. */
export const TOPICS: readonly Topic[] = [
  {
    questions: [
      { path: 'region', message: 'AWS region', fallback: 'eu-central-1' },
      { path: 'repositories.allowed', message: 'Repositories, separated by commas (acme/* is all of acme)' },
      { path: 'repositories.platform', message: 'Repository of the platform', fallback: 'none' },
      { path: 'loki.url', message: 'Address of Loki' },
      { path: 'loki.user', message: 'User at Loki', fallback: 'none' },
      { path: 'loki.tenant', message: 'Tenant at Loki', fallback: 'none' },
    ],
  },
  {
    gate: { path: 'kubernetes', message: 'Read the Kubernetes API as well?' },
    questions: [
      { path: 'kubernetes.url', message: 'Address of the Kubernetes API' },
      { path: 'kubernetes.ca', message: 'Its certificate authority, in base64', fallback: 'none' },
      { path: 'kubernetes.namespaces', message: 'Namespaces, separated by commas', fallback: '' },
    ],
  },
  modelOf('evaluation', 'Let a model add to the diagnoses?'),
  modelOf('remediation', 'Let a model write patches where no rule knows one?'),
  {
    questions: [
      {
        path: 'remediation.mode',
        message: 'When may a proposed fix go out?',
        fallback: 'guarded',
        choices: ['guarded', 'auto', 'label', 'off'],
      },
      {
        path: 'notifications.webhook',
        message: 'Tell a Slack-compatible webhook?',
        fallback: 'none',
        choices: ['none', 'secret'],
      },
      { path: 'alarms.email', message: 'E-mail address for alarms', fallback: 'none' },
    ],
  },
  {
    gate: { path: 'vpc', message: 'Run detect and gather inside a VPC?' },
    questions: [
      { path: 'vpc.subnets', message: 'Subnets, separated by commas' },
      { path: 'vpc.securityGroups', message: 'Security groups, separated by commas' },
    ],
  },
];
