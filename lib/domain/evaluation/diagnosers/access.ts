import { agentOf, arg, describePod, kubectl, nextLog, podOf, runAgain } from '../commands.ts';
import { type Explanation, lineSays, type Statement } from '../explanation.ts';
import { code, fileIn, hostIn, named, type Subject, statusIn } from '../subject.ts';

/** Signs in the words of a refusal that tell which kind it is. */
const EXPIRED = /expired|refresh token|log (?:out and )?(?:in|sign in) again|sign in again/i;
const RIGHTS = /missing scopes?|insufficient|forbidden|\b403\b|not allowed|permission/i;
const SUSPENDED = /suspended|disabled|deactivated|billing/i;

/** The agent is not let in: model endpoint, GitHub or a tool refuses its credentials. */
export function explainCredentials(subject: Subject): Explanation {
  const host = hostIn(subject);
  const status = statusIn(subject);
  const kind = refusalOf(subject);
  return {
    summary: `${subject.who} is not let in${host === undefined ? '' : ` by ${code(host)}`}: ${kind.what}. No retry helps until ${kind.until}; every agent with the same credentials is hit. ${kind.first}`,
    cause: [
      `The agent reached the service and was turned away: ${kind.what}.`,
      lineSays(subject),
      ...(status === undefined ? [] : [`The answer was HTTP status "${status}".`]),
      ...(host === undefined ? [] : [`It came from ${code(host)}.`]),
    ],
    remedy: [
      {
        text: 'Find the secret that the agent got its credentials from.',
        command: kubectl(
          subject,
          `get pod ${podOf(subject)} -o jsonpath='{range .spec.containers[*]}{.envFrom}{.env[*].valueFrom.secretKeyRef}{"\\n"}{end}'`,
        ),
      },
      { text: kind.first },
      {
        text: 'Set the renewed value from a file, so that it stands in no shell history; the other keys of the secret stay.',
        command: kubectl(
          subject,
          `patch secret SECRET_NAME -p "{\\"data\\":{\\"KEY_NAME\\":\\"$(base64 < ./new-value | tr -d '\\n')\\"}}"`,
        ),
      },
      { text: 'Start the task again: a running pod keeps the old value in its environment.' },
    ],
    verify: [runAgain(subject, `${agentOf(subject)} must get past its first call to that service.`), nextLog(subject)],
    unseen: [
      'Credentials are never read by Healer: whether the value is old, wrong or absent is told only by the answer.',
    ],
    confidence: 'certain',
  };
}

function refusalOf(subject: Subject): { what: string; until: string; first: string } {
  if (SUSPENDED.test(subject.text)) {
    return {
      what: 'the account is suspended or disabled',
      until: 'the account is active again',
      first: 'Ask the owner of the account at the provider why it is blocked.',
    };
  }
  if (EXPIRED.test(subject.text)) {
    return {
      what: 'its token has expired or was already used',
      until: 'a valid token is in place',
      first: 'Issue a new token at the provider and replace the old one.',
    };
  }
  if (RIGHTS.test(subject.text)) {
    return {
      what: 'its credentials are known but lack a right',
      until: 'the right is granted',
      first: 'Grant the missing scope or role to the key or the App, or use one that has it.',
    };
  }
  return {
    what: 'its credentials are refused',
    until: 'they are replaced',
    first: 'Check at the provider that the key still exists, then issue a new one and replace the old one.',
  };
}

/** Files cannot be read or written. */
export function explainPermission(subject: Subject): Explanation {
  const file = named(subject, 'file', 'path') ?? fileIn(subject);
  const isReadOnly = /EROFS|read-only/i.test(subject.text);
  const isStale = /stale/i.test(subject.text);
  const denial = isReadOnly
    ? 'the file system is read-only'
    : isStale
      ? 'the network volume behind it was taken away (stale file handle), so the pod must be started anew'
      : 'the operating system denies it';
  const shown = arg(file, 'path');
  return {
    summary: `${subject.who} cannot ${isReadOnly ? 'write' : 'use'} ${file === undefined ? 'files that it needs' : code(file)}: ${denial}. The agent may go on and even report success, but its work is not kept. Correct owner, mode or mount before the task is started again.`,
    cause: [
      'The operating system refused access to a file or directory of the run.',
      lineSays(subject),
      ...fileFact(file),
    ],
    remedy: [
      {
        text: 'See as whom the agent runs and who owns the path.',
        command: kubectl(subject, `exec ${podOf(subject)} -- sh -c 'id; ls -ldn ${shown}; mount | grep -w ro'`),
      },
      {
        text: 'Compare with what the pod asks for.',
        command: kubectl(
          subject,
          `get pod ${podOf(subject)} -o jsonpath='{.spec.securityContext}{"\\n"}{.spec.containers[*].securityContext}{"\\n"}{.spec.containers[*].volumeMounts}{"\\n"}'`,
        ),
      },
      {
        text: 'Wrong owner: set `fsGroup` (and `runAsUser`) in the securityContext of the pod template to the owner of the volume. Read-only: take `readOnly: true` off the mount, or give the agent a writable directory.',
      },
      describePod(subject),
    ],
    verify: [
      {
        text: "In the agent's next pod, writing must succeed.",
        command: kubectl(
          subject,
          `exec NEXT_POD -- sh -c 'touch ${shown === 'PATH' ? 'PATH' : shown}/.healer-check && rm ${shown === 'PATH' ? 'PATH' : shown}/.healer-check && echo writable'`,
        ),
      },
      nextLog(subject),
    ],
    unseen: file === undefined ? ['The log does not name the file.'] : [],
    confidence: file === undefined ? 'likely' : 'certain',
  };
}

const fileFact = (file: string | undefined): readonly Statement[] =>
  file === undefined ? [] : [`The path that was denied is ${code(file)}.`];
