import { httpApi } from '#lib/edge/http/http-api.ts';
import { githubWebhookRoute } from '#lib/edge/http/webhook-route.ts';
import { wireWebhook } from '#lib/wiring/webhook.ts';

const { hearGitHub, webhookSecret } = wireWebhook();

export const handler = httpApi({
  'POST /api/v1/webhooks/github': githubWebhookRoute(webhookSecret, hearGitHub),
});
