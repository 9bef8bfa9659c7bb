import { systemClock } from '#lib/adapters/system/clock.ts';
import { type ClusterProbeSight, type LogsSight, MOST_NAMESPACES, SourcesAnswer } from '#lib/domain/probe.ts';
import type { Millis } from '#lib/domain/time.ts';
import type { FoundStage } from '../stage/stage.ts';
import type { Ward } from './aws.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { invokeProbe } from './invoke-probe.ts';

/** GitHub refuses what was signed over a minute ago or ahead. */
const MOST_DRIFT_MS: Millis = 30_000;

/** Loki and Kubernetes as `detect` sees them, and its clock. */
export async function checkSources(ward: Ward): Promise<readonly Finding[]> {
  const { deployment } = ward.stage;
  const namespaces = deployment?.kubernetes?.namespaces.slice(0, MOST_NAMESPACES) ?? [];
  const before = systemClock.now();
  const { at, logs, cluster } = await invokeProbe(ward, 'detect', SourcesAnswer, { namespaces });
  const after = systemClock.now();
  return [
    ...toDrift(ward.stage, { logs, cluster }),
    ...toLogFindings(logs, deployment?.loki.podLabel),
    ...toClusterFindings(cluster),
    toClock(at, before, after),
  ];
}

/** What the file says, and the deployment does not know yet. */
function toDrift({ name, deployment }: FoundStage, { logs, cluster }: Omit<SourcesAnswer, 'at'>): readonly Finding[] {
  if (deployment === null) return [];
  const { loki, kubernetes } = deployment;
  const fields = [
    ...(logs.tenant === loki.tenant ? [] : ['loki.tenant']),
    ...((cluster === null) === (kubernetes === null) ? [] : ['kubernetes']),
  ];
  return fields.map((field) =>
    wrong('file', `${field} of healer.${name}.yml is not what is deployed`, `npx serverless deploy --stage ${name}`),
  );
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** From the way to Loki to the pods' names: the first thing that is wrong explains the rest. */
function toLogFindings(logs: LogsSight, podLabel: string | undefined): readonly Finding[] {
  const { trouble, tenant, labels, unknownLabels, knownNamespaces, namespaces, hasPodLabel } = logs;
  if (trouble !== null) return [wrong('Loki', `detect cannot ask it: ${trouble.reason}`, trouble.advice)];
  const whose = tenant === null ? 'no tenant' : `tenant ${tenant}`;
  if (labels.length === 0) {
    const advice = 'Check loki.tenant and loki.url: this tenant has no logs of the last 24 hours.';
    return [wrong('Loki', `it answers detect (${whose}), and holds no stream`, advice)];
  }
  const reached = ok('Loki', `it answers detect (${whose}); labels: ${list(labels)}`);
  if (unknownLabels.length > 0) {
    const advice = `Set loki.selector to labels that it has: ${list(labels)}.`;
    return [reached, wrong('Loki selector', `Loki has no label ${list(unknownLabels)}`, advice)];
  }
  const unmatched = namespaces.filter(({ isMatched }) => !isMatched).map(({ name }) => name);
  if (unmatched.length > 0 || namespaces.length === 0) {
    const seen = namespaces.length === 0 ? 'it can match nothing' : `it matches no stream of ${list(unmatched)}`;
    const advice = `Compare loki.selector with the labels; namespaces that Loki knows: ${list(knownNamespaces)}.`;
    return [reached, wrong('Loki selector', `${seen} (last 24 hours)`, advice)];
  }
  const matched = ok('Loki selector', `it matches streams of ${list(namespaces.map(({ name }) => name))}`);
  return [reached, matched, ...toPodFinding(hasPodLabel, podLabel)];
}

function toPodFinding(hasPodLabel: boolean | null, podLabel: string | undefined): readonly Finding[] {
  if (hasPodLabel !== false) return [];
  const wanted = podLabel === undefined ? 'that tells their pod' : `"${podLabel}"`;
  const seen = `entries have neither a label nor metadata ${wanted}`;
  return [
    wrong(
      'Loki pods',
      seen,
      "Set loki.podLabel to the label, or key of structured metadata, that holds the pod's name.",
    ),
  ];
}

function toClusterFindings(cluster: ClusterProbeSight | null): readonly Finding[] {
  if (cluster === null) return [ok('Kubernetes', 'not configured')];
  const { trouble, namespaces } = cluster;
  if (trouble !== null) return [wrong('Kubernetes', `detect cannot ask it: ${trouble.reason}`, trouble.advice)];
  const refused = namespaces.flatMap(({ name, unread }) => unread.map((one) => ({ name, ...one })));
  if (refused.length > 0) {
    return refused.map(({ name, reason, advice }) => wrong('Kubernetes', `in ${name}: ${reason}`, advice));
  }
  const where =
    namespaces.length === 0 ? 'no namespace is known to look into' : list(namespaces.map(({ name }) => name));
  return [ok('Kubernetes', `it answers detect; readable: ${where}`)];
}

/** The function's clock was read some time between the two moments. */
function toClock(at: Millis, before: Millis, after: Millis): Finding {
  const ahead = at < before ? at - before : at > after ? at - after : 0;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= MOST_DRIFT_MS) return ok('clock', "the functions' clock and this machine's agree");
  const seen = `the functions' clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`;
  return wrong('clock', seen, "Set this machine's clock (NTP): AWS keeps the functions' right.");
}
