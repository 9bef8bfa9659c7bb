import type { BuiltPattern } from './pattern.ts';

/** Beginnings of the events that readers turn into facts, and of the blocks of plain output. */
const READER_MARKS: readonly string[] = [
  String.raw`"type": ?"[a-z_./-]*(?:result|system|init|error|failed|completed|user|assistant|tool|text|step|turn|thread|Warning|Normal|event|message|complete|completion|say)`,
  String.raw`"(?:method|observation|action|mcp_servers|state)":`,
  String.raw`^\S* ?\S* ?[FP] `,
  String.raw`^(?:\x1b\[[0-9;]*m|\W)*(?:[●⏺✦•⎿└✻✽✶✢✳]|─── |\d+\) |usage: |\d\d:\d\d:\d\d - (?:ACTION|OBSERVATION)|\$ |exec\b|user$|codex$|thinking$|assistant$|tokens used$|file update$|apply patch$|OpenAI Codex|Traceback|diff --git|@@ |running \d+ test|test result|node:|file:///|<<<<<<<|>>>>>>>|={3,}|Body: Str)`,
  String.raw`console\.(?:error|warn|log)$`,
  String.raw`\w(?:Action|Observation): `,
  'toolCount=',
  String.raw`type=Normal\b|^\S+\s+Normal\s`,
  String.raw`service=session\.\w+ .*step=`,
  String.raw`HTTP/[\d.]+" 2\d\d`,
  // An empty line ends the output of a command.
  String.raw`^(?:\x1b\[[0-9;]*m|\s)*$`,
];

/** Words by which readers tell that something works again. */
const RECOVERY_WORDS: readonly string[] = [
  'connected',
  'ready',
  'succe',
  'passed',
  'done',
  'finished',
  'complete',
  String.raw`\bok\b`,
  'applied',
  'resumed',
  'healthy',
  'recovered',
  'fixed',
  'established',
  'installed',
  'upgraded',
  'triggered',
  'restored',
  'resolved',
  'synced',
  'loaded',
  'cloned',
  'pushed',
  'merged',
  'listening',
  'added',
  'capabilities',
  'supports tool',
  'has tools',
  'response',
  'received',
  'processed',
  'iteration',
  'tokens',
  'falling back',
  String.raw`\bsent\b`,
  '✓',
  '✔',
];

/** Words that let a failure be seen even where no pattern's literal stands. */
const ERROR_WORDS: readonly string[] = [
  'error',
  'fail',
  'fatal',
  'panic',
  'exception',
  'denied',
  'refused',
  'timed out',
  'timeout',
  'unable',
  'cannot',
  'could not',
  'missing',
  'not found',
  'invalid',
  'unavailable',
  'unreachable',
  'exceeded',
  'killed',
  'abort',
  'exit',
  'retry',
  'warn',
];

/** Prose in plain output lifts retries: a sentence begins with a capital and a small word. */
const SENTENCE = String.raw`^(?:\x1b\[[0-9;]*m|\W)*[A-Z][a-z']*,? (?:\w+ ){0,3}(?:the|a|an|is|are|was|to|of|and|in|for|with|it|my|I)\b`;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Literals of which no other one is a part. */
function shortest(literals: readonly string[]): readonly string[] {
  const unique = [...new Set(literals.map((literal) => literal.toLowerCase()))].filter((literal) => literal !== '');
  return unique.filter((literal) => !unique.some((other) => other !== literal && literal.includes(other))).toSorted();
}

/**
 * RE2 expression for Loki's `|~`: every line that a pattern, a reader or a recovery needs. Lines that it leaves out change
 * no finding.
 */
export function toLineFilter(patterns: readonly Pick<BuiltPattern, 'literals'>[]): string {
  const words = [...ERROR_WORDS, ...patterns.flatMap((pattern) => pattern.literals)];
  const parts = [...shortest(words).map(escape), ...RECOVERY_WORDS, ...READER_MARKS];
  return `(?i)(?:${parts.join('|')})|(?-i:${SENTENCE})`;
}
