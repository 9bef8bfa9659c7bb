import { arg, kubectl, nextLog, podEvents, podOf, runAgain } from '../commands.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, found, named, type Subject, whom } from '../subject.ts';

const container = (subject: Subject): string => arg(subject.finding.anchor.container, 'container');

/** The container was killed for memory, or the program ran out of its own heap. */
export function explainMemory(subject: Subject): Explanation {
  const isHeap = /heap/i.test(subject.text) && !/OOM ?Killed/i.test(subject.text);
  const limit = found(subject, /memoryLimit=([\w.]{1,20})/);
  return {
    summary: `${subject.who} ran out of memory${isHeap ? ' (the heap limit of its own runtime)' : ' and was killed by the node'}: it had no chance to say so or to push its work. The same task needs as much again. ${isHeap ? 'Raise the heap limit or let it hold less at once.' : `Raise the container's memory limit${limit === undefined ? '' : ` of ${code(limit)}`}, or find what grew.`}`,
    cause: [
      isHeap
        ? 'The program reached the heap limit of its own runtime and was aborted.'
        : 'The container used more memory than it may and was killed.',
      lineSays(subject),
    ],
    remedy: [
      {
        text: 'See limit, request and end of each container.',
        command: kubectl(
          subject,
          `get pod ${podOf(subject)} -o json | jq '.spec.containers[] | {name, resources}, (.. | .lastState? // empty)'`,
        ),
      },
      {
        text: 'See what the other pods of the play use at the moment.',
        command: kubectl(subject, 'top pod --containers --sort-by=memory'),
      },
      {
        text: isHeap
          ? 'Raise the heap in the environment of the agent, below the memory limit of its container: `NODE_OPTIONS=--max-old-space-size=4096`.'
          : `Raise \`resources.limits.memory\` of container ${code(container(subject))} in the template of the run.`,
      },
      podEvents(subject),
    ],
    verify: [
      runAgain(subject, 'the pod must end without being killed.'),
      {
        text: 'The last end of the next pod must not be OOMKilled.',
        command: kubectl(
          subject,
          `get pod NEXT_POD -o jsonpath='{.status.containerStatuses[*].state.terminated.reason}{"\\n"}'`,
        ),
      },
    ],
    unseen: ['What used the memory is not known: a killed process leaves no trace in its log.'],
    confidence: 'certain',
  };
}

/** The node threw the pod out, or is about to. */
export function explainEviction(subject: Subject): Explanation {
  const resource =
    named(subject, 'resource', 'kind') ??
    found(subject, /low on resource: ([\w-]{1,60})/i, /(DiskPressure|MemoryPressure|PIDPressure)/);
  const short = resource === undefined ? 'a resource' : code(resource);
  const isLost = /NodeLost|NodeShutdown|Shutdown/.test(subject.text);
  const isEvicted = /evict|preempt|was removed/i.test(subject.text);
  if (isLost) return explainLostNode(subject);
  return {
    summary: isEvicted
      ? `${subject.who} was evicted: its node was short of ${short} and removed the pod. The agent did nothing wrong; its work since the last push is lost. Free the node or give the pod requests that keep it, then start the task again.`
      : `The node of ${whom(subject)} is short of ${short}: it takes no further pods and will remove some of those it has. Free the node before their work is lost.`,
    cause: [
      'The node removed the pod to protect itself.',
      lineSays(subject),
      ...(resource === undefined ? [] : [`The resource that ran short is ${code(resource)}.`]),
    ],
    remedy: [
      {
        text: 'See which nodes are under pressure.',
        command: `kubectl get nodes -o custom-columns='NAME:.metadata.name,MEMORY:.status.conditions[?(@.type=="MemoryPressure")].status,DISK:.status.conditions[?(@.type=="DiskPressure")].status'`,
      },
      podEvents(subject),
      {
        text: 'Set requests (memory, ephemeral-storage) near the real use: pods that use more than they asked for go first.',
        command: kubectl(subject, `get pod ${podOf(subject)} -o jsonpath='{.spec.containers[*].resources}{"\\n"}'`),
      },
    ],
    verify: [runAgain(subject, 'the pod must end by itself.'), nextLog(subject)],
    confidence: 'certain',
  };
}

/** The node went away, with whatever ran on it. */
const explainLostNode = (subject: Subject): Explanation => ({
  summary: `${subject.who} was lost with its node, which shut down or no longer answers. The agent did nothing wrong; its work since the last push is lost. Start the task again, on a node that stays.`,
  cause: ['The node of the pod was lost or shut down.', lineSays(subject)],
  remedy: [
    { text: 'See the state of the nodes, and since when.', command: 'kubectl get nodes -o wide' },
    podEvents(subject),
    { text: 'Keep agents off nodes that may go at any time (spot, preemptible), or let them push more often.' },
  ],
  verify: [runAgain(subject, 'the pod must end by itself.'), nextLog(subject)],
  confidence: 'certain',
});

