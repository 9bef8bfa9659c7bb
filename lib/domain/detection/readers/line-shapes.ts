import type { Level } from '../event.ts';
import { toLevel } from '../event.ts';

/** Only this much of a line decides its shape. */
const HEAD = 400;

const MOMENT = String.raw`\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?`;
const CLOCK = String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?`;
const LEAD = new RegExp(String.raw`^\s*(?:(?:${MOMENT}|${CLOCK})[\s-]*)?`);

const LEVEL_WORD = 'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERR|ERROR|SEVERE|FATAL|CRITICAL|PANIC';
const LEVEL_SHAPES: readonly RegExp[] = [
  new RegExp(String.raw`^(?:\S{1,40}:)?\[?(${LEVEL_WORD})\]?(?:\s*[:\]\-]|\s{1,6}(?=\S))`, 'i'),
  new RegExp(String.raw`^\[\S{1,60}\] \[(${LEVEL_WORD})\]`, 'i'),
  new RegExp(String.raw`^\[[A-Z]+ \d{4}-\d\d-\d\d [\d:]+Z (${LEVEL_WORD})\s`),
  /^(INFO|WARN|ERRO|FATA|PANI|DEBU)\[\d+\]/,
  /\blevel=["']?(\w+)/,
];
const KLOG = /^([IWEF])\d{4} \d\d:\d\d:\d\d/;
const KLOG_LEVELS: Readonly<Record<string, Level>> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' };

/** The line without moment and clock before it. */
const withoutMoment = (text: string): string => text.slice(LEAD.exec(text.slice(0, 80))?.[0].length ?? 0);

/** The line without moment, clock and level before it. */
export const withoutLead = (text: string): string => withoutMoment(text).replace(LEAD_LEVEL, '');
const LEAD_LEVEL = /^\W*(?:trace|debug|info|notice|warn|warning|error)\b\W{0,3}/i;

/** Level that a logger has put at the head of a line, or in logfmt's `level=`; null for a line of no logger. */
export function levelOf(text: string): Level | null {
  const head = withoutMoment(text).slice(0, 200);
  const klog = KLOG.exec(head);
  if (klog !== null) return KLOG_LEVELS[klog[1] ?? ''] ?? null;
  for (const shape of LEVEL_SHAPES) {
    const word = shape.exec(head)?.[1];
    if (word !== undefined) return toLevel(word);
  }
  return null;
}

const DIAGNOSTIC =
  /^\W{0,6}(?:(?:\w+ )?(?:error|fatal|panic|failed|failure|failing|cannot|could not|couldn't|can't|unable|exception|refused|aborted|invalid|unhandled|missing|unknown|unsupported|unrecognized|malformed|not (?:inside|allowed|permitted|logged|authorized|supported|found|enough))\b|no (?:\w+ ){1,3}(?:was |were |has been )?(?:provided|found|given|available|specified|configured|selected|set)\b|❌|✗|✘|✕|■|⚠|🔴|api error\b|[\w.$]*(?:Error|Exception)\b|(?:\w+ ){1,3}(?:not found|not set|missing)\b|attempt \d+ failed|last error|warning: retrying)/iu;

/** `git: fatal: …`, `/entrypoint.sh: line 3: …`: the program names itself before it complains. */
const NAMED =
  /^(?:[a-z/~][\w./-]*(?: \w+)?: ){1,3}(?:\(\d+\) )?(?:["'`]?[\w./-]+["'`]? ){0,4}?(?:error|fatal|failed|cannot|could not|couldn't|can't|unable|not|no|line|denied|refused|timed out|invalid|missing|unknown|connect)\b/;
/** A sentence about an error, not the error. */
const ARTICLE = /^["'*_#]{0,3}(?:the|a|an|this|that|these|those|each|every|its|my|our|both) /i;
const MARKED = /^\s*[❌✗✘✕✖■⚠]|^E: [A-Z]/u;

/** What would be, not what is. */
const CONDITIONAL = /^(?:[A-Z]\w+: )?(?:If|When|Whenever|Unless|Should|In case|On) /;

/** True for a line that begins like a complaint of a program. */
export const isDiagnostic = (text: string): boolean => {
  const head = withoutMoment(text).slice(0, HEAD);
  if (CONDITIONAL.test(head) || ARTICLE.test(head)) return false;
  return DIAGNOSTIC.test(head) || NAMED.test(head) || MARKED.test(head) || /\bERROR\b/.test(head.slice(0, 120));
};

const LISTING_LINE: readonly RegExp[] = [
  /^\s*\d+\s*(?:\t|│|→|\|)/,
  /^\s*\d+ [+-]\s/,
  /^\s*\d+ {2,}\S/,
  /^\s*"[\w$-]+":/,
  /^\[[\w/.-]+ (?:\(root-commit\) )?[0-9a-f]{7,}\] /,
  /^\s*(?:assert|raise|throw|await|yield|print|console\.\w+)\b/,
  /^\s*[+-](?!\d|-[\w-])/,
  /^(?:diff --git|@@ |index [0-9a-f]+\.\.|\+\+\+ |--- [ab/])/,
  /^\s*\|/,
  /^[E>]\s{2,}/,
  /^\s*(?:[-*•◦] |\d+\. )/,
  /^[\w./@-]+\.[a-z]{1,5}:\d+(?::\d+)?:/,
  /^\s*[✓✔√✅☐☑☒□▢◻◼⬜]/,
  /^\s+\d+:\d+\s+(?:error|warning)\s/,
  /^\s*\w[\w /-]{0,40}\.{5,}:? *\S/,
  /^[Cc]ommit [0-9a-f]{4,40}\b/,
  /^(?:Commit:? ?)?(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style|revert)(?:\([\w./-]+\))?!?: /,
  /^(?:Branch|Commit|Subject|Title): /,
  /^[0-9a-f]{7,40} \S/,
  /^\s*(?:PASS|FAIL|ok|not ok|PASSED|FAILED)\b(?!:)/,
  /^\s*(?:--- (?:PASS|FAIL|SKIP)|=== (?:RUN|PAUSE|CONT))/,
  /^test \S.*\.\.\. (?:ok|FAILED|ignored)/,
  /^[A-Z][A-Z0-9_]*=\S*$/,
  /^\s*(?:create|delete) mode \d{6} /,
  /^\s*\/[/*]/,
  /^\s*\[?\/.+\/[gimsuy]*[,;)]/,
  /^\s*(?:const|let|var|function|import|export|return|if|for|while|def|class|fn|pub|use|raise|throw|func)\b.*[({;:]\s*$/,
];

/** One expression for all of them: this is asked of each line. */
const LISTING = new RegExp(LISTING_LINE.map(({ source }) => `(?:${source})`).join('|'));

/** Expressions that others search for, and reports of weaknesses. */
const LISTING_MARKS: readonly string[] = ['.*', '(?:', 'CVE-'];
const TEST_ROW = /\S::\S+ (?:PASSED|FAILED|SKIPPED)/;

/** Lines of files, diffs, tables, lists, test reports, settings: content, whatever words they hold. */
export const isListingLine = (text: string): boolean => {
  const head = text.slice(0, HEAD);
  if (LISTING_MARKS.some((mark) => head.includes(mark)) || LISTING.test(head)) return true;
  return head.includes('::') && TEST_ROW.test(head);
};

const FUNCTION_WORDS = new Set(
  "the a an is are was were be been of to and that with it i i'll i'm i've my we our you your this which when but for in on as at by from not so then than now it's its would should will can could has have had do does did there they them all each".split(
    ' ',
  ),
);
const FIRST_PERSON =
  /^["'*_#\s]*(?:I|I'll|I've|I'm|I’ll|Let me|We|My|Now I|Next|Done|Here|All|The|This|These|It|None|You|As|In|Both|Reading|Looking)\b/;

/** A sentence of a person or a model: words of grammar, no level, no complaint at its beginning. */
export function isProse(text: string): boolean {
  const head = text.slice(0, HEAD).trim();
  if (isNotice(head) || HINT.test(head)) return false;
  if (CONDITIONAL.test(head)) return true;
  if (levelOf(head) !== null || isDiagnostic(head)) return false;
  const words = head
    .toLowerCase()
    .split(/[^\w'’]+/)
    .filter((word) => word !== '');
  if (words.length < 4) return false;
  const share = words.filter((word) => FUNCTION_WORDS.has(word)).length / words.length;
  return FIRST_PERSON.test(head) ? share >= 0.12 : share >= 0.3 && /[.?!:]["')]?$/.test(head);
}

/** What a program says after its complaint. */
const HINT =
  /^\W*(?:did you mean\b|usage:|try ['"`-]|see ['"`-]|run ['"`]|for more (?:information|details|help)\b|hint:|tip:|note:)/i;

/**
 * What a CLI tells its user, in sentences like a model's: it speaks of your account, key or plan, never of itself.
 */
export const isNotice = (text: string): boolean => {
  const head = text.slice(0, HEAD);
  return NOTICE.test(head) && LIMITS.test(head) && !SPEAKER.test(head);
};
const NOTICE =
  /\b(?:your|not available in|please|press|visit|upgrade|contact|has been|would exceed|you (?:may|do) not have)\b/i;
const LIMITS =
  /\b(?:limits?|quota|exceed\w*|expired|invalid|denied|suspended|disabled|log ?in|credits?|billing|access|api keys?|too long|too large|overloaded|unavailable|\w*(?:api_key|_token|_secret))\b/i;
const SPEAKER = /\b(?:I|I'll|I've|I'm|we|my|our|let me)\b/;

const SUCCESS =
  /\b(?:connected|reconnected|ready|succeeded|successful(?:ly)?|passed|done|finished|completed?|ok|applied|resumed|healthy|recovered|fixed|established|installed|upgraded|triggered|restored|resolved|synced|loaded|cloned|pushed|merged|listening|added \d+)\b/i;
const NEGATED =
  /\b(?:not|fail\w*|error|unable|cannot|without|refus\w+|missing|denied|disconnected|0 of|timed out|no longer)\b|incomplete|=false/i;

/** Words of success without a word of failure. */
export const isSuccess = (text: string): boolean => {
  const head = text.slice(0, HEAD);
  return SUCCESS.test(head) && !NEGATED.test(head);
};
