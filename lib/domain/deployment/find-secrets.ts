import type { FieldFault } from '../errors.ts';
import { REDACTION_RULES } from '../redaction/redactor.ts';
import type { RedactionRule } from '../redaction/rule.ts';
import { toPath } from './faults.ts';
import { adviseOn } from './secret-advice.ts';
import { toDashed } from './secret-topics.ts';
import { isSecretName, type SecretName } from './secrets.ts';

/** Names of fields in which people put secrets. */
const SECRET_FIELD = /pass|secret|token|key|credential|app-?id/i;
/** Fields of the schema that are named like a secret, and misspelt ones beside them. */
const KNOWN = /^(?:secrets|secrets\.prefix|budgets\..*)$/;

/**
 * A fault for each value that is, holds, or is named as, a secret, with the field and the secret in which it belongs. Values
 * are never repeated.
 */
export function findSecrets(value: unknown, stage: string): readonly FieldFault[] {
  const context = { stage, modelSecrets: modelSecretsOf(value) };
  return leavesOf(value, []).flatMap(({ path, leaf }) => {
    const place = toPath(path);
    const kind = kindOf(leaf);
    const field = String(path.at(-1));
    const isNamed = isSecretName(toDashed(field)) || (SECRET_FIELD.test(field) && !KNOWN.test(place));
    const isWebhook = place === 'notifications.webhook' && isAddress(leaf);
    if (!isNamed && kind === undefined && !isWebhook && !hasUser(leaf)) return [];
    return [{ path: place, message: adviseOn({ place, kind, isAddress: isAddress(leaf) }, context) }];
  });
}

/** The keys of the models that the file configures; of both, where it configures none. */
function modelSecretsOf(value: unknown): readonly SecretName[] {
  const { models } = (value ?? {}) as { models?: { evaluation?: unknown; remediation?: unknown } | string | null };
  const blocks = typeof models === 'object' && models !== null ? models : {};
  const isThere = (block: unknown): boolean => typeof block === 'object' && block !== null;
  const found = [
    ...(isThere(blocks.evaluation) ? (['openai-key-evaluation'] as const) : []),
    ...(isThere(blocks.remediation) ? (['openai-key-remediation'] as const) : []),
  ];
  return found.length > 0 ? found : ['openai-key-evaluation', 'openai-key-remediation'];
}

interface Leaf {
  readonly path: readonly PropertyKey[];
  readonly leaf: string;
}

function leavesOf(value: unknown, path: readonly PropertyKey[]): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, leaf: String(value) }];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const isAddress = (leaf: string): boolean => /^\s*https?:\/\//i.test(leaf);

/** Whether an address names who signs in, however harmless the name looks. */
function hasUser(leaf: string): boolean {
  if (!isAddress(leaf) || !URL.canParse(leaf)) return false;
  const { username, password } = new URL(leaf);
  return username !== '' || password !== '';
}

/**
 * The kind of secret that a rule of redaction sees in the text, or in what its base64 says; undefined when none does. Rules
 * that answer later are left out: they are about tokens for which the others have rows of their own.
 */
function kindOf(leaf: string): string | undefined {
  const decoded = Buffer.from(leaf, 'base64').toString();
  const texts = isPrivateKey(decoded) ? [leaf, decoded] : [leaf];
  return REDACTION_RULES.find((rule) => texts.some((text) => sees(rule, text)))?.kind;
}

const isPrivateKey = (text: string): boolean => text.includes('PRIVATE KEY');

function sees(rule: RedactionRule, text: string): boolean {
  const found = rule.find(text);
  return Symbol.iterator in found && [...found].length > 0;
}
