import type { IncidentAnswer, SessionAnswer } from '#lib/local/demo/api.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The deployed HTTP API under the address that the emulator gives it. */
export interface Api {
  /** Set once the stack stands and a token is made. */
  place: { id: string; token: string };
  /** Where a path of the API is reached. */
  address(path: string): string;
  /** One request with that token, another one, or none. */
  ask(method: string, path: string, options?: { body?: object; token?: string | null }): Promise<Answer>;
  session(playId: string): Promise<SessionAnswer & { readonly session: SessionIssues }>;
  incidents(): Promise<readonly IncidentAnswer['incident'][]>;
}

interface SessionIssues {
  readonly issues: readonly { readonly issue_type: string; readonly github_issue: string | null }[];
}

export function createApi(endpoint: string): Api {
  const api: Api = {
    place: { id: '', token: '' },
    address: (path) => `${endpoint}/_aws/execute-api/${api.place.id}${path}`,
    async ask(method, path, { body, token = api.place.token } = {}) {
      const response = await fetch(api.address(path), {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: response.status, body: await response.text() };
    },
    session: (playId) => read(api, `/api/v1/session/${playId}`),
    async incidents() {
      const { incidents } = await read<{ incidents: readonly { id: string }[] }>(api, '/api/v1/incidents');
      const all = incidents.map(({ id }) => read<IncidentAnswer>(api, `/api/v1/incidents/${id}`));
      return (await Promise.all(all)).map(({ incident }) => incident);
    },
  };
  return api;
}

async function read<T>(api: Api, path: string): Promise<T> {
  const { status, body } = await api.ask('GET', path);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body.slice(0, 300)}`);
  return JSON.parse(body) as T;
}
