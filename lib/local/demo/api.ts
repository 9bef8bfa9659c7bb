import type { LocalStack } from '../stack.ts';

/** What the demo reads of a session. */
export interface SessionAnswer {
  readonly session: { readonly play_id: string; readonly status: string };
  readonly healer: {
    readonly coverage: {
      readonly state: 'proven' | 'quiet' | 'blind' | 'pending';
      readonly proven_until: string | null;
      readonly reason: string | null;
      readonly advice: string | null;
      readonly read?: { readonly lines: number };
    };
    readonly pods: readonly { readonly pod: string; readonly agent: string | null; readonly preflight: string }[];
    readonly incidents: readonly { readonly id: string }[];
  };
}

/** What the demo reads of an incident. */
export interface IncidentAnswer {
  readonly incident: {
    readonly id: string;
    readonly state: string;
    readonly code: string | null;
    readonly severity: string;
    readonly title: string;
    readonly repository: string;
    readonly issue_url: string | null;
    readonly pull_request_url: string | null;
    readonly first_seen: string;
    readonly work: { readonly next_stage: string | null; readonly attempt: number };
    readonly history: readonly { readonly at: string; readonly stage: string; readonly event: string }[];
  };
}

/** The stack's API, as the MCP server and a person call it. @throws Error with the answer when it is not 200 */
export function demoApi(stack: LocalStack) {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${stack.url}${path}`, body === undefined ? {} : post);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    start: (announcement: object) => ask('/api/v1/session/start', announcement) as Promise<{ message: string }>,
    end: (playId: string, status: string) => ask(`/api/v1/session/${playId}/end`, { status }),
    active: () => ask('/api/v1/sessions/active') as Promise<{ sessions: readonly { play_id: string }[] }>,
    session: (playId: string) => ask(`/api/v1/session/${playId}`) as Promise<SessionAnswer>,
    incident: (id: string) => ask(`/api/v1/incidents/${id}`) as Promise<IncidentAnswer>,
    incidents: () => ask('/api/v1/incidents') as Promise<{ incidents: readonly { id: string }[] }>,
  };
}

export type DemoApi = ReturnType<typeof demoApi>;
