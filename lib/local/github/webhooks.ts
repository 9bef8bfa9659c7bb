import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Where the emulator sends the App's events, so that they pass here first. */
export const DELIVERIES = '/_deliveries';
/** GitHub gives a receiver as long. */
const TIMEOUT_MS = 10_000;

/**
 * Sends an event on to the App's webhook with a delivery id of its own: the emulator's is the time in milliseconds, which
 * two events can share. Body and signature stay as they are. A receiver that fails is not asked again, as on GitHub.
 * @returns the delivery's id, and what was answered; 0 for no answer
 */
export async function relayDelivery(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ readonly guid: string; readonly status: number }> {
  const guid = randomUUID();
  const signature = headers['x-hub-signature-256'];
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/embedded',
        'x-github-event': String(headers['x-github-event']),
        'x-github-delivery': guid,
        ...(typeof signature === 'string' ? { 'x-hub-signature-256': signature } : {}),
      },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { guid, status: answer.status };
  } catch {
    // Healer reads GitHub again on its own schedule; an event is only a hint.
    return { guid, status: 0 };
  }
}
