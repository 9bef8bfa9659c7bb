import * as z from 'zod';
import type { Snapshot } from '#lib/app/ports.ts';
import { GuardError } from '#lib/domain/errors.ts';
import type { TreeFile } from '#lib/domain/remediation/patch-policy.ts';
import { parseAnswer, type TargetSession } from './target-session.ts';

/** Larger files are not read. */
const MAX_BLOB_BYTES = 400_000;

const Repository = z.object({ default_branch: z.string() });
const Ref = z.object({ object: z.object({ sha: z.string() }) });
export const Commit = z.object({
  sha: z.string(),
  message: z.string(),
  tree: z.object({ sha: z.string() }),
  parents: z.array(z.object({ sha: z.string() })),
});
const Tree = z.object({
  truncated: z.boolean(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().nullish(),
    }),
  ),
});
const Blob = z.object({ content: z.string(), encoding: z.string() });

export async function readDefaultBranch({ octokit, at }: TargetSession): Promise<string> {
  return parseAnswer(Repository, (await octokit.request('GET /repos/{owner}/{repo}', at)).data).default_branch;
}

export async function readHead({ octokit, at }: TargetSession, branch: string): Promise<string> {
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...at, ref: `heads/${branch}` });
  return parseAnswer(Ref, data).object.sha;
}

export async function readCommit({ octokit, at }: TargetSession, sha: string): Promise<z.infer<typeof Commit>> {
  const path = 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}';
  return parseAnswer(Commit, (await octokit.request(path, { ...at, commit_sha: sha })).data);
}

/** @throws GuardError for a tree that GitHub does not list whole: what is not seen cannot be judged */
export async function readSnapshot(session: TargetSession, sha: string): Promise<Snapshot> {
  const commit = await readCommit(session, sha);
  const { data } = await session.octokit.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
    ...session.at,
    tree_sha: commit.tree.sha,
    recursive: 'true',
  });
  const tree = parseAnswer(Tree, data);
  if (tree.truncated) throw new GuardError('repository size', 'GitHub does not list the whole tree of the repository');
  const files = tree.tree
    .filter(({ type }) => type !== 'tree')
    .map(({ path, mode, sha: blob, size }) => ({ path, mode, sha: blob, size: size ?? 0 }));
  return { commit: commit.sha, tree: commit.tree.sha, files };
}

/** Undefined for what is no text in UTF-8, or too large. */
export async function readText({ octokit, at }: TargetSession, file: TreeFile): Promise<string | undefined> {
  if (file.size > MAX_BLOB_BYTES || !file.mode.startsWith('100')) return undefined;
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
    ...at,
    file_sha: file.sha,
  });
  const blob = parseAnswer(Blob, data);
  const bytes = Buffer.from(blob.content, blob.encoding === 'base64' ? 'base64' : 'utf8');
  if (bytes.length > MAX_BLOB_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
