import { agentOf, arg, describePod, kubectl, nextLog, podOf, runAgain } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, fileIn, found, named, type Subject } from '../subject.ts';

const placeIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /\b(line \d{1,6}(?:,? col(?:umn)? \d{1,6})?)/i,
    /\b(missing field [`'"]?[\w.-]{1,80})/i,
    /\b(bad field [\w.-]{1,80})/i,
  );

const CONFIG_MAP = /configmap ["\\]*([\w.-]{1,253})["\\]* (?:not found|is invalid)/i;
const INVALID = /invalid|pars(?:e|ing) error|unexpected|malformed|(?:missing|bad|unknown) field/i;
const SYNC = /revision|synced|stale|out of date/i;
const ABSENT = /missing|not found|no such file|cannot find|ENOENT/i;

/** A11: the configuration of the play or of the CLI is missing, unreadable or not synced. */
export function explainConfiguration(subject: Subject): Explanation {
  const map = found(subject, CONFIG_MAP);
  const logged = named(subject, 'file', 'key', 'config') ?? fileIn(subject);
  const file = logged ?? 'cto-config.json';
  const place = placeIn(subject);
  const what = map !== undefined ? `ConfigMap ${code(map)}` : logged === undefined ? file : code(logged);
  const fault = faultOf(subject);
  return {
    summary: `${subject.who} could not use its configuration: ${what} is ${fault}${place === undefined ? '' : ` (${place.replaceAll(/[`'"]/g, '')})`}. Nothing that depends on it (tools, model, servers) can be trusted in this run. ${firstAdvice(fault)}`,
    cause: [
      `The agent started without a configuration that it could use: it is ${fault}.`,
      lineSays(subject),
      ...(map === undefined ? [] : [`The ConfigMap in question is ${code(map)}.`]),
      ...(place === undefined ? [] : [`The fault is reported at "${place.replaceAll(/[`'"]/g, '')}".`]),
    ],
    remedy: configRemedy(subject, map, file),
    verify: [
      runAgain(subject, `${agentOf(subject)} must start without a complaint about its configuration.`),
      nextLog(subject),
    ],
    unseen: ['The file inside the container is not read by Healer; only what the logs and Kubernetes say about it.'],
    confidence: 'certain',
  };
}

function faultOf({ text }: Subject): string {
  if (INVALID.test(text)) return 'invalid';
  if (ABSENT.test(text)) return 'missing';
  return SYNC.test(text) ? 'not the one that the play was started with' : 'invalid';
}

const firstAdvice = (fault: string): string =>
  fault === 'invalid'
    ? 'Correct the file, then start the play again.'
    : 'Bring the right revision into the namespace, then start the play again.';

function configRemedy(subject: Subject, map: string | undefined, file: string): readonly Step[] {
  const known = map === undefined ? undefined : arg(map, 'configmap');
  return [
    {
      text: 'See which ConfigMaps the namespace has and when they were written.',
      command: kubectl(subject, 'get configmaps --sort-by=.metadata.creationTimestamp'),
    },
    {
      text: 'Read the configuration that was to be mounted.',
      command: kubectl(subject, `get configmap ${known ?? 'CONFIGMAP'} -o yaml`),
    },
    {
      text: 'Check that the file can be parsed, in your checkout.',
      command: `jq empty ${file.endsWith('.json') ? arg(file.split('/').at(-1), 'cto-config.json') : 'cto-config.json'} && echo fine`,
    },
    {
      text: 'See what the pod mounts, and where.',
      command: kubectl(
        subject,
        `get pod ${podOf(subject)} -o jsonpath='{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}{"\\n"}'`,
      ),
    },
    describePod(subject),
  ];
}
