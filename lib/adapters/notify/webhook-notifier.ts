import type { Notifier, Secrets } from '#lib/app/ports.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';

/** Name of the secret that holds the webhook's URL; the URL itself is a credential. */
const SECRET = 'notify-webhook';
const TIMEOUT_MS = 5_000;
/** Slack cuts messages at 40,000 characters; what wakes a person is short. */
const MAX_TEXT = 3_000;

const fault = (message: string, retryable: boolean, advice: string, status?: number): SourceError =>
  new SourceError({ source: 'notify', message, retryable, advice, status });

const isLoopback = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host);

/** @throws SourceError; the message never holds the URL */
function toWebhookUrl(secret: string): URL {
  const advice = `Store the webhook's https URL as the secret ${SECRET}.`;
  const url = URL.canParse(secret.trim()) ? new URL(secret.trim()) : undefined;
  if (url === undefined) throw fault(`the secret ${SECRET} is not a URL`, false, advice);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) throw fault(`the secret ${SECRET} is not an https URL`, false, advice);
  return url;
}

/** What the renderer escaped holds none of these: Slack would read `<!channel>` and `<url|words>` as commands. */
const RAW = /[<>]/;

/** Cut by whole characters and escapes, so that no half of one is sent. */
function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= MAX_TEXT) return text;
  const kept = characters.slice(0, MAX_TEXT - 1).join('');
  return `${kept.replace(/&[a-z]{0,4}$/, '')}…`;
}

/** @throws GuardError for text that is not escaped: it is sent as it is */
function toPayload(message: Parameters<Notifier['notify']>[0]): string {
  const parts = [`*${message.title}*`, message.text, message.url ?? ''];
  if (parts.some((part) => RAW.test(part))) throw new GuardError('notification', 'the text is not escaped');
  return JSON.stringify({ text: cut(parts.filter((part) => part !== '').join('\n')) });
}

async function post(url: URL, body: string, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    throw fault(`the webhook was not reached (${reason})`, true, 'Check the network and the webhook’s host.');
  }
}

async function readUrl(secrets: Secrets): Promise<URL | undefined> {
  try {
    return toWebhookUrl(await secrets.get(SECRET));
  } catch (error) {
    if (error instanceof SourceError && error.source === 'secrets' && error.status === 404) return undefined;
    throw error;
  }
}

/** Tells nobody. */
export const silentNotifier: Notifier = { notify: () => Promise.resolve() };

/**
 * Tells people through an incoming webhook in Slack's format (`{"text": …}`), which Mattermost, Rocket.Chat and Discord
 * (`/slack`) take too. The URL is the secret `notify-webhook`; without it nobody is told and nothing fails. It must be
 * https, or loopback; no redirect is followed, since the text would travel along.
 * @throws SourceError from `notify`. Callers log it and go on: what is published does not depend on it.
 */
export function webhookNotifier(deps: { secrets: Secrets; timeoutMs?: number }): Notifier {
  return {
    async notify(message) {
      const url = await readUrl(deps.secrets);
      if (url === undefined) return;
      const answer = await post(url, toPayload(message), deps.timeoutMs ?? TIMEOUT_MS);
      await answer.body?.cancel();
      if (answer.ok) return;
      const retryable = answer.status >= 500 || answer.status === 429;
      const advice = `Check the webhook of the secret ${SECRET}: it may have been revoked or moved.`;
      throw fault(`the webhook answered ${answer.status}`, retryable, advice, answer.status);
    },
  };
}
