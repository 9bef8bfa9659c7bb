import { MAINTAINER, type Peers } from './peers.ts';

/**
 * Asks the embedded GitHub as the maintainer does.
 * @param path below the API's base, e.g. `/repos/acme/widgets/pulls/2`
 * @throws Error with the answer when it is a refusal
 */
export async function asPerson(peers: Peers, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${peers.github.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${MAINTAINER.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
