import { APP_EVENTS } from '#lib/app/app-permissions.ts';
import { type App, type AppClient, type Installation, openAppClient } from '../github-app/app-client.ts';
import { toSetupCommand } from '../github-app/setup-command.ts';
import type { SecretStore } from '../secret/secret-store.ts';
import type { ConfiguredStage } from '../stage/stage.ts';
import { checkWebhook } from './check-webhook.ts';
import { comparePermissions } from './compare-permissions.ts';
import { attempt, type Finding, ok, unknown, wrong } from './finding.ts';

/** GitHub refuses what was signed over a minute ahead of its own clock. */
const MOST_DRIFT_MS = 30_000;
/** Repositories that are looked for by name; more are not asked for. */
const MOST_REPOSITORIES = 20;

/**
 * The App as GitHub has it. The operator's own right to read its key is used: no function holds the key but the broker,
 * and that hands out tokens of repositories alone.
 * @param hook where events go, and whether the secret that they are signed with is stored
 */
export async function checkGitHub(
  stage: ConfiguredStage,
  secrets: Pick<SecretStore, 'read'>,
  hook: { readonly apiUrl: string | undefined; readonly hasSecret: boolean },
): Promise<readonly Finding[]> {
  const appId = await secrets.read('github-app-id');
  const privateKey = await secrets.read('github-app-key');
  if (appId === undefined || privateKey === undefined) {
    return [unknown('GitHub App', 'its id or key is not stored', `${toSetupCommand(stage.deployment)} makes it.`)];
  }
  const client = await openAppClient({ apiUrl: stage.deployment.github.apiUrl, appId, privateKey });
  const { clockAheadMs, ...app } = await client.describe();
  const parts = await Promise.all([
    attempt('installations', () => checkInstallations(client, app, stage)),
    attempt('webhook', () => checkWebhook(client, stage, hook)),
  ]);
  return [...toAppFindings(app), ...parts.flat(), ...toClockFindings(clockAheadMs)];
}

const settingsOf = ({ html_url: page }: App): string => `the App's settings: ${page}`;

/** Exactly the permissions and events: too few stop Healer, too many are a risk for nothing. */
function toAppFindings(app: App): readonly Finding[] {
  const { few, many } = comparePermissions(app.permissions);
  const silent = APP_EVENTS.filter((event) => !app.events.includes(event));
  const loud = app.events.filter((event) => !(APP_EVENTS as readonly string[]).includes(event));
  const faults = [
    ...few.map((one) =>
      wrong('GitHub App', `too few permissions: ${one}`, `Grant it in ${settingsOf(app)}; then the owner accepts it.`),
    ),
    ...many.map((one) => wrong('GitHub App', `too many permissions: ${one}`, `Take it back in ${settingsOf(app)}.`)),
    ...(silent.length > 0
      ? [
          wrong(
            'GitHub App',
            `it does not get the events ${silent.join(', ')}`,
            `Subscribe to them in ${settingsOf(app)}.`,
          ),
        ]
      : []),
    ...(loud.length > 0
      ? [wrong('GitHub App', `it gets events for nothing: ${loud.join(', ')}`, `Unsubscribe in ${settingsOf(app)}.`)]
      : []),
  ];
  return faults.length > 0
    ? faults
    : [ok('GitHub App', `${app.slug} has exactly the permissions and events that are used`)];
}

/** It is installed where plays are allowed, with what the App asks for. */
async function checkInstallations(client: AppClient, app: App, stage: ConfiguredStage): Promise<readonly Finding[]> {
  const installations = await client.installations();
  const names = namesOf(stage);
  const owners = [...new Set(names.map((name) => name.split('/')[0] ?? ''))];
  const found = owners.filter((owner) => installations.some((one) => one.account.login.toLowerCase() === owner));
  const missing = owners.filter((owner) => !found.includes(owner));
  const faults = [
    ...missing.map((owner) =>
      wrong('installations', `the App is not installed on ${owner}`, `Install it: ${app.html_url}/installations/new`),
    ),
    ...installations
      .filter(({ account }) => owners.includes(account.login.toLowerCase()))
      .flatMap((one) => toInstallationFaults(one, app)),
    ...(await findUninstalled(
      client,
      app,
      names.filter((name) => found.includes(name.split('/')[0] ?? '')),
    )),
  ];
  return faults.length > 0 ? faults : [ok('installations', `on ${found.join(', ')}`)];
}

/** Owners and repositories, in lower case: what may be announced, and the platform's. */
const namesOf = ({ deployment }: ConfiguredStage): readonly string[] =>
  [...deployment.repositories.allowed, deployment.repositories.platform]
    .filter((name) => name !== null)
    .map((name) => name.toLowerCase());

function toInstallationFaults(one: Installation, app: App): readonly Finding[] {
  const owner = one.account.login;
  if (one.suspended_at) {
    return [wrong('installations', `it is suspended on ${owner}`, 'Unsuspend it in the settings of the owner.')];
  }
  const { few } = comparePermissions(one.permissions);
  const isAsked = comparePermissions(app.permissions).few.length === 0;
  if (few.length === 0 || !isAsked) return [];
  const advice = `The owner of ${owner} accepts the new permissions in the settings of the installation.`;
  return [wrong('installations', `${owner} has not accepted: ${few.join('; ')}`, advice)];
}

async function findUninstalled(client: AppClient, app: App, names: readonly string[]): Promise<readonly Finding[]> {
  const single = names.filter((name) => !name.endsWith('/*')).slice(0, MOST_REPOSITORIES);
  const seen = await Promise.all(single.map(async (name) => ({ name, isThere: await client.isInstalledOn(name) })));
  return seen
    .filter(({ isThere }) => !isThere)
    .map(({ name }) =>
      wrong(
        'installations',
        `the App cannot see ${name}`,
        `Add it to the installation: ${app.html_url}/installations/new`,
      ),
    );
}

function toClockFindings(aheadMs: number | null): readonly Finding[] {
  if (aheadMs === null || Math.abs(aheadMs) <= MOST_DRIFT_MS) return [];
  const seen = `GitHub's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return [wrong('clock', seen, "Set this machine's clock (NTP).")];
}
