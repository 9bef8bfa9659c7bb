import type { AppClient, Delivery } from '../github-app/app-client.ts';
import { toWebhookUrl } from '../github-app/webhook-url.ts';
import type { ConfiguredStage } from '../stage/stage.ts';
import { type Finding, hint, ok, wrong } from './finding.ts';

/**
 * Events go to this deployment, and it takes them; or neither side knows of events, which a stage can do without: several may
 * share an App, and an App has one webhook.
 * @param hook address of the session API, where the stack stands, and whether the webhook's secret is stored
 */
export async function checkWebhook(
  client: AppClient,
  { words }: ConfiguredStage,
  { apiUrl, hasSecret }: { readonly apiUrl: string | undefined; readonly hasSecret: boolean },
): Promise<readonly Finding[]> {
  const url = await client.hookUrl();
  const own = apiUrl && toWebhookUrl(apiUrl);
  const command = `npx healer setup github --webhook ${words}`;
  if (!hasSecret) {
    return [url !== null && url === own ? wrong('webhook', UNSIGNED, `${command} sets both.`) : toUnused(command)];
  }
  if (url === null) return [wrong('webhook', 'the App has none: GitHub tells nothing', `${command} sets it.`)];
  if (own !== undefined && url !== own) {
    return [wrong('webhook', `it goes to ${url}, not to this deployment`, `${command} sets it.`)];
  }
  return [toDeliveryFinding(await client.deliveries(), command)];
}

const UNSIGNED = 'GitHub sends events here, and each is refused: github-webhook-secret is not set';

const toUnused = (command: string): Finding =>
  hint('webhook', 'the stage hears no events of GitHub, and has no secret for them', `${command} lets it hear them.`);

function toDeliveryFinding([last]: readonly Delivery[], command: string): Finding {
  if (last === undefined) return ok('webhook', 'GitHub had nothing to tell in the last three days');
  const told = `${last.event} at ${last.delivered_at}`;
  if (last.status_code >= 200 && last.status_code < 300) return ok('webhook', `the last event was taken: ${told}`);
  const secret = `The secrets differ: ${command} sets both.`;
  const advice =
    last.status_code === 401 || last.status_code === 403 ? secret : 'The log of the function webhook says why.';
  return wrong('webhook', `the last event was answered ${last.status_code} (${last.status}): ${told}`, advice);
}
