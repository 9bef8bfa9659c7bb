import { arg, describePod, kubectl, nextLog, podEvents, podOf, runAgain } from '../commands.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, found, named, type Subject } from '../subject.ts';

/** Ends and states that only the cluster tells of: the run itself left no word. */

/** A ConfigMap, Secret or key that the container's environment names is not there. */
export function explainContainerConfig(subject: Subject): Explanation {
  const [kind, name] = missingObject(subject);
  const key = found(subject, /couldn'?t find key ([\w.-]{1,253})/i);
  const what = name === undefined ? 'a ConfigMap or Secret that it names' : `${kind} ${code(name)}`;
  return {
    summary: `${subject.who} did not start: its container takes values from ${key === undefined ? what : `the key ${code(key)} of ${what}`}, and the cluster has no such thing. The container waits for it and starts by itself once it is there.`,
    cause: [
      'The container could not be created because a value of its environment is not there.',
      lineSays(subject),
      ...(name === undefined ? [] : [`What is missing is ${code(name)}.`]),
    ],
    remedy: [
      {
        text: 'See what the container takes its environment from.',
        command: kubectl(
          subject,
          `get pod ${podOf(subject)} -o jsonpath='{.spec.containers[*].envFrom}{"\\n"}{.spec.containers[*].env[*].valueFrom}{"\\n"}'`,
        ),
      },
      {
        text: 'See whether it exists in this namespace; names only, no values.',
        command: `${kubectl(subject, 'get configmap,secret -o name')} | grep -e '${arg(name, 'name')}'`,
      },
      { text: 'Create it with the keys that the container names, or correct the name in the template of the run.' },
    ],
    verify: [{ text: 'The pod must reach Running.', command: kubectl(subject, `get pod ${podOf(subject)} -w`) }],
    confidence: 'certain',
  };
}

function missingObject(subject: Subject): readonly [string, string | undefined] {
  const secret = found(
    subject,
    /secret \\?["'`]?(?:[\w.-]+\/)?([\w.-]{1,253}?)\\?["'`]? not found/i,
    /in Secret (?:[\w.-]+\/)?([\w.-]{1,253})/,
  );
  if (secret !== undefined) return ['Secret', secret];
  return [
    'ConfigMap',
    found(
      subject,
      /configmap \\?["'`]?(?:[\w.-]+\/)?([\w.-]{1,253}?)\\?["'`]? not found/i,
      /in ConfigMap (?:[\w.-]+\/)?([\w.-]{1,253})/,
    ),
  ];
}

/** The Job was active for longer than its deadline allows. */
export const explainDeadline = (subject: Subject): Explanation => ({
  summary: `${subject.who} was ended by Kubernetes at the deadline of its Job: it was not done in the time that a run has. Its pod is removed, and work since the last push is lost. Find out what took the time before the deadline is raised.`,
  cause: ['The Job ran longer than its deadline allows, so Kubernetes ended its pods.', lineSays(subject)],
  remedy: [
    {
      text: 'See deadline, start and end of the Jobs of this namespace.',
      command: kubectl(
        subject,
        "get jobs -o custom-columns='NAME:.metadata.name,DEADLINE:.spec.activeDeadlineSeconds,START:.status.startTime,REASON:.status.conditions[*].reason'",
      ),
    },
    podEvents(subject),
    { text: 'Read the log from its end: does the agent still make progress, or does it repeat itself or wait?' },
    { text: 'Divide the task, or raise the deadline of the run if it made progress to the end.' },
  ],
  verify: [runAgain(subject, 'its Job must complete before the deadline.'), nextLog(subject)],
  unseen: ['Whether the agent made progress until the deadline is not decided here.'],
  confidence: 'certain',
});

/** An init container failed: checking out, preparing, waiting for a service. */
export function explainInit(subject: Subject): Explanation {
  const name = found(subject, /init container ([\w.-]{1,63})/) ?? named(subject, 'container');
  const status = found(subject, /exitCode=(\d{1,3})/);
  return {
    summary: `${subject.who} did not start: the init container${name === undefined ? '' : ` ${code(name)}`} that prepares its pod failed${status === undefined ? '' : ` (exit code ${code(status)})`}. The agent's own container never ran, so nothing is lost but time; every run with this preparation is hit.`,
    cause: [
      'A container that prepares the pod ended badly, so the agent was not started.',
      lineSays(subject),
      ...(name === undefined ? [] : [`The init container is ${code(name)}.`]),
    ],
    remedy: [
      {
        text: 'Read what the init container told.',
        command: kubectl(subject, `logs ${podOf(subject)} -c ${arg(name, 'container')} --timestamps --tail=100`),
      },
      describePod(subject),
      { text: 'Repair what it prepares (repository access, credentials, the service that it waits for).' },
    ],
    verify: [runAgain(subject, 'the init containers must end with exit code 0.'), nextLog(subject)],
    unseen: ['Why the init container failed stands in its own log, where it wrote one.'],
    confidence: 'certain',
  };
}

/** The containers ended with success although the agent's event stream was never closed. */
export const explainNoResult = (subject: Subject): Explanation => ({
  summary: `${subject.who} stopped without its closing event, and its pod ended as if all were well. The agent's program was cut off and what started it hid that; take the task as not done.`,
  cause: ["The pod ended with success, and the agent's own event stream has no end.", lineSays(subject)],
  remedy: [
    {
      text: "Read the last words of the agent's container.",
      command: kubectl(subject, `logs ${podOf(subject)} --all-containers --timestamps --tail=100`),
    },
    describePod(subject),
    { text: 'Let the entrypoint end with the exit code of the agent (`exec`, or no `|| true` behind it).' },
    { text: "Look at the agent's branch for work that was not pushed, then start the task again." },
  ],
  verify: [runAgain(subject, 'the log must end with a result event.'), nextLog(subject)],
  unseen: ['Who ended the program is not known: neither the log nor the container says so.'],
  confidence: 'likely',
});

/** A controller is not allowed to create the pod: quota, admission, an invalid object. */
export function explainCreate(subject: Subject): Explanation {
  const quota = found(subject, /exceeded quota: ([\w.-]{1,253})/i);
  const hook = found(subject, /admission webhook \\?["']?([\w.-]{1,253})/i);
  const by = quota === undefined ? (hook === undefined ? undefined : code(hook)) : code(quota);
  return {
    summary: `${subject.who} did not start: the cluster refuses what its run needs${by === undefined ? '' : ` (${by})`}. No pod was made, so there is no log. Until this is lifted every run of this kind waits.`,
    cause: [
      'A controller asked for an object, and the API server refused it.',
      lineSays(subject),
      ...(by === undefined ? [] : [`The refusal names ${by}.`]),
    ],
    remedy: [
      podEvents(subject),
      {
        text: 'See the quotas of the namespace and what is used of them.',
        command: kubectl(subject, 'describe resourcequota,limitrange'),
      },
      { text: 'Raise the quota, remove finished runs, or correct the object that is refused.' },
    ],
    verify: [
      runAgain(subject, 'a pod must appear.'),
      { text: 'See that it does.', command: kubectl(subject, 'get pods -w') },
    ],
    confidence: 'certain',
  };
}
