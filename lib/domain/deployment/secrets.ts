/** Every secret that Healer knows, at `<secrets.prefix>/<name>` in the SSM Parameter Store, and what it is. */
export const SECRETS = {
  'github-app-id': "the GitHub App's id, a number",
  'github-app-key': "the GitHub App's private key, PEM",
  'github-webhook-secret': 'what GitHub signs its events with',
  'loki-password': 'the password of loki.user',
  'kubernetes-token': 'a token of a service account that may read the cluster',
  'openai-key-evaluation': 'the key of models.evaluation',
  'openai-key-remediation': 'the key of models.remediation',
  'notify-webhook': 'the address of a Slack-compatible webhook',
} as const;
export type SecretName = keyof typeof SECRETS;

export const SECRET_NAMES = Object.keys(SECRETS) as readonly SecretName[];

export const isSecretName = (name: string): name is SecretName => Object.hasOwn(SECRETS, name);

/** What stores a secret; the value is asked for, or comes by stdin. */
export const toSetCommand = (name: SecretName, stage: string): string =>
  `npx healer secret set ${name} --stage ${stage}`;
