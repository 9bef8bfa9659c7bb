import type { Deployment } from './deployment.ts';
import { SECRETS, type SecretName } from './secrets.ts';

/** A secret that a deployment reads from the SSM Parameter Store, at `<secrets.prefix>/<name>`. */
export interface SecretNeed {
  readonly name: SecretName;
  /** What it is, for the person who stores it. */
  readonly what: string;
  /** Without a required one nothing can work, and a deployment is refused. */
  readonly isRequired: boolean;
  /** What Healer goes without where an optional one is not set, as a sentence goes on; null for a required one. */
  readonly loss: string | null;
}

const NO_EVENTS =
  'events of GitHub are not heard; what they would tell is found by looking, some minutes to hours later';

/**
 * The secrets that the configuration asks for, the required ones first. The webhook's is optional: without events GitHub
 * is looked at from time to time.
 */
export function secretsOf({ loki, kubernetes, models, notifications }: Deployment): readonly SecretNeed[] {
  const required: readonly SecretName[] = [
    'github-app-id',
    'github-app-key',
    ...(loki.user === null ? [] : (['loki-password'] as const)),
    ...(kubernetes === null ? [] : (['kubernetes-token'] as const)),
    ...(models?.evaluation ? (['openai-key-evaluation'] as const) : []),
    ...(models?.remediation ? (['openai-key-remediation'] as const) : []),
    ...(notifications.webhook === 'none' ? [] : (['notify-webhook'] as const)),
  ];
  return [
    ...required.map((name) => ({ name, what: SECRETS[name], isRequired: true, loss: null })),
    { name: 'github-webhook-secret', what: SECRETS['github-webhook-secret'], isRequired: false, loss: NO_EVENTS },
  ];
}
