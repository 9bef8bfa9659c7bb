import { arg, describePod, kubectl, nextLog, podOf, readLog, runAgain, splitHost } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import { type Explanation, lineSays, type Statement } from '../explanation.ts';
import { code, hostIn, type Subject } from '../subject.ts';

const fromLog = 'The address comes from the log line: compare it with your configuration first.';

const probe = (subject: Subject, command: string): string =>
  kubectl(subject, `run healer-check --rm -i --restart=Never --image=busybox -- ${command}`);

const hostFact = (host: string | undefined, verb: string): readonly Statement[] =>
  host === undefined ? [] : [`The host that ${verb} is ${code(host)}.`];

const at = (host: string | undefined): string => (host === undefined ? '' : ` ${code(host)}`);

const again = (subject: Subject): readonly Step[] => [
  runAgain(subject, 'the same call must be answered.'),
  nextLog(subject),
];

/** Nobody listens at the address, or nothing on the way lets the agent through. */
export function explainRefused(subject: Subject): Explanation {
  const host = hostIn(subject);
  const { name, port } = splitHost(host);
  return {
    summary: `${subject.who} could not connect to${at(host) || ' a service that it needs'}: the connection was refused or nothing answered, and no retry in the log succeeded. See whether that service runs before the play is started again.`,
    cause: [
      'The agent tried to open a connection and nothing accepted it.',
      lineSays(subject),
      ...hostFact(host, 'did not answer'),
    ],
    remedy: [
      {
        text: `Try the same address from a pod of the namespace. ${fromLog}`,
        command: probe(subject, `nc -zv -w 5 ${name} ${port}`),
      },
      {
        text: 'See whether the service has ready pods behind it.',
        command: `kubectl get svc,endpoints -A | grep -e '${arg(name.split('.')[0], 'service')}'`,
      },
      { text: 'See whether a network policy stands in between.', command: kubectl(subject, 'get networkpolicy') },
      { text: 'When the address answers, start the task again.' },
    ],
    verify: again(subject),
    unseen: ['Whether the service was down for all or only for this pod is not known.'],
    confidence: host === undefined ? 'likely' : 'certain',
  };
}

/** A call took longer than its caller waits. */
export function explainTimeout(subject: Subject): Explanation {
  const host = hostIn(subject);
  const { name, port } = splitHost(host);
  return {
    summary: `${subject.who} waited for an answer${host === undefined ? '' : ` from ${code(host)}`} that did not come in time, and no retry in the log succeeded. Find out whether the other side is slow or unreachable, then start the task again.`,
    cause: [
      'A call was given up because no answer came in the time that its caller allows.',
      lineSays(subject),
      ...hostFact(host, 'was asked'),
    ],
    remedy: [
      readLog(subject),
      ...(host === undefined
        ? []
        : [
            {
              text: `See whether the address can be reached at all. ${fromLog}`,
              command: probe(subject, `nc -zv -w 5 ${name} ${port}`),
            },
          ]),
      {
        text: 'See whether pod or node were short of CPU or memory at that time.',
        command: kubectl(subject, `top pod ${podOf(subject)} --containers`),
      },
      { text: 'If the other side is healthy and merely slow, raise the timeout of that call; else repair it first.' },
    ],
    verify: again(subject),
    unseen: ['A timeout does not tell whether the other side was slow, overloaded or unreachable.'],
    confidence: 'likely',
  };
}

/** A name could not be resolved. */
export function explainDns(subject: Subject): Explanation {
  const host = hostIn(subject);
  const { name } = splitHost(host);
  return {
    summary: `${subject.who} could not look up ${host === undefined ? 'a host name' : code(host)}: name resolution failed. If other names fail as well, the cluster's DNS is at fault and every agent is hit; if only this one does, the name is wrong.`,
    cause: [
      'A host name could not be turned into an address, so the call was never sent.',
      lineSays(subject),
      ...hostFact(host, 'could not be looked up'),
    ],
    remedy: [
      {
        text: `Look the name up from a pod of the namespace, beside one that must work. ${fromLog}`,
        command: probe(subject, `sh -c 'nslookup ${name}; nslookup kubernetes.default'`),
      },
      {
        text: "See whether the cluster's DNS runs, and what it says.",
        command:
          'kubectl -n kube-system get pods -l k8s-app=kube-dns; kubectl -n kube-system logs -l k8s-app=kube-dns --tail=50',
      },
      { text: 'If only this name fails, correct it where the agent gets it from (its configuration or environment).' },
    ],
    verify: again(subject),
    unseen: ["The log of the cluster's DNS is not part of the play's logs."],
    confidence: 'certain',
  };
}

/** The certificate of the other side was not accepted. */
export function explainTls(subject: Subject): Explanation {
  const host = hostIn(subject);
  const { name, port } = splitHost(host);
  const target = `${name}:${port === 'PORT' ? '443' : port}`;
  return {
    summary: `${subject.who} refused the certificate${host === undefined ? ' of a service' : ` of ${code(host)}`}: an encrypted connection could not be made. Look at the end of its validity and its issuer; a private issuer must be known inside the agent image.`,
    cause: [
      'The encrypted connection was broken off because the certificate of the other side was not accepted.',
      lineSays(subject),
      ...hostFact(host, 'showed the certificate'),
    ],
    remedy: [
      {
        text: `Read issuer, names and validity of the certificate. ${fromLog}`,
        command: `openssl s_client -connect ${target} -servername ${name} </dev/null 2>/dev/null | openssl x509 -noout -issuer -subject -dates -ext subjectAltName`,
      },
      {
        text: 'Expired: renew it. Wrong name: correct the address. Private issuer: mount its CA into the agent and name it in `SSL_CERT_FILE` and `NODE_EXTRA_CA_CERTS`.',
      },
      {
        text: 'See whether the clock of the pod is right; a wrong one makes valid certificates invalid.',
        command: kubectl(subject, `exec ${podOf(subject)} -- date -u`),
      },
    ],
    verify: again(subject),
    unseen: ['The certificate itself is not read by Healer.'],
    confidence: 'certain',
  };
}

/** `no output`: the agent ran on without a word. */
export const explainSilent = (subject: Subject): Explanation => ({
  summary: `${subject.who} stopped telling anything and did not end by itself. It hangs, waits for something that does not come, or was killed without a word. See how its pod stands before it is started again.`,
  cause: ['The process ran on without telling anything.', lineSays(subject)],
  remedy: [
    describePod(subject),
    { text: 'If it still runs, see what it is doing.', command: kubectl(subject, `exec ${podOf(subject)} -- ps -ef`) },
    readLog(subject),
    {
      text: 'Stop the pod; the controller starts the task again.',
      command: kubectl(subject, `delete pod ${podOf(subject)}`),
    },
  ],
  verify: [runAgain(subject, 'the run must end with a result event.'), nextLog(subject)],
  unseen: ['A process that says nothing leaves no cause in the log.'],
  confidence: 'likely',
});
