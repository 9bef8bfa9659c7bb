import { parseArgs } from 'node:util';
import { ConfigError } from '#lib/domain/errors.ts';
import { toWebUrl } from '#lib/domain/publication/links.ts';
import { type CliIo, type Command, UsageError } from '../command.ts';
import { toWebhookUrl } from '../github-app/webhook-url.ts';
import { openSecretStore } from '../secret/secret-store.ts';
import { convertCode } from '../setup/convert-code.ts';
import { ensureNoApp, storeApp } from '../setup/make-app.ts';
import { MOST_NAME, NO_WEBHOOK, toManifest } from '../setup/manifest.ts';
import { runManifestFlow } from '../setup/manifest-flow.ts';
import { setWebhook } from '../setup/set-webhook.ts';
import { findApiUrl } from '../stage/find-stack.ts';
import { type ConfiguredStage, FILE_HELP, FILE_OPTIONS, readStage } from '../stage/stage.ts';

const HELP = `
Usage: healer setup github --stage STAGE --organization ORG
       healer setup github --stage STAGE --webhook

Makes the GitHub App of a deployment with exactly the permissions and events
that Healer uses, by GitHub's manifest flow: open the address that is printed in
a browser, and say yes on GitHub. Stores its id, its key and its webhook's
secret in the SSM Parameter Store, and says where to install it.

Options:
  --organization ORG who owns the App
  --personal         your own account owns it
  --name NAME        of the App (default: healer-STAGE-ORG)
  --webhook          only sends the App's events to the deployment: needed when
                     the App was made before the first deployment
  --webhook-url URL  another address for the events than the stack's
  --manifest-only    prints the manifest, and does nothing
  --port PORT        of the page on 127.0.0.1 (default: any); for a browser on
                     another machine: ssh -L PORT:127.0.0.1:PORT
  --force            makes another App where one is set up
${FILE_HELP}

It uses your AWS credentials, as the AWS CLI finds them. GitHub Enterprise is
taken from github.apiUrl and github.webUrl of the configuration.

Example:
  npx healer setup github --stage prod --organization acme
`;

const OPTIONS = {
  ...FILE_OPTIONS,
  organization: { type: 'string' },
  personal: { type: 'boolean', default: false },
  name: { type: 'string' },
  webhook: { type: 'boolean', default: false },
  'webhook-url': { type: 'string' },
  'manifest-only': { type: 'boolean', default: false },
  port: { type: 'string', default: '0' },
  force: { type: 'boolean', default: false },
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
type Values = ReturnType<typeof parse>['values'];

/** Long enough to find somebody who may make Apps. */
const WITHIN_MS = 15 * 60_000;

export const command: Command = {
  summary: "makes a deployment's GitHub App and stores its key",
  help: HELP,
  async run(args, io) {
    const { values, positionals } = parse(args);
    if (positionals.join(' ') !== 'github') throw new UsageError('say what to set up: github');
    checkUrl(values['webhook-url']);
    const stage = await readStage(values, io.env);
    if (values.webhook) return pointWebhook(stage, values, io);
    const wish = toWish(stage, values);
    if (values['manifest-only']) {
      const manifest = toManifest({ ...wish, webhookUrl: values['webhook-url'] ?? NO_WEBHOOK });
      return print(io, JSON.stringify(manifest, null, 2));
    }
    return make(stage, wish, values, io);
  },
};

/** @throws UsageError; GitHub takes no other address */
function checkUrl(url: string | undefined): void {
  if (url === undefined || (URL.canParse(url) && new URL(url).protocol === 'https:')) return;
  throw new UsageError('--webhook-url must be an address with https');
}

/** What the App shall be, and where GitHub makes it. @throws UsageError */
function toWish({ name: stage, deployment }: ConfiguredStage, values: Values) {
  const { organization, personal } = values;
  if ((organization === undefined) === !personal) {
    throw new UsageError('name the owner of the App with --organization, or your own account with --personal');
  }
  if (organization !== undefined && !/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(organization)) {
    throw new UsageError('--organization must be the name of an organization on GitHub, e.g. acme');
  }
  const name = values.name ?? `healer-${stage}-${organization ?? 'app'}`.slice(0, MOST_NAME).replace(/-+$/, '');
  if (name.trim() === '' || name.length > MOST_NAME)
    throw new UsageError(`--name must have 1 to ${MOST_NAME} characters`);
  const web = (deployment.github.webUrl ?? toWebUrl(deployment.github.apiUrl)).replace(/\/+$/, '');
  const owner = organization === undefined ? '' : `/organizations/${organization}`;
  return {
    name,
    homePage: organization === undefined ? web : `${web}/${organization}`,
    newAppUrl: `${web}${owner}/settings/apps/new`,
  };
}

async function make(
  stage: ConfiguredStage,
  wish: ReturnType<typeof toWish>,
  values: Values,
  io: CliIo,
): Promise<number> {
  const secrets = openSecretStore(stage);
  // Before GitHub makes anything: what it hands out can be stored.
  if (!values.force) await ensureNoApp(secrets);
  const known = values['webhook-url'] ?? (await findWebhookUrl(stage));
  const app = await runManifestFlow({
    port: toPort(values.port),
    newAppUrl: wish.newAppUrl,
    toManifest: (redirectUrl) => toManifest({ ...wish, webhookUrl: known ?? NO_WEBHOOK, redirectUrl }),
    exchange: (code) => convertCode(stage.deployment.github.apiUrl, code),
    onAddress: (url) =>
      print(io, `Open this in a browser on this machine, within ${WITHIN_MS / 60_000} minutes:\n\n  ${url}\n`),
    signal: io.signal,
    withinMs: WITHIN_MS,
  });
  await storeApp(secrets, app);
  return print(io, toGuide(stage, app, known));
}

function toGuide(
  { name, deployment }: ConfiguredStage,
  app: { slug: string; html_url: string },
  webhook: string | undefined,
): string {
  const command = `npx healer setup github --webhook --stage ${name}`;
  return [
    `The App ${app.slug} is made; its id and key are stored below ${deployment.secrets.prefix}.`,
    `Its events go to ${webhook ?? 'nobody yet'}.`,
    '',
    ...(webhook === undefined
      ? [`1. Deploy:          npx serverless deploy --stage ${name}`, `2. Send its events: ${command}`]
      : []),
    `${webhook === undefined ? '3. ' : ''}Install it on the repositories that Healer shall watch: ${app.html_url}/installations/new`,
  ].join('\n');
}

async function pointWebhook(stage: ConfiguredStage, values: Values, io: CliIo): Promise<number> {
  const url = values['webhook-url'] ?? (await findWebhookUrl(stage));
  if (url === undefined) {
    throw new ConfigError(`the stage is not deployed: npx serverless deploy --stage ${stage.name}, then this again`);
  }
  await setWebhook(stage, openSecretStore(stage), url);
  return print(io, `The App's events go to ${url}.`);
}

async function findWebhookUrl(stage: ConfiguredStage): Promise<string | undefined> {
  const apiUrl = await findApiUrl(stage);
  return apiUrl && toWebhookUrl(apiUrl);
}

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError('--port must be a number from 0 to 65535');
}

function print(io: CliIo, text: string): number {
  io.stdout.write(`${text}\n`);
  return 0;
}
