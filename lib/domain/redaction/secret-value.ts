/** Values that stand for a secret instead of being one: masks, variables, templates, references, code. */
const STAND_IN =
  /^(?:[*xX.•#_=-]+|\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\{\{.*|<[^>]*>?|%[\w.-]+%?|\[?(?:redacted|filtered|masked|hidden|secret)\]?|\[redacted.*|\*+\w{0,4}|[!@](?:Ref|Sub|Microsoft)\b.*|arn:aws.*|(?:secretref|env|file|vault|op|sm|ssm|keyring):.*|ref\+.*|(?:process\.env|import\.meta|os\.(?:environ|getenv)|env|secrets|vars|inputs|self|this|config|ctx|options|args|opts|params|settings)\b[.[(].*)$/i;

/** Words that follow a key in prose, types and messages. */
const ORDINARY = new Set(
  (
    'null none nil undefined true false yes no string str number int integer bool boolean bytes buffer any unknown object ' +
    'array text optional required missing invalid incorrect wrong empty unset unknown expired revoked rejected denied accepted ' +
    'redacted hidden masked default disabled enabled failed found not never value prompt auto example your must should may ' +
    'cannot can was were is are has had for the and with from this that too only error warning success verified valid changed ' +
    'updated rotated deleted created generated used unused present absent configured set plain plaintext secret password token ' +
    'bearer basic digest negotiate authentication authorization type field input output file path name names key keys env ' +
    'provided mismatch authenticated unexpected eof keychain keyring stdin omit include same-origin read write'
  ).split(' '),
);

/** Absolute, relative and home paths whose first part is a word: where a secret lies, not the secret. */
const PATH = /^[.~]{0,2}\/[a-z][a-z0-9._-]+(?:\/[\w.@-]*)*$/;

const isOrdinaryWord = (value: string): boolean => ORDINARY.has(value.toLowerCase().replace(/[^a-z-]+$/, ''));

/** Whether a value cannot be a secret whatever its key: a stand-in, a path, an ordinary word. */
export const isStandIn = (value: string): boolean => STAND_IN.test(value) || PATH.test(value) || isOrdinaryWord(value);

/** Words joined by hyphens, dots, underscores or slashes, or one in camel case: a name. Short numbers may follow a word. */
const NAME = /^[a-z]*(?:[A-Z][a-z]+)*\d{0,2}(?:[-._/:][a-z]*(?:[A-Z][a-z]+)*\d{0,2}){0,12}$/;
const CONSTANT = /^[A-Z]+\d{0,2}(?:_[A-Z]+\d{0,2}){0,12}$/;

const CALL = /^[\w$.]*\(/;

/**
 * Whether a value could be a generated secret: eight characters at least, with letters and digits or of great length, and
 * neither a name nor a call.
 */
export function isGenerated(value: string): boolean {
  if (value.length < 8 || isStandIn(value) || /^[\d.,:_-]+$/.test(value) || CALL.test(value)) return false;
  if (/^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (NAME.test(value) || CONSTANT.test(value)) return value.length >= 24 && /^[a-z]+$|^[A-Z]+$/.test(value);
  return /\d/.test(value) || value.length >= 16;
}

/** What a broken-off secret could go on with: no blanks, no quotes, no ends of pairs, as they are or in percent codes. */
const CONTINUATION = /^(?:[\w+/=~.!@#$^&*-]|%(?!20|0[9ad]|2[267c]|3b)){4,}/i;
/** From so many characters on a rest says something. */
const LONG = 8;

/** Length of the word at a line's beginning that could continue a secret that the line before broke off; 0 for none. */
export function continuationOf(text: string): number {
  const word = CONTINUATION.exec(text)?.[0] ?? '';
  return looksBroken(word) ? word.length : 0;
}

/** Whether a line is a rest if another one follows: a few letters, or what could be a name. */
export const mayContinue = (line: string): boolean =>
  /^(?:[\w+/=~-]{1,7}|(?=[A-Z]*[a-z])(?=[a-z]*[A-Z])[A-Za-z\d]{8,64})$/.test(line);

/** A word among dashes, dots or slashes, the name of a hash before one, emphasis: a name, an address, a version. */
const WORDED =
  /(?:^|[-_./@])(?:[a-z]{3,}|[A-Z][a-z]{2,})[-_./@]|[-_./@](?:[a-z]{4,}|[A-Z][a-z]{3,})$|^(?:sha|md)\d{1,3}-|^\*\*|\*\*$/;

/** Letters with digits or of both cases, or hexadecimal in length, and no name. */
function looksBroken(word: string): boolean {
  if (word.length < 4 || /=\w/.test(word) || WORDED.test(word)) return false;
  if (/^(?:\d{8,}|[0-9a-f]{8,})$/i.test(word)) return true;
  if (word.length < LONG) return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
  return /\d/.test(word) ? /[A-Za-z]/.test(word) : /[a-z]/.test(word) && /[A-Z]/.test(word) && !NAME.test(word);
}

/**
 * Whether a rest is written with the letters of what it would continue: a hexadecimal number after a value of all letters is
 * an id of its own.
 */
export function isOfOneAlphabet(head: string, rest: string): boolean {
  const end = /[A-Za-z0-9+/]*$/.exec(head)?.[0] ?? '';
  return end.length < LONG || !/[g-z]/i.test(end) || !/^[0-9a-f]+$/.test(rest) || rest.length < LONG;
}

/**
 * Whether a part of a secret says so by itself, so that it may be taken out wherever it stands: a name, a word, a path or a
 * short number could stand there of their own right.
 */
export function isTelling(found: string): boolean {
  const part = found.replaceAll(/^[-_./]+|[-_./]+$/g, '');
  if (part.length < 8 || isStandIn(part)) return false;
  if (/^[\d.,:_-]+$/.test(part)) return /\d{10}/.test(part);
  if (/^(?=.*\d)(?=.*[a-f])[0-9a-f-]+$/.test(part)) return true;
  const isMixed = [/[a-z]/, /[A-Z]/, /\d/].every((letters) => letters.test(part));
  if (NAME.test(part) || CONSTANT.test(part))
    return part.length >= 12 && (isMixed || /^(?:[a-z]+|[A-Z]+\d*)$/.test(part));
  return /\d/.test(part) ? /[A-Za-z]/.test(part) : part.length >= 12 || (/[a-z]/.test(part) && /[A-Z]/.test(part));
}
