import type { Nanos } from '../time.ts';
import { NANOS_PER_SECOND } from '../time.ts';
import { showsServer } from './checks/check-declared.ts';
import type { Fact } from './event.ts';
import type { Hit } from './hits.ts';
import type { Recovery } from './patterns/pattern.ts';
import { toCommand, toCommandHead } from './readers/commands.ts';
import type { PlacedFact, Timeline } from './timeline.ts';

/** Hits that tell of one failure, in order of time. */
export interface Failure {
  readonly pod: string;
  readonly hits: Hit[];
}

/** What became of a failure by the end of the proven range. */
export type Outcome = { readonly kind: 'settled' | 'recovered' } | { readonly kind: 'held'; readonly deadline: Nanos };

/** Retry lines without an outcome are waited for this long. */
const RETRY_SETTLE = { seconds: 170, by: ['activity', 'success', 'server', 'object', 'same-command'] as const };

/** What lifts the failure of a declared tool or server: only that it works itself. */
const FIRM: readonly Recovery[] = ['server', 'same-tool'];

const isResult = (hit: Hit): boolean => hit.event?.channel === 'result';

/** The hit that decides how long to wait: the last one that is no echo. */
const lastSign = (failure: Failure): Hit | undefined => failure.hits.findLast((hit) => hit.pattern.symptom !== true);

/** What lifts the failure, and for how long; null when nothing can. */
function settleOf(failure: Failure): { seconds: number; by: readonly Recovery[] } | null {
  if (failure.hits.some(isResult)) return null;
  if (failure.hits.every((hit) => hit.isRetry)) return RETRY_SETTLE;
  const firm = failure.hits.find((hit) => hit.isFirm);
  if (firm !== undefined)
    return firm.pattern.settle === undefined ? null : { seconds: firm.pattern.settle.seconds, by: FIRM };
  const strongest = lastSign(failure) ?? failure.hits.at(-1);
  if (strongest === undefined) return null;
  if (strongest.isRetry) return RETRY_SETTLE;
  return strongest.pattern.settle ?? null;
}

const serverOf = (hit: Hit): string | null => hit.identity['server'] ?? hit.identity['key'] ?? null;

const isMcpCall = (fact: Fact): boolean => fact.kind === 'call' && fact.ok && fact.tool.includes('__');

/** A line of success about the server, or about MCP where no server was named. */
const namesServer = (text: string, server: string | null): boolean =>
  server === null ? /\bmcp\b|\btools?\b/i.test(text) : text.toLowerCase().includes(server.toLowerCase());

const THINGS = ['prompt', 'template', 'instructions', 'role', 'task', 'config'];

const namesSame = (text: string, hit: Hit): boolean => {
  const [now, then] = [text.toLowerCase(), hit.message.text.toLowerCase()];
  return THINGS.some((thing) => now.includes(thing) && then.includes(thing));
};

function isSameSubject(fact: Fact, hit: Hit): boolean {
  if (fact.kind !== 'call' || !fact.ok || hit.subject === null) return false;
  const done = fact.command === null ? fact.tool : toCommand(fact.command);
  return toCommandHead(done) === hit.subject || (hit.subject.length > 5 && done.includes(hit.subject));
}

/** True when the server that the hit names works again; any server where it names none. */
function liftsServer({ fact, message }: PlacedFact, hit: Hit): boolean {
  const server = serverOf(hit);
  if (fact.kind === 'success') return namesServer(message.text, server);
  if (server !== null) return showsServer(fact, server);
  return (fact.kind === 'server' && fact.state === 'connected') || isMcpCall(fact);
}

/** Words of a failure that the presence of the image lifts. */
const ABOUT_IMAGE = /\bimages?\b|imagepull/i;

/** Whether a fact is a recovery of that kind for the hit. */
const LIFTS: Readonly<Record<Recovery, (placed: PlacedFact, hit: Hit) => boolean>> = {
  activity: ({ fact }, hit) => fact.kind === 'activity' && (hit.isRetry || fact.isText !== true),
  success: ({ fact }, hit) => fact.kind === 'success' && (hit.isRetry || fact.isText !== true),
  call: ({ fact }) => fact.kind === 'call' && fact.ok,
  found: ({ fact, message }, hit) => fact.kind === 'success' && namesSame(message.text, hit),
  object: ({ fact }, hit) => fact.kind === 'healthy' && (fact.isImage !== true || ABOUT_IMAGE.test(hit.message.text)),
  server: liftsServer,
  'same-tool': ({ fact }, hit) => isSameSubject(fact, hit),
  'same-command': ({ fact }, hit) => isSameSubject(fact, hit),
};

const isLater = (placed: PlacedFact, hit: Hit, until: Nanos): boolean =>
  placed.message.order > hit.message.order && placed.message.ns <= until;

/** Words that are a failure only as the last ones: until the stream has ended nobody knows whether more will come. */
const isOnlyLastWords = (failure: Failure): boolean =>
  failure.hits.every(({ pattern }) => pattern.needs === 'last-complaint');

/** Decides whether the failure recovered, may still recover, or stands. */
export function settle(failure: Failure, timeline: Timeline, until: Nanos, hasEnded: boolean): Outcome {
  const rule = settleOf(failure);
  const last = failure.hits.at(-1);
  if (rule === null || last === undefined || rule.by.length === 0) return { kind: 'settled' };
  const deadline = last.message.ns + BigInt(rule.seconds) * NANOS_PER_SECOND;
  const facts = timeline.factsByPod.get(failure.pod) ?? [];
  const recovered = facts.some(
    (placed) =>
      isLater(placed, last, deadline) && failure.hits.some((hit) => rule.by.some((kind) => LIFTS[kind](placed, hit))),
  );
  if (recovered) return { kind: 'recovered' };
  if (!hasEnded && until > deadline && isOnlyLastWords(failure)) return { kind: 'recovered' };
  return hasEnded || until > deadline ? { kind: 'settled' } : { kind: 'held', deadline };
}
