import { GuardError } from '../errors.ts';
import { ASSIGNMENT_RULE, FLAG_RULE } from './assignment-rules.ts';
import { CLOUD_TOKENS } from './cloud-tokens.ts';
import { CODE_HOST_TOKENS } from './code-host-tokens.ts';
import { PAIR_RULE, URL_RULE } from './credential-rules.ts';
import { CUT_OFF_RULE } from './cut-off-rule.ts';
import { AUTHORIZATION_RULE, BASIC_RULE, BEARER_RULE, COOKIE_RULE } from './header-rules.ts';
import { JWT_RULE } from './jwt-rule.ts';
import { toKnownRule } from './known-secrets.ts';
import { PRIVATE_KEY_RULE } from './private-key-rule.ts';
import { redactOnce } from './redaction-pass.ts';
import { type RedactionRule, toTokenRule } from './rule.ts';
import { createSecretMemory, type SecretMemory } from './secret-memory.ts';
import { SECRETLINT_RULES } from './secretlint-rules.ts';
import { SERVICE_TOKENS } from './service-tokens.ts';

/** Healer's own rules and secretlint's, the more telling kind first. */
export const REDACTION_RULES: readonly RedactionRule[] = [
  PRIVATE_KEY_RULE,
  ...[...CODE_HOST_TOKENS, ...CLOUD_TOKENS, ...SERVICE_TOKENS].map(toTokenRule),
  JWT_RULE,
  ...SECRETLINT_RULES,
  URL_RULE,
  PAIR_RULE,
  AUTHORIZATION_RULE,
  BEARER_RULE,
  BASIC_RULE,
  COOKIE_RULE,
  ASSIGNMENT_RULE,
  FLAG_RULE,
  CUT_OFF_RULE,
];

/** Takes secrets out of text. Both methods fail closed with GuardError('redaction'): then nothing may be used. */
export interface Redactor {
  /**
   * The text as plain text (no ANSI, control, bidirectional or zero-width characters), each secret replaced by
   * `[redacted:<kind>]`. Deterministic, idempotent, linear in the text's length.
   */
  redact(text: string, memory?: SecretMemory): Promise<string>;
  /**
   * The same for consecutive lines of one stream, so that secrets broken over lines are found; line n of the answer is
   * line n of the input. A line may itself hold newlines.
   * @param memory of secrets that were found in texts that belong to these; parts of them are taken out as well
   */
  redactLines(lines: readonly string[], memory?: SecretMemory): Promise<readonly string[]>;
}

/** Every replacement may show a further secret (base64 in base64 beyond the depth that is read); then it is read again. */
const MAX_PASSES = 6;

/**
 * Makes a redactor that also knows the secrets that Healer itself holds.
 * @throws GuardError when there is no rule, or a known secret is too short to be told from ordinary text.
 */
export function createRedactor({
  known = [],
  rules = REDACTION_RULES,
}: {
  readonly known?: readonly string[];
  readonly rules?: readonly RedactionRule[];
} = {}): Redactor {
  if (rules.length === 0) throw new GuardError('redaction', 'there is no rule, so no text can be called clean');
  const all = [toKnownRule(known), ...rules];
  const redactLines: Redactor['redactLines'] = (lines, memory = createSecretMemory()) =>
    redactUntilStable(lines, [...all, memory.rule], memory);
  return { redactLines, redact: async (text, memory) => (await redactLines([text], memory))[0] ?? '' };
}

/** A redactor for texts that belong together: what it takes out of one it takes out of all that follow, also in part. */
export const withMemory = (redactor: Redactor, memory: SecretMemory): Redactor => ({
  redact: (text) => redactor.redact(text, memory),
  redactLines: (lines) => redactor.redactLines(lines, memory),
});

/** {@link Redactor.redact} of a redactor made for this one text. */
export const redact = (text: string, known: readonly string[] = []): Promise<string> =>
  createRedactor({ known }).redact(text);

/** What still changes after the last pass is hostile by construction and is left out as a whole. */
async function redactUntilStable(
  lines: readonly string[],
  rules: readonly RedactionRule[],
  memory: SecretMemory,
): Promise<readonly string[]> {
  let last = lines.map((line) => line.toWellFormed());
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = await redactOnce(last, rules, memory.note);
    if (next.every((line, i) => line === last[i])) return next;
    last = [...next];
  }
  const next = await redactOnce(last, rules, memory.note);
  return next.every((line, i) => line === last[i])
    ? next
    : next.map((line, i) => (line === last[i] ? line : '[redacted:line]'));
}
