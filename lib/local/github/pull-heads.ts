import * as z from 'zod';
import { parseJson } from './actors.ts';
import { type Answer, json } from './answer.ts';
import type { Backend } from './backend.ts';
import type { RepositoryRequest } from './rules.ts';

const Pull = z.looseObject({
  number: z.number(),
  state: z.string(),
  head: z.looseObject({ ref: z.string(), sha: z.string() }),
  base: z.looseObject({ ref: z.string(), sha: z.string() }),
});
type Pull = z.infer<typeof Pull>;

const Ref = z.object({ object: z.object({ sha: z.string() }) });
const Commit = z.object({ sha: z.string(), tree: z.object({ sha: z.string() }) });

/** The commit at the end of a branch. */
async function tip(backend: Backend, repository: string, branch: string): Promise<string | undefined> {
  const { data } = await backend.asAdmin('GET', `/repos/${repository}/git/ref/heads/${branch}`);
  return Ref.safeParse(data).data?.object.sha;
}

/** Puts the tree of the moved head on the base branch in place of the one that the emulator merged. */
async function mergeTip(backend: Backend, repository: string, pull: Pull, sha: string): Promise<string> {
  const api = `/repos/${repository}`;
  const head = Commit.parse((await backend.asAdmin('GET', `${api}/git/commits/${sha}`)).data);
  const made = await backend.asAdmin('POST', `${api}/git/commits`, {
    message: `Merge pull request #${pull.number} from ${pull.head.ref}`,
    tree: head.tree.sha,
    parents: [pull.base.sha, sha],
  });
  const commit = Commit.parse(made.data).sha;
  await backend.asAdmin('PATCH', `${api}/git/refs/heads/${pull.base.ref}`, { sha: commit, force: true });
  return commit;
}

/**
 * Pull requests whose branch moved on. The emulator keeps the head that a pull request was opened with, shows it, and
 * merges it; GitHub follows the branch.
 */
export function pullHeads(backend: Backend) {
  /** What a merge of a moved head came to, by `owner/name#number`. */
  const merged = new Map<string, { head: string; commit: string }>();

  async function follow(repository: string, pull: Pull): Promise<Pull> {
    const after = merged.get(`${repository}#${pull.number}`);
    if (after !== undefined)
      return { ...pull, head: { ...pull.head, sha: after.head }, merge_commit_sha: after.commit };
    const sha = pull.state === 'open' ? await tip(backend, repository, pull.head.ref) : undefined;
    return sha === undefined ? pull : { ...pull, head: { ...pull.head, sha } };
  }

  return {
    /** The answer with heads as they are. */
    async refresh({ repository, below }: RepositoryRequest, answer: Answer): Promise<Answer> {
      if (answer.status >= 300 || !/^\/pulls(\/\d+)?$/.test(below)) return answer;
      const data = parseJson(answer.body.toString());
      const one = Pull.safeParse(data);
      if (one.success) return { ...json(answer.status, await follow(repository, one.data)), headers: answer.headers };
      const many = z.array(Pull).safeParse(data);
      if (!many.success) return answer;
      const pulls: Pull[] = [];
      for (const pull of many.data) pulls.push(await follow(repository, pull));
      return { ...answer, body: JSON.stringify(pulls) };
    },
    /** Merges through `pass`; undefined for a request that merges nothing. */
    async merge(
      { method, repository, below }: RepositoryRequest,
      pass: () => Promise<Answer>,
    ): Promise<Answer | undefined> {
      const [, number] = /^\/pulls\/(\d+)\/merge$/.exec(below) ?? [];
      if (method !== 'PUT' || number === undefined) return undefined;
      const found = Pull.safeParse((await backend.asAdmin('GET', `/repos/${repository}/pulls/${number}`)).data);
      const sha = found.success ? await tip(backend, repository, found.data.head.ref) : undefined;
      const answer = await pass();
      if (answer.status !== 200 || !found.success || sha === undefined || sha === found.data.head.sha) return answer;
      const commit = await mergeTip(backend, repository, found.data, sha);
      merged.set(`${repository}#${number}`, { head: sha, commit });
      return json(200, { sha: commit, merged: true, message: 'Pull Request successfully merged' });
    },
    /** The heads of a repository's open pull requests. */
    async open(repository: string): Promise<readonly { ref: string; sha: string }[]> {
      const { data } = await backend.asAdmin('GET', `/repos/${repository}/pulls?state=open&per_page=100`);
      const heads: { ref: string; sha: string }[] = [];
      for (const pull of z.array(Pull).catch([]).parse(data)) heads.push((await follow(repository, pull)).head);
      return heads;
    },
    /** The commits between which a pull request's changes lie. */
    async ends(repository: string, number: string): Promise<{ base: string; head: string } | undefined> {
      const { data } = await backend.asAdmin('GET', `/repos/${repository}/pulls/${number}`);
      const pull = Pull.safeParse(data);
      if (!pull.success) return undefined;
      return { base: pull.data.base.sha, head: (await follow(repository, pull.data)).head.sha };
    },
  };
}

export type PullHeads = ReturnType<typeof pullHeads>;