/** The image could not be pulled. */
export function explainImage(subject: Subject): Explanation {
  const image =
    named(subject, 'image') ??
    found(subject, /image \\?["'`]([^"'`\\\s]{3,255})/i, /image:?\s+([\w./-]+\/[\w./-]+(?::[\w.-]+)?)/i);
  return {
    summary: `${subject.who} did not start: its image${image === undefined ? '' : ` ${code(image)}`} could not be pulled. Check that the tag exists and that the pull secret is valid; every run with this image is hit.`,
    cause: [
      'The container could not start because its image could not be fetched.',
      lineSays(subject),
      ...(image === undefined ? [] : [`The image in question is ${code(image)}.`]),
    ],
    remedy: [
      podEvents(subject),
      {
        text: 'Check that tag and architecture exist in the registry.',
        command: `docker manifest inspect ${arg(image, 'image')} | head -n 20`,
      },
      {
        text: 'Check the pull secret of the pod.',
        command: kubectl(subject, `get pod ${podOf(subject)} -o jsonpath='{.spec.imagePullSecrets}{"\\n"}'`),
      },
      {
        text: 'Correct the tag, or renew the secret.',
        command: kubectl(
          subject,
          'create secret docker-registry PULL_SECRET --docker-server=REGISTRY --docker-username=USER --docker-password="$(cat ./password)" --dry-run=client -o yaml | kubectl apply -f -',
        ),
      },
    ],
    verify: [
      runAgain(subject, 'the pod must reach Running.'),
      { text: 'See that it does.', command: kubectl(subject, 'get pods -w') },
    ],
    confidence: 'certain',
  };
}

/** No node takes the pod. */
export const explainScheduling = (subject: Subject): Explanation => ({
  summary: `${subject.who} did not start: no node takes its pod. Until there is room (or the request, selector or taint is corrected) the task waits.`,
  cause: ['The scheduler found no node that fits the pod.', lineSays(subject)],
  remedy: [
    podEvents(subject),
    {
      text: 'Compare what the pod asks for with what the nodes have left.',
      command: `kubectl describe nodes | grep -A 8 'Allocated resources'; ${kubectl(subject, `get pod ${podOf(subject)} -o jsonpath='{.spec.containers[*].resources.requests}{"\\n"}{.spec.nodeSelector}{"\\n"}{.spec.tolerations}{"\\n"}'`)}`,
    },
    { text: 'Add a node, lower the requests, or remove finished pods that still hold volumes.' },
  ],
  verify: [{ text: 'The pod must get a node.', command: kubectl(subject, `get pod ${podOf(subject)} -o wide`) }],
  confidence: 'certain',
});

/** A volume, ConfigMap or Secret could not be mounted. */
export function explainMount(subject: Subject): Explanation {
  const source = found(
    subject,
    /(?:configmap|secret|persistentvolumeclaim) \\?["'`]?([\w.-]{1,253}?)\\?["'`]? not found/i,
    /volume \\?["'`]([\w.-]{1,253})/i,
  );
  return {
    summary: `${subject.who} did not start: ${source === undefined ? 'a volume' : code(source)} could not be mounted. The pod waits for it and starts by itself once it is there.`,
    cause: [
      'The container could not start because something that it mounts is not there.',
      lineSays(subject),
      ...(source === undefined ? [] : [`What could not be mounted is ${code(source)}.`]),
    ],
    remedy: [
      podEvents(subject),
      {
        text: 'See whether it exists in this namespace.',
        command: `${kubectl(subject, 'get configmap,secret,pvc')} | grep -e '${arg(source, 'name')}'`,
      },
      { text: 'Create it, or find out why the controller did not (a ConfigMap may hold 1 MiB at most).' },
    ],
    verify: [{ text: 'The pod must reach Running.', command: kubectl(subject, `get pod ${podOf(subject)} -w`) }],
    confidence: 'certain',
  };
}

/** Nothing can be written any more: the disk is full. */
export const explainDisk = (subject: Subject): Explanation => ({
  summary: `${subject.who} cannot write any more: the disk is full. Whatever it did since then is not kept, and other pods of the node may be hit. Free space or give the volume more, then start the task again.`,
  cause: ['A write failed because the file system is full.', lineSays(subject)],
  remedy: [
    {
      text: 'See which file system is full, and what fills it.',
      command: kubectl(subject, `exec ${podOf(subject)} -- sh -c 'df -h; du -xsh /workspace /tmp 2>/dev/null'`),
    },
    podEvents(subject),
    { text: "Enlarge the volume or raise the ephemeral-storage limit; clear build caches in the agent's start-up." },
  ],
  verify: [runAgain(subject, 'the run must get past this point.'), nextLog(subject)],
  confidence: 'certain',
});
