import { readFile } from 'node:fs/promises';
import { isLoopbackHost } from '#lib/local/http/requests.ts';
import { UsageError } from '../command.ts';

/** Where the relay forwards to, and as whom. */
export interface RelayTarget {
  /** The API's `POST /api/v1/session/start`. */
  readonly url: URL;
  /** Null only for an API on this machine. */
  readonly token: string | null;
}

export const START_PATH = '/api/v1/session/start';

/** What fits into a header: a file that holds anything else is not a token. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/**
 * The target of a relay, from the options or the environment.
 *
 * @throws UsageError when the address is no https and not on this machine, or when there is no token for it.
 */
export async function parseTarget(
  options: { readonly url: string | undefined; readonly tokenFile: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Promise<RelayTarget> {
  const base = URL.parse(options.url ?? env['HEALER_URL'] ?? '');
  if (base === null) throw new UsageError('say where Healer is: --url https://… or HEALER_URL');
  const isLocal = base.protocol === 'http:' && isLoopbackHost(base.host);
  if (base.protocol !== 'https:' && !isLocal)
    throw new UsageError('the address must begin with https://, since the token would travel in the clear');
  if (base.username !== '' || base.password !== '' || base.search !== '')
    throw new UsageError('the address must have no user, password or query');
  const token = await readToken(options.tokenFile, env['HEALER_TOKEN']);
  if (token === null && !isLocal) throw new UsageError('give the token: --token-file FILE or HEALER_TOKEN');
  return { url: new URL(`${base.pathname.replace(/\/+$/, '')}${START_PATH}`, base), token };
}

async function readToken(file: string | undefined, value: string | undefined): Promise<string | null> {
  const text = file === undefined ? value : await readFile(file, 'utf8').catch(() => undefined);
  if (file !== undefined && text === undefined) throw new UsageError('the file of --token-file cannot be read');
  const token = text?.trim() ?? '';
  if (token === '' && file === undefined) return null;
  if (TOKEN.test(token)) return token;
  throw new UsageError('the token must be one line without blanks');
}
