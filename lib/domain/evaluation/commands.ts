import type { Step } from './diagnosis.ts';
import type { Subject } from './subject.ts';

/** Names that a shell takes as one plain word. Everything else that a log supplies becomes a placeholder. */
const PLAIN_WORD = /^[A-Za-z0-9/][A-Za-z0-9._/:@-]{0,252}$/;

/**
 * A name for a command that a person pastes. Names come from logs: only a plain word is used, and nothing that could be
 * taken for an option, a second command or a redirection.
 */
export const arg = (value: string | null | undefined, placeholder: string): string =>
  value != null && PLAIN_WORD.test(value) ? value : placeholder.toUpperCase().replaceAll(/[^A-Z]/g, '_');

export const namespaceOf = (subject: Subject): string => arg(subject.pack.namespace, 'namespace');
export const podOf = (subject: Subject): string => arg(subject.finding.pod, 'pod');
export const agentOf = (subject: Subject): string => arg(subject.finding.agent, 'agent');

/** `kubectl` in the namespace of the play. */
export const kubectl = (subject: Subject, rest: string): string => `kubectl -n ${namespaceOf(subject)} ${rest}`;

/** Reads what the pod has told; a container that was restarted needs `--previous`. */
export const readLog: (subject: Subject) => Step = (subject) => ({
  text: 'Read what the pod told around the failure. If the container was restarted, add `--previous`.',
  command: kubectl(subject, `logs ${podOf(subject)} --all-containers --timestamps --tail=200`),
});

/** For verification: the pod that runs after the remedy has a name of its own. */
export const nextLog: (subject: Subject) => Step = (subject) => ({
  text: "Read the log of the agent's next pod; the failure must not show again.",
  command: kubectl(subject, 'logs NEXT_POD --all-containers --timestamps --tail=200'),
});

export const describePod: (subject: Subject) => Step = (subject) => ({
  text: 'See how the containers ended and what the events say.',
  command: kubectl(subject, `describe pod ${podOf(subject)}`),
});

/** Events of the pod, in order of time; they vanish after an hour by default. */
export const podEvents: (subject: Subject) => Step = (subject) => ({
  text: 'Read the events of the pod; by default the cluster forgets them after an hour.',
  command: kubectl(
    subject,
    `get events --field-selector involvedObject.name=${podOf(subject)} --sort-by=.lastTimestamp`,
  ),
});

/** The last step of every remedy that changes something outside the run. */
export const runAgain = (subject: Subject, what: string): Step => ({
  text: `Start a play of ${subject.pack.repository} again: ${what}`,
});

/** A host and port that only a log names, for a command; without a port the placeholder stays. */
export function splitHost(host: string | undefined): { readonly name: string; readonly port: string } {
  const [name, port] = (host ?? '').split(':');
  return { name: arg(name, 'host'), port: port !== undefined && /^\d{1,5}$/.test(port) ? port : 'PORT' };
}
