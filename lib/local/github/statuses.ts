import * as z from 'zod';
import type { Actor } from './actors.ts';
import { type Answer, fault, json } from './answer.ts';
import type { Backend } from './backend.ts';
import type { RepositoryRequest } from './rules.ts';

const STATES = ['error', 'failure', 'pending', 'success'] as const;

const NewStatus = z.object({
  state: z.enum(STATES),
  context: z.string().default('default'),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

interface Status extends z.infer<typeof NewStatus> {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly creator: { readonly login: string };
}

/** The worst state of the newest status of each context; `pending` when there is none. */
function combine(latest: readonly Status[]): (typeof STATES)[number] {
  if (latest.some(({ state }) => state === 'error' || state === 'failure')) return 'failure';
  return latest.length > 0 && latest.every(({ state }) => state === 'success') ? 'success' : 'pending';
}

const grants = (actor: Actor, right: 'read' | 'write'): boolean => {
  if (actor.permissions === undefined) return right === 'read' || actor.login !== 'anonymous';
  const granted = actor.permissions.statuses;
  return granted === 'write' || (right === 'read' && granted === 'read');
};

const reaches = (actor: Actor, repository: string): boolean => actor.repositories?.includes(repository) ?? true;

/** Commit statuses, which the emulator lacks. */
export function commitStatuses(backend: Backend) {
  const kept = new Map<string, Status[]>();
  let lastId = 0;

  async function resolve(repository: string, ref: string): Promise<string | undefined> {
    const { data } = await backend.asAdmin('GET', `/repos/${repository}/commits/${ref}`);
    return z.object({ sha: z.string() }).safeParse(data).data?.sha;
  }

  function add(key: string, actor: Actor, body: unknown): Answer {
    const parsed = NewStatus.safeParse(body);
    if (!parsed.success) return fault(422, 'Validation Failed', { errors: [{ resource: 'Status', code: 'invalid' }] });
    const at = new Date().toISOString();
    lastId += 1;
    const creator = { login: actor.login };
    const status: Status = { id: lastId, ...parsed.data, created_at: at, updated_at: at, creator };
    kept.set(key, [status, ...(kept.get(key) ?? [])]);
    return json(201, status);
  }

  function combined(sha: string, all: readonly Status[]): Answer {
    const latest = all.filter((one, index) => all.findIndex((other) => other.context === one.context) === index);
    return json(200, { state: combine(latest), sha, total_count: latest.length, statuses: latest });
  }

  /** Undefined for a request that is not about statuses. */
  return async (request: RepositoryRequest, actor: Actor): Promise<Answer | undefined> => {
    const match =
      /^\/(statuses)\/([0-9a-f]{40})$/.exec(request.below) ??
      /^\/commits\/(.+)\/(status|statuses)$/.exec(request.below);
    if (match === null) return undefined;
    const isWrite = request.method === 'POST';
    if (!grants(actor, isWrite ? 'write' : 'read') || !reaches(actor, request.repository)) {
      return fault(403, 'Resource not accessible by integration');
    }
    const sha = await resolve(request.repository, (isWrite ? match[2] : match[1]) ?? '');
    if (sha === undefined) return fault(422, 'No commit found for SHA');
    const key = `${request.repository}@${sha}`;
    if (isWrite) return add(key, actor, request.body);
    const all = kept.get(key) ?? [];
    return match[2] === 'status' ? combined(sha, all) : json(200, all);
  };
}
