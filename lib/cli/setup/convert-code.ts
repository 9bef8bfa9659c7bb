import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ConfigError, SourceError } from '#lib/domain/errors.ts';

/** What GitHub hands out once, in exchange for the code that it gave to the browser. */
const MadeApp = z.object({
  id: z.number(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullish(),
});
export type MadeApp = z.infer<typeof MadeApp>;

const TRIES = 3;
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 15_000;

/**
 * Exchanges the code, which works once and for an hour; what failed in passing is tried again.
 * @throws ConfigError; no message holds the code or anything of the answer
 */
export async function convertCode(apiUrl: string, code: string): Promise<MadeApp> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await ask(`${apiUrl.replace(/\/$/, '')}/app-manifests/${encodeURIComponent(code)}/conversions`);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!error.retryable || turn === TRIES)
        throw new ConfigError(`${error.message}. ${error.advice}`, { cause: error });
      await sleep(PAUSE_MS);
    }
  }
}

async function ask(url: string): Promise<MadeApp> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/vnd.github+json', 'user-agent': 'healer' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw fault(`GitHub was not reached (${error instanceof Error ? error.name : 'unknown'})`, true);
  });
  if (response.status !== 201) {
    await response.body?.cancel();
    throw fault(`GitHub answered ${response.status} to the code of the new App`, response.status >= 500);
  }
  const made = MadeApp.safeParse(await response.json().catch(() => undefined));
  if (made.success) return made.data;
  throw fault('the answer about the new App is not of the form that GitHub documents', false);
}

const fault = (message: string, retryable: boolean): SourceError =>
  new SourceError({ source: 'github', message, retryable, advice: 'Delete the App on GitHub and run this again.' });
