import { type Topic, topicOf } from './secret-topics.ts';
import { type SecretName, toSetCommand } from './secrets.ts';

/** A value of the file in which a secret was seen. */
export interface SecretSight {
  /** Path of its field, such as `loki.url`. */
  readonly place: string;
  /** It is an address, in which the secret is a part. */
  readonly isAddress: boolean;
  /** The kind of secret, as the redaction rule that saw it calls it; undefined when the field's name tells it alone. */
  readonly kind: string | undefined;
}

/** What the advice depends on beside the value itself. */
export interface AdviceContext {
  readonly stage: string;
  /** Secrets of the models that the file configures, or of both. */
  readonly modelSecrets: readonly SecretName[];
}

/** What to write, and which command stores the secret. Goes on from the path of the field; nothing of the value is in it. */
export function adviseOn({ place, isAddress, kind = '' }: SecretSight, context: AdviceContext): string {
  const topic = topicOf(place, kind);
  // The whole address of a webhook is one secret.
  return isAddress && topic !== 'notifications'
    ? `holds a user name, password or token: ${(IN_ADDRESS[topic] ?? toUnknownAddress)(context)}`
    : `is a secret, which is never in this file: take it out${AS_VALUE[topic](context)}`;
}

type Advice = (context: AdviceContext) => string;

const LIST = 'npx healer secret --help names the secrets that Healer takes';
const toUnknownAddress: Advice = () => `take them out; ${LIST}`;

const setOf =
  (name: SecretName): Advice =>
  ({ stage }) =>
    toSetCommand(name, stage);
const setModels: Advice = ({ stage, modelSecrets }) =>
  modelSecrets.map((name) => toSetCommand(name, stage)).join(' or ');

const run =
  (command: Advice): Advice =>
  (context) =>
    ` and run ${command(context)}`;
const asApp: Advice = (context) =>
  `; Healer takes no token of GitHub but signs in as an App, whose key is stored by ${setOf('github-app-key')(context)}`;

/** Where a secret belongs, after "take it out". */
const AS_VALUE: Readonly<Record<Topic, Advice>> = {
  loki: (context) => `${run(setOf('loki-password'))(context)}; its user name stands in loki.user`,
  kubernetes: run(setOf('kubernetes-token')),
  certificate: (context) =>
    `, write the certificate authority alone, and for a token of a service account run ${setOf('kubernetes-token')(context)}`,
  events: run(setOf('github-webhook-secret')),
  'app-id': run(setOf('github-app-id')),
  'app-key': run(setOf('github-app-key')),
  'github-token': asApp,
  repositories: asApp,
  evaluation: run(setOf('openai-key-evaluation')),
  remediation: run(setOf('openai-key-remediation')),
  models: run(setModels),
  notifications: (context) => `, write notifications.webhook: secret, and run ${setOf('notify-webhook')(context)}`,
  api: ({ stage }) => `; npx healer token create --stage ${stage} makes the tokens of the API`,
  unknown: () => `; ${LIST}`,
};

const BARE = 'write the address without them';
const toModelAddress: Advice = (context) => `${BARE}, and for the key of a model run ${setModels(context)}`;
const toGithubAddress: Advice = (context) => `${BARE}${asApp(context)}`;

/** What becomes of an address and of who signs in there. */
const IN_ADDRESS: Readonly<Partial<Record<Topic, Advice>>> = {
  loki: (context) =>
    `${BARE}, the user name into loki.user, and for the password run ${setOf('loki-password')(context)}`,
  kubernetes: (context) => `${BARE}, and for a token of a service account run ${setOf('kubernetes-token')(context)}`,
  events: toGithubAddress,
  'app-id': toGithubAddress,
  'app-key': toGithubAddress,
  'github-token': toGithubAddress,
  repositories: (context) => `write owner/name alone${asApp(context)}`,
  evaluation: toModelAddress,
  remediation: toModelAddress,
  models: toModelAddress,
  api: () => `${BARE}; an issuer tells its keys to everybody`,
};
