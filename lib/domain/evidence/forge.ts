import type { Millis } from '../time.ts';

/** A pull request as evidence tells of it. Texts are hostile and unredacted. */
export interface ForgePull {
  readonly number: number;
  readonly title: string;
  /** Login. */
  readonly author: string;
  readonly state: 'open' | 'draft' | 'closed' | 'merged';
  readonly branch: string;
  /** Commit at the end of the branch. */
  readonly head: string;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** Something said or found about a pull request. */
export interface ForgeNote {
  readonly kind: 'comment' | 'review' | 'check run' | 'commit status';
  /** Login; of a check run the App. */
  readonly author: string;
  /** Name of the check or context; empty for what people say. */
  readonly name: string;
  /** State of a review, conclusion of a check run, state of a status; empty for comments. */
  readonly state: string;
  readonly at: Millis | null;
  readonly text: string;
}

/** How a play's pull requests are told from others of the repository. */
export interface PlayTraces {
  readonly playId: string;
  /** Logins of the Apps under which the play's agents write, lower case, without `[bot]`. */
  readonly logins: readonly string[];
  readonly agents: readonly string[];
  readonly taskIds: readonly string[];
  /** Numbers that the play's logs name by a link. */
  readonly mentioned: readonly number[];
  readonly startedAt: Millis;
  readonly until: Millis;
}

/** Pull requests of which comments, reviews and checks are read. */
const MAX_PULLS = 3;
/** A pull request of the same agents counts when it changed within this time before the play. */
const BEFORE_MS = 60 * 60_000;
/** Less than this is a pull request of somebody else. */
const ENOUGH = 30;

/**
 * The pull requests of the play, the likeliest first: named by its logs, from a branch with the play's, an agent's or a
 * task's name, or written by one of its Apps while it ran. Healer's own are none.
 */
export function choosePulls(pulls: readonly ForgePull[], traces: PlayTraces): readonly ForgePull[] {
  return pulls
    .filter(({ branch }) => !branch.startsWith('healer/'))
    .map((pull) => ({ pull, score: scoreOf(pull, traces) }))
    .filter(({ score }) => score >= ENOUGH)
    .toSorted((a, b) => b.score - a.score || b.pull.updatedAt - a.pull.updatedAt)
    .slice(0, MAX_PULLS)
    .map(({ pull }) => pull);
}

function scoreOf(pull: ForgePull, traces: PlayTraces): number {
  if (traces.mentioned.includes(pull.number)) return 100;
  const isDuring = pull.updatedAt >= traces.startedAt - BEFORE_MS && pull.createdAt <= traces.until;
  if (!isDuring) return 0;
  const names = pull.branch.toLowerCase().split(/[^a-z0-9]+/);
  const branch = pull.branch.toLowerCase();
  const isBot = traces.logins.includes(pull.author.toLowerCase().replace(/\[bot\]$/, ''));
  const hasTask = traces.taskIds.some((id) => isTaskBranch(branch, id.toLowerCase()));
  return (
    (branch.includes(traces.playId.toLowerCase()) ? 50 : 0) +
    (isBot ? 30 : 0) +
    (hasTask ? 20 : 0) +
    (traces.agents.some((name) => names.includes(name)) ? 15 : 0) +
    (pull.createdAt >= traces.startedAt ? 5 : 0)
  );
}

/** `agent/task-7`, `task/7`, `7-add-cart`: the id as a part of its own behind the word, or first. */
const isTaskBranch = (branch: string, id: string): boolean => {
  const parts = branch.split(/[^a-z0-9]+/);
  return parts.some((part, i) => part === id && (parts[i - 1] === 'task' || i === 0)) || parts.includes(`task${id}`);
};

/** Numbers of pull requests of the repository (`owner/name`) that lines link to, at most 5. */
export function mentionedPulls(lines: Iterable<string>, repository: string): readonly number[] {
  const link = new RegExp(`${repository.replaceAll('.', '\\.')}/pulls?/(\\d{1,9})\\b`, 'gi');
  const numbers = new Set<number>();
  for (const line of lines) {
    if (numbers.size >= 5) break;
    for (const [, number] of line.slice(0, 20_000).matchAll(link)) numbers.add(Number(number));
  }
  return [...numbers].slice(0, 5);
}
