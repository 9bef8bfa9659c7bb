import { NANOS_PER_SECOND } from '../../time.ts';
import { SIGN_OF_LIFE_NS } from '../../window/plan.ts';
import type { Category, Code, Severity } from '../finding.ts';

/**
 * How objects of a cluster can fail. Ids equal those of the patterns that find the same in lines (patterns/kubernetes.yml),
 * so that one failure has one fingerprint, whoever tells it. Severities follow corpus/README.md, rule 5.
 */
export interface ClusterRule {
  readonly pattern: string;
  readonly category: Category;
  readonly code: Code | null;
  readonly severity: Severity;
  /** Template of the summary; `{agent}` is not part of it. */
  readonly summary: string;
  /** Seconds after the moment of the failure within which it may still pass, or be told by a line that comes late. */
  readonly hold: number;
  /** Its cause may stand in the log: a finding of the same pod shortly before tells it better. */
  readonly isSymptom: boolean;
}

/**
 * Silence of an agent is a phase: CLIs wait for a model without a line for 90 s, and for a command as long as it takes. Half
 * an hour is more than either, and the stored moment of a last line may be that old already (lib/app/pods-to-save.ts).
 */
export const SILENT_AFTER_S = 1800 + Number(SIGN_OF_LIFE_NS / NANOS_PER_SECOND);

/** Lines reach the log store some seconds after they were written. */
export const LATE_LINES_S = 15;

const rule = (
  pattern: string,
  severity: Severity,
  summary: string,
  more: Partial<Omit<ClusterRule, 'pattern' | 'severity' | 'summary'>> = {},
): ClusterRule => ({
  pattern: `kubernetes.${pattern}`,
  category: 'runtime',
  code: null,
  severity,
  summary,
  hold: LATE_LINES_S,
  isSymptom: false,
  ...more,
});

const symptom = { isSymptom: true } as const;

export const CLUSTER_RULES = {
  oom: rule('oom', 'critical', 'Kubernetes killed the container for its memory'),
  evicted: rule('evicted', 'critical', 'Kubernetes evicted the pod'),
  'node-lost': rule('node-lost', 'critical', 'the node of the pod was lost or shut down'),
  image: rule('image', 'critical', 'the image of the pod cannot be pulled', { hold: 150 }),
  scheduling: rule('scheduling', 'high', 'no node can take the pod', { hold: 170 }),
  'container-config': rule('container-config', 'critical', 'the container lacks a ConfigMap or Secret that it names', {
    hold: 120,
  }),
  'cannot-run': rule('cannot-run', 'critical', "the container's program cannot be started"),
  mount: rule('mount', 'critical', 'a volume of the pod cannot be mounted', { hold: 120 }),
  'config-mount': rule('config-mount', 'critical', "the play's configuration does not exist in the cluster", {
    hold: 120,
    category: 'preflight',
    code: 'A11',
  }),
  create: rule('create', 'high', 'a controller cannot create what the pod needs', { hold: 120 }),
  init: rule('init-container', 'critical', 'init container {container} failed ({end}), so the agent did not start', {
    ...symptom,
  }),
  exit: rule('exit', 'critical', 'the container ended badly ({end}) and no line says why', { ...symptom, hold: 30 }),
  deadline: rule('deadline', 'high', 'Kubernetes ended the run at its deadline'),
  'run-failed': rule('run-failed', 'critical', 'the run failed and neither a pod nor a line says why', {
    ...symptom,
    hold: 60,
  }),
  silent: rule('silent', 'medium', 'the agent has said nothing for half an hour although its pod runs', {
    ...symptom,
    hold: SILENT_AFTER_S,
  }),
  'no-result': rule('no-result', 'high', "the pod ended without the agent's closing event", { ...symptom, hold: 45 }),
} as const satisfies Record<string, ClusterRule>;

export type ClusterFault = keyof typeof CLUSTER_RULES;

/** What an exit code means, as a word that stays equal from run to run: 128 + n is signal n. */
const EXIT_WORDS: Readonly<Record<number, string>> = {
  1: 'error',
  126: 'not executable',
  127: 'program not found',
  130: 'interrupted',
  132: 'illegal instruction',
  134: 'aborted',
  135: 'bus error',
  137: 'killed',
  139: 'segmentation fault',
  143: 'asked to stop',
};

export const exitWord = (code: number): string => EXIT_WORDS[code] ?? (code > 128 ? 'signal' : 'error');
