import { ConfigError } from '#lib/domain/errors.ts';

/** Where the running local stack tells the address of its AWS services. */
const SERVICES_PATH = '/_local/services';
const WITHIN_MS = 2_000;

/** Address of the local stack's API: HEALER_URL, or the port of `npm start`. */
const localUrl = (env: Readonly<Record<string, string | undefined>>): string =>
  env['HEALER_URL'] || `http://127.0.0.1:${env['HEALER_PORT'] || '8083'}`;

/**
 * Asks the running local stack for the endpoint of its tables.
 *
 * @throws ConfigError when none runs there.
 */
export async function findLocalServices(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const url = localUrl(env);
  try {
    const answer = await fetch(new URL(SERVICES_PATH, url), { signal: AbortSignal.timeout(WITHIN_MS) });
    const { endpoint } = (await answer.json()) as { endpoint?: unknown };
    if (typeof endpoint === 'string') return endpoint;
  } catch {
    // Told below: whatever went wrong, no local stack answered.
  }
  throw new ConfigError(`no local stack runs at ${url}: start it with npm start, or name its port with HEALER_PORT`);
}
