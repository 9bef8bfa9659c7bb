import type { Nanos } from '../time.ts';
import type { CauseRef, Finding, Ties } from './finding.ts';
import { toTies } from './ties.ts';

/** A cause is looked for no longer than this before what follows from it: a run may wait for another for hours. */
const FAR: Nanos = 6n * 3_600n * 1_000_000_000n;
/** Services come back: what one took away is missed within this time. */
const SOON: Nanos = 3_600n * 1_000_000_000n;

/** Kinds of ties that outlast an outage: what was not made or named stays so. */
const LASTING = /^(?:run|agent|object|work):/;

/**
 * Links each failure to the one in another pod that it follows from: earlier in time, and taking away what this one leans
 * on (its run, the agent it waits for, an object, a service, a tools server, name resolution, a node's disk, the tasks or
 * the work of another agent). In a chain the first cause counts. What merely happens beside it, or hits the same outside
 * service, is no cause. Pure; the order of the findings stays.
 * @param findings of one play
 * @param known earlier findings of the play that may be causes; they are not returned
 */
export function linkCauses(findings: readonly Finding[], known: readonly Finding[] = []): readonly Finding[] {
  const all = [...new Map([...known, ...findings].map((finding) => [finding.id, finding])).values()];
  return findings.map((finding) => {
    const cause = finding.cause === undefined ? rootOf(finding, all) : undefined;
    return cause === undefined ? finding : { ...finding, cause: toRef(cause) };
  });
}

/** Follows causes to the first; a chain is never longer than the number of findings, since each lies earlier. */
function rootOf(finding: Finding, all: readonly Finding[]): Finding | undefined {
  let root = causeOf(finding, all);
  for (let next = root; next !== undefined; next = causeOf(next, all)) root = next;
  return root;
}

function causeOf(finding: Finding, all: readonly Finding[]): Finding | undefined {
  if (finding.cause !== undefined) return all.find(({ id }) => id === finding.cause?.findingId);
  const earlier = all.filter((other) => isEarlier(other, finding) && other.pod !== finding.pod);
  for (const need of tiesOf(finding).needs) {
    const reach = LASTING.test(need) ? FAR : SOON;
    const found = earlier
      .filter((other) => tiesOf(other).provides.includes(need) && finding.lastNs - other.lastNs <= reach)
      .toSorted((a, b) => (a.firstNs > b.firstNs ? -1 : 1))[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A finding that was not read from lines is tied by what its summary says. */
const tiesOf = ({ ties, pattern, pod, agent, identity, summary }: Finding): Ties =>
  ties ?? toTies({ patterns: [pattern], pod, agent, identity, texts: [summary], commands: [], agents: [] });

/** Strictly earlier, or at the same moment with the smaller id: so that no two findings cause each other. */
const isEarlier = (other: Finding, finding: Finding): boolean =>
  other.firstNs < finding.firstNs || (other.firstNs === finding.firstNs && other.id < finding.id);

const toRef = ({ id, fingerprint, pattern, category, code, agent, pod, anchor, summary }: Finding): CauseRef => ({
  findingId: id,
  fingerprint,
  pattern,
  category,
  code,
  agent,
  pod,
  ns: anchor.ns,
  summary,
});
