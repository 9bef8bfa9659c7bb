import { agentOf, arg, kubectl, podOf } from '../commands.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, found, type Subject } from '../subject.ts';

const NO_WORK = /no pull requests? (?:found|of|for)\b/i;

/** An agent that goes on with the work of another found none. */
function explainNoWork(subject: Subject): Explanation {
  const branch = found(subject, /for branch \\*["'`]([\w./-]{1,200})/i);
  const repository = arg(subject.pack.repository, 'repository');
  return {
    summary: `${subject.who} found no work to go on with: the pull request that it was to take up does not exist${branch === undefined ? '' : ` (branch ${code(branch)})`}. It is the agent before it that did not deliver; starting this one again changes nothing.`,
    cause: [
      'The agent looked for a pull request of another agent and found none.',
      lineSays(subject),
      ...(branch === undefined ? [] : [`The branch that it looked for is ${code(branch)}.`]),
    ],
    remedy: [
      {
        text: 'See which pull requests and branches the play has left.',
        command: `gh pr list --repo ${repository} --state all --limit 20; git ls-remote --heads https://github.com/${repository}.git`,
      },
      {
        text: 'Read how the agent before it ended: whether it pushed, and what it was refused.',
        command: `${kubectl(subject, 'get pods --sort-by=.status.startTime')} | grep -e '${arg(subject.pack.playId, 'play')}'`,
      },
      { text: 'Repair what kept that agent from delivering, then start its task again; this one follows by itself.' },
    ],
    verify: [
      {
        text: `The pull request must be listed before ${agentOf(subject)} is started again.`,
        command: `gh pr list --repo ${repository} --state open`,
      },
    ],
    unseen: ['Whether the work exists elsewhere, uncommitted or not pushed, is not known.'],
    confidence: 'certain',
  };
}

/** Work that could not be delivered: a push or a pull request was refused, or there was none to go on with. */
export function explainDelivery(subject: Subject): Explanation {
  if (NO_WORK.test(subject.text)) return explainNoWork(subject);
  const repository = found(
    subject,
    /Permission to ([\w.-]+\/[\w.-]+?)(?:\.git)? denied/i,
    /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?['"\s]/i,
  );
  const user = found(subject, /denied to ([\w.[\]-]{1,80})/i);
  const isProtected = /protected branch|GH006|GH013|rule violations/i.test(subject.text);
  const isBehind = /non-fast-forward|fetch first|tip of your current branch is behind/i.test(subject.text);
  return {
    summary: `${subject.who} could not deliver its work${repository === undefined ? '' : ` to ${code(repository)}`}: git refused the push${isProtected ? ' because a branch rule forbids it' : isBehind ? ' because the remote branch has moved on' : ''}. The commits exist only in the pod and are lost with it. Save them first.`,
    cause: [
      'The work was committed in the pod, but the git host did not take it.',
      lineSays(subject),
      ...(user === undefined ? [] : [`The identity that was refused is ${code(user)}.`]),
    ],
    remedy: [
      {
        text: 'Save the commits while the pod exists.',
        command: kubectl(
          subject,
          `exec ${podOf(subject)} -- sh -c 'cd REPOSITORY_DIRECTORY && git bundle create /tmp/work.bundle --all' && kubectl -n ${arg(subject.pack.namespace, 'namespace')} cp ${podOf(subject)}:/tmp/work.bundle ./work.bundle`,
        ),
      },
      {
        text: isProtected
          ? 'Push to a branch of its own and open a pull request; the branch rules are there on purpose.'
          : isBehind
            ? 'Rebase the work on the remote branch and push again.'
            : "Give the agent's GitHub App `contents: write` and `pull requests: write` on this repository, or install it there.",
        command:
          isProtected || isBehind ? 'git fetch origin && git log --oneline --left-right HEAD...origin/HEAD' : undefined,
      },
      {
        text: 'Start the task again, or push the saved commits by hand.',
        command: 'git fetch ./work.bundle "refs/heads/*:refs/heads/rescued/*"',
      },
    ],
    verify: [
      {
        text: 'The branch of the task must hold the commits.',
        command: 'git ls-remote --heads origin',
      },
    ],
    unseen: ['Whether the pod, and the commits in it, still exist is not known.'],
    confidence: 'certain',
  };
}
