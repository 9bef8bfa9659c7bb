import * as z from 'zod';
import { type Answer, fault, invalid, json } from './answer.ts';
import type { Backend } from './backend.ts';

/** A request to the API below one repository. */
export interface RepositoryRequest {
  readonly method: string;
  readonly owner: string;
  /** `owner/name` */
  readonly repository: string;
  /** Path below the repository, e.g. `/issues/3`; empty for the repository itself. */
  readonly below: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const MAX_TITLE = 256;
const MAX_BODY = 65_536;

const Facts = z.object({ archived: z.boolean(), has_issues: z.boolean() });
const Content = z.object({ title: z.string().optional(), body: z.string().nullish() }).catch({});
const Proposal = z.object({ head: z.string(), base: z.string() });
const Comparison = z.object({ ahead_by: z.number() }).catch({ ahead_by: 0 });

const isWrite = (method: string): boolean => method !== 'GET' && method !== 'HEAD';
const isCreation = (request: RepositoryRequest, below: string): boolean =>
  request.method === 'POST' && request.below === below;

function checkLengths({ method, below, body }: RepositoryRequest): Answer | undefined {
  if (!isWrite(method) || !/^\/(issues|pulls)(\/|$)/.test(below)) return undefined;
  const content = Content.parse(body ?? {});
  const isLong = (value: string | null | undefined, limit: number) => Array.from(value ?? '').length > limit;
  if (below.endsWith('/comments')) {
    const message = `Body is too long (maximum is ${MAX_BODY} characters)`;
    const error = { resource: 'IssueComment', code: 'unprocessable', field: 'data', message };
    return isLong(content.body, MAX_BODY) ? invalid(error) : undefined;
  }
  const resource = below.startsWith('/pulls') ? 'PullRequest' : 'Issue';
  const refuse = (field: string, limit: number) =>
    invalid({ resource, code: 'custom', field, message: `${field} is too long (maximum is ${limit} characters)` });
  if (isLong(content.title, MAX_TITLE)) return refuse('title', MAX_TITLE);
  return isLong(content.body, MAX_BODY) ? refuse('body', MAX_BODY) : undefined;
}

/** Without issues, single ones are gone (410) and the list holds pull requests only. */
function checkIssuesOff({ method, below }: RepositoryRequest): Answer | undefined {
  if (below === '/issues' && method === 'GET') return json(200, []);
  if (/^\/issues(\/\d+)?$/.test(below)) return fault(410, 'Issues are disabled for this repo');
  return undefined;
}

async function checkProposal(backend: Backend, request: RepositoryRequest): Promise<Answer | undefined> {
  if (!isCreation(request, '/pulls')) return undefined;
  const proposal = Proposal.safeParse(request.body);
  if (!proposal.success) return undefined;
  const { head, base } = proposal.data;
  const branch = head.slice(head.indexOf(':') + 1);
  const api = `/repos/${request.repository}`;
  const found = await backend.asAdmin('GET', `${api}/git/ref/heads/${branch}`);
  if (found.status !== 200) return invalid({ resource: 'PullRequest', field: 'head', code: 'invalid' });
  const refuse = (message: string) => invalid({ resource: 'PullRequest', code: 'custom', message });
  const query = new URLSearchParams({ state: 'open', head: `${request.owner}:${branch}`, base });
  const open = await backend.asAdmin('GET', `${api}/pulls?${query.toString()}`);
  if (Array.isArray(open.data) && open.data.length > 0) {
    return refuse(`A pull request already exists for ${request.owner}:${branch}.`);
  }
  const { data } = await backend.asAdmin('GET', `${api}/compare/${base}...${branch}`);
  return Comparison.parse(data).ahead_by === 0 ? refuse(`No commits between ${base} and ${branch}`) : undefined;
}

/** What GitHub refuses and the emulator lets pass; undefined when GitHub would go on. */
export async function checkRules(backend: Backend, request: RepositoryRequest): Promise<Answer | undefined> {
  const facts = Facts.safeParse((await backend.asAdmin('GET', `/repos/${request.repository}`)).data);
  if (!facts.success) return undefined;
  if (facts.data.archived && isWrite(request.method) && request.below !== '') {
    return fault(403, 'Repository was archived so is read-only.');
  }
  const off = facts.data.has_issues ? undefined : checkIssuesOff(request);
  return off ?? checkLengths(request) ?? (await checkProposal(backend, request));
}
