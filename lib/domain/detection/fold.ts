import { NANOS_PER_SECOND } from '../time.ts';
import type { Hit } from './hits.ts';
import type { Failure } from './settle.ts';

/** Signs of one failure that lie further apart are told apart. */
const FAR = 900n * NANOS_PER_SECOND;
/** An echo, such as an exit code, follows its cause within this time. */
const ECHO = 300n * NANOS_PER_SECOND;
const MOMENT = 15n * NANOS_PER_SECOND;

/** `api` of the family `api.auth`. */
export const rootOf = (hit: Hit): string => hit.pattern.family.split('.')[0] ?? hit.pattern.family;

/** What a hit is about; two hits with different subjects are two failures. */
const subjectOf = (hit: Hit): string | null =>
  hit.identity['server'] ?? hit.identity['key'] ?? (hit.pattern.code === 'A10' ? (hit.identity['tool'] ?? null) : null);

const REMOTE = new Set(['api', 'network']);

/** True when both hits name what they are about, and it is not the same. */
const differs = (a: Hit, b: Hit): boolean => {
  const [first, second] = [subjectOf(a), subjectOf(b)];
  return first !== null && second !== null && first !== second;
};

/** Tools are told apart by name; a line that names none, or some of those that the other names, echoes its neighbour. */
function isSameTool(a: Hit, b: Hit): boolean {
  const [first, second] = [subjectOf(a), subjectOf(b)];
  if (a.message.ns === b.message.ns || first === second) return true;
  if (first === null || second === null) return isNear(a, b);
  const names = new Set(first.split(' '));
  return isNear(a, b) && second.split(' ').some((name) => names.has(name));
}

/** True when two hits may be words for one failure. */
function isAkin(a: Hit, b: Hit): boolean {
  if (rootOf(a) === 'tools' && rootOf(b) === 'tools') return isSameTool(a, b);
  if (differs(a, b)) return false;
  if (rootOf(a) === rootOf(b)) return a.isRetry || b.isRetry || a.pattern.family === b.pattern.family || isNear(a, b);
  return REMOTE.has(rootOf(a)) && REMOTE.has(rootOf(b)) && (a.isRetry || b.isRetry || isNear(a, b));
}

const distance = (a: Hit, b: Hit): bigint => {
  const apart = a.message.ns - b.message.ns;
  return apart < 0n ? -apart : apart;
};

const isNear = (a: Hit, b: Hit): boolean => distance(a, b) <= MOMENT;

/** Lines of one moment in one stream are one message of the program, whatever pattern each of them matches. */
const isOneMessage = (a: Hit, b: Hit): boolean =>
  a.message.stream === b.message.stream &&
  a.message.ns === b.message.ns &&
  !differs(a, b) &&
  (a.pattern.code === b.pattern.code || a.pattern.code === undefined || b.pattern.code === undefined);

/** Kubernetes tells of a kill by memory on the node; the container that was killed says so itself. */
const isNodeKill = (a: Hit, b: Hit): boolean =>
  rootOf(a) === 'crash' &&
  rootOf(b) === 'crash' &&
  a.event?.object !== undefined &&
  !a.event.object.startsWith('Pod/') &&
  isNear(a, b);

function joins(failure: Failure, hit: Hit): boolean {
  const last = failure.hits.at(-1);
  if (last === undefined) return false;
  if (isNodeKill(hit, last) || isNodeKill(last, hit)) return true;
  if (failure.pod !== hit.pod || distance(last, hit) > FAR) return false;
  if (hit.pattern.symptom === true) return distance(last, hit) <= ECHO;
  if (failure.hits.every((known) => known.pattern.symptom === true)) return isNear(last, hit);
  return failure.hits.some((known) => isOneMessage(known, hit) || isAkin(known, hit));
}

/**
 * Puts together what tells of one failure: repeats, the retries before it, the lines of a trace, its echo in the closing
 * event, on stderr and in the exit code. @param hits in order of time.
 */
export function foldHits(hits: readonly Hit[]): Failure[] {
  const failures: Failure[] = [];
  for (const hit of hits) {
    const known = failures.findLast((failure) => joins(failure, hit));
    if (known === undefined) failures.push({ pod: hit.pod, hits: [hit] });
    else known.hits.push(hit);
  }
  return failures;
}

/** How well a hit says what happened. */
const clarity = (hit: Hit): number =>
  (hit.pattern.symptom === true ? 0 : 8) + (hit.isRetry ? 0 : 4) + (hit.event?.channel === 'result' ? 1 : 0);

/** The hit that says it best; the earliest of equals. */
export const anchorOf = (failure: Failure): Hit | undefined =>
  failure.hits.toSorted((a, b) => clarity(b) - clarity(a) || a.message.order - b.message.order)[0];
