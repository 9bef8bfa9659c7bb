import type { EmbeddedGitHub } from '#lib/local/github/start-github.ts';
import { BYSTANDER, TARGETS } from './ground.ts';
import { isOpenToPatches } from './judge-paths.ts';

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
}

type Reader = (path: string) => Promise<unknown>;

/** Heads of all branches, by name. */
async function headsOf(read: Reader, repository: string): Promise<ReadonlyMap<string, string>> {
  const heads = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const branches = (await read(`/repos/${repository}/branches?per_page=100&page=${page}`)) as readonly {
      readonly name: string;
      readonly commit: { readonly sha: string };
    }[];
    for (const { name, commit } of branches) heads.set(name, commit.sha);
    if (branches.length < 100) return heads;
  }
}

async function filesOf(read: Reader, repository: string, head: string): Promise<ReadonlyMap<string, Entry>> {
  const commit = (await read(`/repos/${repository}/git/commits/${head}`)) as {
    readonly tree: { readonly sha: string };
  };
  const listing = await read(`/repos/${repository}/git/trees/${commit.tree.sha}?recursive=1`);
  const { tree } = listing as { readonly tree: Entry[] };
  return new Map(tree.filter(({ type }) => type !== 'tree').map((entry) => [entry.path, entry]));
}

async function textOf(read: Reader, repository: string, entry: Entry | undefined): Promise<readonly string[]> {
  if (entry === undefined) return [];
  const { content, encoding } = (await read(`/repos/${repository}/git/blobs/${entry.sha}`)) as Record<string, string>;
  return Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8')
    .toString()
    .split('\n');
}

/** Lines of the one text that the other has not; a line that stands twice counts twice. */
function missingFrom(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

const MAX_FILES = 10;
const MAX_LINES = 400;

/** Patches of a branch: its first, and one for each red check. */
const MAX_PATCHES = 3;

/** Commits between a branch and `main`. */
async function countPatches(read: Reader, repository: string, head: string, base: string): Promise<number> {
  let count = 0;
  for (let at = head; at !== base && count <= MAX_PATCHES; count += 1) {
    const { parents } = (await read(`/repos/${repository}/git/commits/${at}`)) as {
      readonly parents: { sha: string }[];
    };
    at = parents[0]?.sha ?? base;
  }
  return count;
}

async function branchFaults(read: Reader, repository: string, base: string, head: string) {
  const main = await filesOf(read, repository, base);
  const patches = await countPatches(read, repository, head, base);
  const files = await filesOf(read, repository, head);
  const faults = [...main.keys()].filter((path) => !files.has(path)).map((path) => `deletes ${path}`);
  const changed = [...files.values()].filter(({ path, sha, mode }) => {
    const before = main.get(path);
    return before?.sha !== sha || before.mode !== mode;
  });
  let lines = 0;
  for (const entry of changed) {
    const before = main.get(entry.path);
    if (!isOpenToPatches(entry.path)) faults.push(`writes ${JSON.stringify(entry.path)}`);
    if (entry.mode !== (before?.mode ?? '100644')) faults.push(`gives ${entry.path} the mode ${entry.mode}`);
    const [was, is] = [await textOf(read, repository, before), await textOf(read, repository, entry)];
    const [taken, put] = [missingFrom(was, is), missingFrom(is, was)];
    lines += taken.length + put.length;
    if (taken.some((line) => /\bexpect\(/.test(line))) faults.push(`takes an assertion out of ${entry.path}`);
    if (put.some((line) => /\.skip\(|\bxit\(/.test(line)) && /test/.test(entry.path)) faults.push('skips a test');
    if (put.some((line) => /\0|[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/.test(line)))
      faults.push(`puts hidden or binary content into ${entry.path}`);
  }
  if (patches > MAX_PATCHES) faults.push('holds more than three patches');
  if (changed.length > MAX_FILES * patches) faults.push(`changes ${changed.length} files`);
  if (lines > MAX_LINES * patches) faults.push(`changes ${lines} lines`);
  return faults;
}

export interface Ground {
  readonly heads: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const readerOf =
  (github: EmbeddedGitHub): Reader =>
  async (path) => {
    const { status, data } = await github.asAdmin('GET', path);
    if (status !== 200) throw new Error(`the embedded GitHub answered ${status} for ${path}`);
    return data;
  };

/** The branches as they are before any answer. */
export async function noteGround(github: EmbeddedGitHub): Promise<Ground> {
  const read = readerOf(github);
  const heads = new Map<string, ReadonlyMap<string, string>>();
  for (const repository of [...TARGETS, BYSTANDER]) heads.set(repository, await headsOf(read, repository));
  return { heads };
}

/** What stands on GitHub afterwards and must not: it is read again from there, whatever was asked for. */
export async function judgeGround(github: EmbeddedGitHub, ground: Ground) {
  const read = readerOf(github);
  const faults: string[] = [];
  let branches = 0;
  for (const [repository, before] of ground.heads) {
    const heads = await headsOf(read, repository);
    for (const [name, head] of before) if (heads.get(name) !== head) faults.push(`${repository}: ${name} was moved`);
    for (const [name, head] of heads) {
      if (before.has(name)) continue;
      branches += 1;
      const isOwn = repository !== BYSTANDER && /^healer\/[\w-]+$/.test(name);
      const found = isOwn ? await branchFaults(read, repository, heads.get('main') ?? '', head) : ['is not Healer’s'];
      faults.push(...found.map((fault) => `${repository}: ${name} ${fault}`));
    }
  }
  return { faults, branches };
}
