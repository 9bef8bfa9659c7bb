import type { SessionDeclaration } from '../session/session.ts';
import { declaredTools } from './checks/declaration.ts';
import { isFailedCall, isMet, type Surroundings } from './conditions.ts';
import type { LogEvent } from './event.ts';
import type { BuiltPattern } from './patterns/pattern.ts';
import type { PatternMatch, PatternRegistry } from './patterns/registry.ts';
import { isWork, toCommandHead } from './readers/commands.ts';
import { withoutLead } from './readers/line-shapes.ts';
import { serverNameIn } from './readers/server-lines.ts';
import type { Message, Timeline } from './timeline.ts';
import { toObjectPod } from './timeline.ts';

/** One sign of a failure: a message and the pattern or check that found it. */
export interface Hit {
  readonly message: Message;
  readonly event: LogEvent | null;
  readonly pattern: BuiltPattern;
  readonly identity: Readonly<Record<string, string>>;
  /** Pod that the failure is about; for Kubernetes events the object's, not the exporter's. */
  readonly pod: string;
  /** The line announces another try. */
  readonly isRetry: boolean;
  /** Tool or command whose later success lifts it. */
  readonly subject: string | null;
  /** The session declares what failed, so that other successes do not make up for it. */
  readonly isFirm: boolean;
}

const RETRY =
  /\bretrying\b|\breconnect(?:ing)?\b|\btrying again\b|\bwill retry\b|\bbefore trying\b|\bcool(?:ing)?[- ]?down\b|attempt #?\d+(?: ?(?:\/|of) ?\d+| failed|\)? \|)|\(\d\/\d\)|refreshing credentials|isRetryable\W{1,3}true/i;
const GAVE_UP = /non-retryable|not retryable|gave up|giving up|final attempt/i;

const announcesRetry = (text: string): boolean => {
  const head = text.slice(0, 2000);
  return RETRY.test(head) && !GAVE_UP.test(head);
};

/** Families that a failed test, build or probe may still belong to: the machine is broken, not the code. */
/** A command that cannot run at all says so briefly; longer output is what tests print. */
const SHORT = 800;
const MACHINE = new Set(['filesystem', 'exec']);

/** Families whose words, at the level of ordinary work, are more often talk than trouble. */
const NOISY = new Set(['api', 'network', 'crash', 'filesystem', 'git', 'exec']);
const COMPLAINS =
  /\b(?:failed|failure|error|refused|denied|exceeded|(?:oom)?killed|panicked|timed out|unable|cannot)\b/i;

/** A line that a logger calls information must complain in its words. */
const isTalk = (pattern: BuiltPattern, event: LogEvent): boolean =>
  event.channel !== 'infrastructure' &&
  (event.level === 'info' || event.level === 'debug') &&
  NOISY.has(pattern.family.split('.')[0] ?? '') &&
  !COMPLAINS.test(event.text);

/** What the line itself calls harmless. */
const HARMLESS =
  /\bnon-?(?:fatal|critical|blocking)\b|can (?:be )?safely (?:be )?ignored?|\bharmless\b|^\W*(?:warn(?:ing)?\W{0,3})?(?:skipp(?:ed|ing)|ignor(?:ed|ing))\b/i;
/** What runs beside the work and may fail without it: measuring, updates, catalogues. */
const BESIDE =
  /\b(?:open)?telemetry\b|\botel|\botlp\b|\bstatsig\b|\banalytics\b|\bposthog\b|\bauto-?updat\w+|\bupdate[- ]check\b|\bcheck(?:ing)? for updates\b|\bplugin update\b|\bmodels\.dev\b|\bservice=lsp\b/i;

/** Words of trouble of what does not hinder the run; what a pre-flight needs is never that. */
const isBeside = (pattern: BuiltPattern, event: LogEvent): boolean => {
  if (pattern.category !== 'runtime' || event.channel === 'result' || event.channel === 'infrastructure') return false;
  const head = event.text.slice(0, 400);
  return HARMLESS.test(withoutLead(head)) || BESIDE.test(head);
};

function mayTell(pattern: BuiltPattern, event: LogEvent): boolean {
  if (isTalk(pattern, event) || isBeside(pattern, event)) return false;
  if (event.channel !== 'tool-result') return true;
  if (!isFailedCall(event)) return false;
  if (!isWork(event.command ?? '')) return true;
  return MACHINE.has(pattern.family) && event.text.length <= SHORT;
}

const SEVERITY_RANK = { critical: 3, high: 2, medium: 1, low: 0 } as const;

/** How well a pattern says what happened: a code of pre-flight or instructions first, a symptom last. */
const rank = (pattern: BuiltPattern): number =>
  (pattern.symptom === true ? 0 : 100) +
  (pattern.retry === true ? 0 : 10) +
  (pattern.category === 'runtime' ? 0 : 20) +
  SEVERITY_RANK[pattern.severity];

/** Names the server that an MCP failure is about, where the expression has no group for it. */
function withServer({ pattern, groups }: PatternMatch, text: string): Readonly<Record<string, string>> {
  if (pattern.family !== 'mcp' || 'server' in groups || 'key' in groups) return groups;
  const server = serverNameIn(text);
  return server === null ? groups : { ...groups, server };
}

function toHit(event: LogEvent, all: readonly PatternMatch[], around: Surroundings, match: PatternMatch): Hit {
  const { message, session } = around;
  const isRetry = all.some(({ pattern }) => pattern.retry === true) || announcesRetry(event.text);
  const subject = event.command === undefined || event.command === '' ? null : toCommandHead(event.command, event.text);
  return {
    message,
    event,
    pattern: match.pattern,
    identity: withServer(match, event.text),
    pod: toObjectPod(event.object) ?? message.owner.pod,
    isRetry: isRetry && event.channel !== 'result',
    subject,
    isFirm: match.pattern.needs === 'declared-tool' && declaredTools(session, message.owner.agent) !== null,
  };
}

function hitsOf(
  message: Message,
  registry: PatternRegistry,
  timeline: Timeline,
  session: SessionDeclaration | null,
): Hit[] {
  return message.events.flatMap((event) => {
    if (event.text === '') return [];
    const around = { message, timeline, session };
    const matches = registry
      .match(event.text, event.channel)
      .filter((match) => mayTell(match.pattern, event) && isMet(match, event, around))
      .toSorted((a, b) => rank(b.pattern) - rank(a.pattern));
    const best = matches[0];
    return best === undefined ? [] : [toHit(event, matches, around, best)];
  });
}

/** Every sign of a failure that the patterns find, in order of time. */
export const findHits = (timeline: Timeline, registry: PatternRegistry, session: SessionDeclaration | null): Hit[] =>
  timeline.messages.flatMap((message) => hitsOf(message, registry, timeline, session));
