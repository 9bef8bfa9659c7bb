import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { type Actor, parseJson } from './actors.ts';
import { type Answer, fault, json } from './answer.ts';
import type { Incoming } from './incoming.ts';
import type { GitHubOptions } from './options.ts';
import { relayDelivery } from './webhooks.ts';

/** GitHub keeps deliveries for three days, and lists 30 at a time. */
const MOST_DELIVERIES = 30;

const Config = z.object({ url: z.string().url().optional(), secret: z.string().optional() });

interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly delivered_at: string;
  readonly event: string;
  readonly status: string;
  readonly status_code: number;
}

/** The webhook of the App: where events go, and how they were answered. */
export function appHook(options: GitHubOptions['webhook']) {
  let config = { url: options?.url ?? null, secret: options?.secret ?? '' };
  const deliveries: Delivery[] = [];

  function change(body: unknown): Answer {
    const asked = Config.safeParse(body);
    if (!asked.success) return fault(422, 'Validation Failed');
    config = { url: asked.data.url ?? config.url, secret: asked.data.secret ?? config.secret };
    return shown();
  }

  const shown = (): Answer =>
    json(200, { content_type: 'json', insecure_ssl: '0', secret: '********', url: config.url });

  return {
    /** Points the hook elsewhere, as creating the App from a manifest does. */
    set(url: string, secret: string): void {
      config = { url, secret };
    },
    /** Sends an event of the emulator on, signed with the present secret. */
    async deliver(headers: IncomingHttpHeaders, body: Buffer): Promise<void> {
      if (config.url === null) return;
      const signature = `sha256=${createHmac('sha256', config.secret).update(body).digest('hex')}`;
      const sent = { ...headers, 'x-hub-signature-256': signature };
      const { guid, status } = await relayDelivery(options?.deliverTo ?? config.url, sent, body);
      deliveries.unshift({
        id: Date.now() * 1000 + deliveries.length,
        guid,
        delivered_at: new Date().toISOString(),
        event: String(headers['x-github-event']),
        status:
          status >= 200 && status < 300 ? 'OK' : status === 0 ? 'failed to connect to host' : 'Invalid HTTP Response',
        status_code: status === 0 ? 502 : status,
      });
      deliveries.splice(MOST_DELIVERIES);
    },
    /** Answers what the App asks of its own webhook; the emulator knows nothing of it. */
    answer({ method, path, body }: Incoming, { isApp }: Actor): Answer | undefined {
      const { pathname } = new URL(path, 'http://front');
      if (!/^\/app\/hook\/(config|deliveries)$/.test(pathname)) return undefined;
      if (!isApp) return fault(401, 'A JSON web token could not be decoded');
      if (pathname.endsWith('/deliveries')) return method === 'GET' ? json(200, deliveries) : undefined;
      if (method === 'GET') return shown();
      return method === 'PATCH' ? change(parseJson(body.toString())) : undefined;
    },
  };
}

export type AppHook = ReturnType<typeof appHook>;
