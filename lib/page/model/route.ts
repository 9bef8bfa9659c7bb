/** What the address bar shows: `#/`, `#/sessions/<play_id>`, `#/incidents/<id>`. */
export type Route =
  | { readonly name: 'overview' }
  | { readonly name: 'session'; readonly id: string }
  | { readonly name: 'incident'; readonly id: string };

const KINDS = { sessions: 'session', incidents: 'incident' } as const;

export function parseRoute(hash: string): Route {
  const [, kind = '', id = ''] = /^#\/(sessions|incidents)\/([^/]+)$/.exec(hash) ?? [];
  const name = KINDS[kind as keyof typeof KINDS];
  const decoded = decode(id);
  return name === undefined || decoded === null ? { name: 'overview' } : { name, id: decoded };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const toSessionHash = (playId: string): string => `#/sessions/${encodeURIComponent(playId)}`;
export const toIncidentHash = (id: string): string => `#/incidents/${encodeURIComponent(id)}`;
