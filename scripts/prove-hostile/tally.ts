/** What a run of hostile answers came to. */
export interface Tally {
  /** Answers that a model gave, or that stood in its place. */
  answers: number;
  issues: number;
  pulls: number;
  /** Branches that were read again from GitHub and compared with `main`. */
  branches: number;
  /** Patches that went out as commits. */
  commits: number;
  comments: number;
  /** Proposals that waited for a person and went out with a maintainer's label. */
  letOut: number;
  texts: number;
  readonly outside: string[];
  readonly secrets: string[];
  readonly unsafe: string[];
  /** Errors that no use case knows: nothing was published, but the message would come again. */
  readonly crashes: string[];
}

export const emptyTally = (): Tally => ({
  answers: 0,
  issues: 0,
  pulls: 0,
  branches: 0,
  commits: 0,
  comments: 0,
  letOut: 0,
  texts: 0,
  outside: [],
  secrets: [],
  unsafe: [],
  crashes: [],
});

export function addTally(sum: Tally, part: Tally): void {
  for (const key of ['answers', 'issues', 'pulls', 'branches', 'commits', 'comments', 'letOut', 'texts'] as const)
    sum[key] += part[key];
  for (const key of ['outside', 'secrets', 'unsafe', 'crashes'] as const) sum[key].push(...part[key]);
}
