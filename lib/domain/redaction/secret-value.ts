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

/**
 * Whether a value could be a generated secret: eight characters at least, with letters and digits or of great length, and
 * neither a name nor a call.
 */
export function isGenerated(value: string): boolean {
  if (value.length < 8 || isStandIn(value) || /^[\d.,:_-]+$/.test(value) || value.includes('(')) return false;
  if (/^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (NAME.test(value) || CONSTANT.test(value)) return value.length >= 24 && /^[a-z]+$|^[A-Z]+$/.test(value);
  return /\d/.test(value) || value.length >= 16;
}

/** Whether the beginning of a line could continue a secret that the line before broke off. */
export function isContinuation(text: string): boolean {
  if (text.length < 4 || !/^[\w+/=~.!@#$%^&*-]+$/.test(text) || /=\w/.test(text)) return false;
  return /\d/.test(text) ? /[A-Za-z]/.test(text) : /[a-z]/.test(text) && /[A-Z]/.test(text) && !NAME.test(text);
}
