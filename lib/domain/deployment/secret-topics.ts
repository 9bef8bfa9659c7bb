import { isSecretName, type SecretName } from './secrets.ts';

/** What a secret is about, where the file's blocks or its name tell it. */
export type Topic =
  | 'loki'
  | 'kubernetes'
  | 'certificate'
  | 'events'
  | 'app-id'
  | 'app-key'
  | 'github-token'
  | 'repositories'
  | 'models'
  | 'evaluation'
  | 'remediation'
  | 'notifications'
  | 'api'
  | 'unknown';

const OF_SECRET: Readonly<Record<SecretName, Topic>> = {
  'github-app-id': 'app-id',
  'github-app-key': 'app-key',
  'github-webhook-secret': 'events',
  'loki-password': 'loki',
  'kubernetes-token': 'kubernetes',
  'openai-key-evaluation': 'evaluation',
  'openai-key-remediation': 'remediation',
  'notify-webhook': 'notifications',
};

/** The first that fits counts. */
const OF_PLACE: readonly (readonly [place: RegExp, topic: Topic])[] = [
  [/^loki\b/, 'loki'],
  [/^kubernetes\.ca$/, 'certificate'],
  [/^kubernetes\b/, 'kubernetes'],
  [/^github\.webhook/i, 'events'],
  [/^github\..*id$/i, 'app-id'],
  [/^github\..*(?:token|url)$/i, 'github-token'],
  [/^github\b/, 'app-key'],
  [/^repositories\b/, 'repositories'],
  [/^models\.remediation\b/, 'remediation'],
  [/^models\.evaluation\b/, 'evaluation'],
  [/^models\b/, 'models'],
  [/^notifications\b/, 'notifications'],
  [/^api\b/, 'api'],
];

/** Words in the names of fields that there are not. */
const OF_WORDS: readonly (readonly [words: RegExp, topic: Topic])[] = [
  [/loki|grafana/i, 'loki'],
  [/kube|k8s|cluster|service-?account/i, 'kubernetes'],
  [/webhook-?secret/i, 'events'],
  [/slack|notif|webhook/i, 'notifications'],
  [/app-?id/i, 'app-id'],
  [/(?:github|gh).*token/i, 'github-token'],
  [/github|app-?key|private-?key|\bpem\b/i, 'app-key'],
  [/open-?ai|anthropic|llm|model/i, 'models'],
];

const OF_KIND: readonly (readonly [kind: RegExp, topic: Topic])[] = [
  [/webhook$/, 'notifications'],
  [/^github/, 'github-token'],
  [/^private-?key$/, 'app-key'],
  [/^grafana/, 'loki'],
  [/^(?:openai|anthropic|openrouter|groq|xai)/, 'models'],
];

/**
 * @param place path of the field, such as `loki.url`
 * @param kind of secret, as the redaction rule that saw it calls it; empty when the field's name tells it alone
 */
export function topicOf(place: string, kind: string): Topic {
  const dashed = toDashed(place);
  const field = dashed.split('.').at(-1) ?? '';
  if (isSecretName(field)) return OF_SECRET[field];
  const find = (rows: readonly (readonly [RegExp, Topic])[], text: string) =>
    rows.find(([pattern]) => pattern.test(text))?.[1];
  return find(OF_PLACE, place) ?? find(OF_WORDS, dashed) ?? find(OF_KIND, kind) ?? 'unknown';
}

/** `LOKI_PASSWORD` and `lokiPassword` become `loki-password`. */
export const toDashed = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
