import * as z from 'zod';
import { escapeHtml } from '#lib/domain/html.ts';
import type { Answer } from './answer.ts';
import type { Backend } from './backend.ts';
import type { PullHeads } from './pull-heads.ts';

/** Pages for people, at the `html_url`s of the API: lists and single issues and pull requests, without any script. */

const Login = z.object({ login: z.string() }).nullish();
const Entry = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  draft: z.boolean().optional(),
  merged: z.boolean().optional(),
  user: Login,
  created_at: z.string(),
  labels: z.array(z.object({ name: z.string() })).default([]),
});
type Entry = z.infer<typeof Entry>;
const Comment = z.object({ body: z.string().nullish(), user: Login, created_at: z.string() });
const Change = z.object({ filename: z.string(), patch: z.string().nullish() });
type Change = z.infer<typeof Change>;

/** Where the content of pages comes from. */
export interface Sources {
  readonly backend: Backend;
  readonly pulls: PullHeads;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2328}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #d1d9e0;border-radius:6px;padding:1rem;background:#f6f8fa}
.label{border:1px solid #59636e;border-radius:1rem;padding:0 .6rem;margin-right:.3rem}.by{color:#59636e}`;

function page(status: number, title: string, content: string): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style><main>${content}</main></html>`,
  };
}

const stateOf = (entry: Entry): string => {
  if (entry.merged === true) return 'merged';
  return entry.draft === true && entry.state === 'open' ? 'draft' : entry.state;
};

const labels = (entry: Entry): string =>
  entry.labels.map(({ name }) => `<span class="label">${escapeHtml(name)}</span>`).join('');

const written = (user: z.infer<typeof Login>, at: string): string =>
  `<p class="by">${escapeHtml(user?.login ?? 'ghost')}, ${escapeHtml(at)}</p>`;

const block = (heading: string, content: string): string => `${heading}<pre>${escapeHtml(content)}</pre>`;

async function read<T>(backend: Backend, path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  return schema.safeParse((await backend.asAdmin('GET', path)).data).data;
}

const item = (repository: string, kind: string, entry: Entry): string =>
  `<li><a href="/${repository}/${kind}/${entry.number}">#${entry.number} ${escapeHtml(entry.title)}</a> ${stateOf(entry)} ${labels(entry)}</li>`;

async function listPage(backend: Backend, repository: string): Promise<Answer> {
  const api = `/repos/${repository}`;
  const issues = await read(backend, `${api}/issues?state=all&per_page=100`, z.array(Entry));
  const pulls = await read(backend, `${api}/pulls?state=all&per_page=100`, z.array(Entry));
  if (issues === undefined && pulls === undefined)
    return page(404, 'Not found', '<h1>There is no such repository</h1>');
  const listed = (kind: string, entries: readonly Entry[] = []) =>
    entries.length === 0
      ? '<p>None.</p>'
      : `<ul>${entries.map((entry) => item(repository, kind, entry)).join('')}</ul>`;
  const content = `<h1>${escapeHtml(repository)}</h1><h2>Issues</h2>${listed('issues', issues)}<h2>Pull requests</h2>${listed('pull', pulls)}`;
  return page(200, repository, content);
}

async function entryPage(sources: Sources, repository: string, kind: string, number: string): Promise<Answer> {
  const { backend } = sources;
  const api = `/repos/${repository}`;
  const entry = await read(backend, `${api}/${kind === 'pull' ? 'pulls' : 'issues'}/${number}`, Entry);
  if (entry === undefined)
    return page(404, 'Not found', `<h1>There is no such ${kind === 'pull' ? 'pull request' : 'issue'}</h1>`);
  const comments = await read(backend, `${api}/issues/${number}/comments?per_page=100`, z.array(Comment));
  const changes = kind === 'pull' ? await readChanges(sources, repository, number) : [];
  const title = `${entry.title} #${entry.number}`;
  const parts = [
    `<p><a href="/${repository}/issues">${escapeHtml(repository)}</a></p><h1>${escapeHtml(title)}</h1>`,
    `<p><strong>${stateOf(entry)}</strong> ${labels(entry)}</p>${written(entry.user, entry.created_at)}`,
    `<pre>${escapeHtml(entry.body ?? '')}</pre>`,
    ...changes.map((change) => block(`<h2>${escapeHtml(change.filename)}</h2>`, change.patch ?? '')),
    ...(comments ?? []).map((comment) => block(written(comment.user, comment.created_at), comment.body ?? '')),
  ];
  return page(200, title, parts.join(''));
}

/** The files that a pull request changes, with their patches. */
export async function readChanges({ backend, pulls }: Sources, repository: string, number: string): Promise<Change[]> {
  const ends = await pulls.ends(repository, number);
  if (ends === undefined) return [];
  const Compared = z.object({ files: z.array(z.looseObject(Change.shape)) });
  return (await read(backend, `/repos/${repository}/compare/${ends.base}...${ends.head}`, Compared))?.files ?? [];
}

/** First parts of the API's paths; pages and API share a host here, as they do not on GitHub. */
const API = new Set(['app', 'apps', 'orgs', 'organizations', 'repos', 'repositories', 'search', 'user', 'users']);

/** The page at a path such as `/acme/shop/issues/3`; undefined when no page lives there. */
export async function answerPage(sources: Sources, path: string): Promise<Answer | undefined> {
  const match = /^\/([\w.-]+\/[\w.-]+)(?:\/(issues|pulls|pull)(?:\/(\d+))?)?\/?$/.exec(path);
  const [, repository = '', kind, number] = match ?? [];
  if (match === null || API.has(repository.split('/')[0] ?? '')) return undefined;
  return number === undefined || kind === undefined
    ? listPage(sources.backend, repository)
    : entryPage(sources, repository, kind, number);
}
