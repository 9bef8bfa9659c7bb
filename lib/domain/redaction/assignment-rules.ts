import type { RedactionRule, Sighting } from './rule.ts';
import { isGenerated, isStandIn } from './secret-value.ts';

const PASSWORD_KEYS = 'pass(?:word|wd|phrase|code)|pwd';
const SECRET_KEYS =
  '(?:client|app|api|shared|consumer|signing|webhook|jwt|session|access|oauth)?[_-]?secret(?:[_-]?(?:access[_-]?key|key|token|value|id))?' +
  '|(?:api|apikey|app|application|access|account|private|signing|encryption|encrypt|master|subscription|auth|license|deploy|service|storage|admin|root|host)[_-]?key' +
  '|apikey|api[_-]?token|(?<!(?:page|next|prev|previous|continuation|sync|resume|start|cancellation|pad|eos|bos|sep|mask|special)[_-]?)token' +
  '|credentials?|jwt|connection[_-]?string|_auth|sas[_-]?url|bearer';

/** A key, what may close it (quotes, brackets, escapes), and a separator. */
const ASSIGNMENT = new RegExp(
  `(?:(?<password>${PASSWORD_KEYS})|(?<secret>${SECRET_KEYS}))(?:[_-]?\\d{1,2})?\\\\{0,4}["'\`\\]]{0,2}[ \\t]{0,8}(?:=>|:=|={1,2}|:)[ \\t]{0,8}(?:[|>][+-]?[ \\t]{0,8})?`,
  'gi',
);

/** A command-line flag followed by blanks. */
const FLAG = new RegExp(
  `--(?:[a-z0-9]{1,20}-){0,3}(?:(?<password>${PASSWORD_KEYS})|(?<secret>token|secret|api-key|apikey|access-key|secret-key|private-key|client-secret|auth))[ \\t]{1,4}(?=[^\\s-])`,
  'gi',
);

/** How much of a value is judged; the rest of a longer one shares its fate. */
const JUDGED = 256;
/** The longest quoted value that is read; a longer one counts as bare. */
const MAX_QUOTED = 8192;

/** `password=…`, `"apiKey": "…"`, `TOKEN: …`, `?access_token=…`: in environments, JSON, YAML, URLs, headers, code. */
export const ASSIGNMENT_RULE: RedactionRule = {
  kind: 'secret-value',
  shape: 'value',
  find: (text) => assignments(text, ASSIGNMENT),
};

/** `--password …`, `--api-key …`. */
export const FLAG_RULE: RedactionRule = {
  kind: 'secret-flag',
  shape: 'value',
  find: (text) => assignments(text, FLAG),
};

interface Value {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Whether more words follow on the line. */
  readonly isProse: boolean;
}

function* assignments(text: string, pattern: RegExp): Generator<Sighting> {
  const readBare = toBareReader(text);
  for (const match of text.matchAll(pattern)) {
    const value = readQuoted(text, match.index + match[0].length) ?? readBare(match.index + match[0].length);
    const judged = text.slice(value.start, Math.min(value.end, value.start + JUDGED));
    const isSecret = match.groups?.['password'] === undefined ? isGenerated(judged) : isPassword(judged, value);
    if (isSecret) yield { from: match.index, start: value.start, end: value.end };
  }
}

function isPassword(text: string, value: Value): boolean {
  if (text.length < 3 || isStandIn(text) || /^[([{]|^\0+$/.test(text)) return false;
  return value.isQuoted || !(value.isProse && /^[a-z]+[,.;]?$/i.test(text));
}

/** Reads a quoted string; the quote may be escaped. */
function readQuoted(text: string, at: number): Value | undefined {
  const open = /^(\\{0,4})(["'`])/.exec(text.slice(at, at + 5));
  if (open === null) return undefined;
  const start = at + open[0].length;
  const end = closingQuote(text, start, open[2] ?? '', (open[1] ?? '').length);
  return end === undefined ? undefined : { start, end, isQuoted: true, isProse: false };
}

/** Position of the quote that closes a string; one with more backslashes before it than the opening one is content. */
function closingQuote(text: string, start: number, quote: string, escapes: number): number | undefined {
  const limit = Math.min(text.length, start + MAX_QUOTED);
  let backslashes = 0;
  for (let i = start; i < limit && text[i] !== '\n'; i += 1) {
    if (text[i] === quote && backslashes <= escapes) return i - backslashes;
    backslashes = text[i] === '\\' ? backslashes + 1 : 0;
  }
  return undefined;
}

/** Reads runs without blanks and quotes. Keys inside one run share its end, which keeps the whole linear. */
function toBareReader(text: string): (at: number) => Value {
  const pattern = /[^\s"'`\0]*/y;
  let runEnd = 0;
  return (at) => {
    const start = at + (/^\\{0,4}["'`]/.exec(text.slice(at, at + 5))?.[0].length ?? 0);
    if (start >= runEnd) {
      pattern.lastIndex = start;
      pattern.test(text);
      runEnd = Math.max(pattern.lastIndex, start);
    }
    const run = text.slice(start, endOfPair(text, start, runEnd));
    const end = start + run.length - (/[)\]};,.:\\]{1,16}$/.exec(run.slice(-16))?.[0].length ?? 0);
    return { start, end, isQuoted: false, isProse: /^[ \t][^\s]/.test(text.slice(runEnd, runEnd + 2)) };
  };
}

/** Where the next pair of a query string, a connection string or a list begins, else the run's end. */
function endOfPair(text: string, start: number, runEnd: number): number {
  for (const { index } of text.slice(start, Math.min(runEnd, start + 2 * JUDGED)).matchAll(/[&;,]/g)) {
    const next = text.slice(start + index + 1, start + index + 49);
    if (index > 0 && /^(?:["']?[\w .-]{1,40}["']?[=:]|\s|$)/.test(next)) return start + index;
  }
  return runEnd;
}
