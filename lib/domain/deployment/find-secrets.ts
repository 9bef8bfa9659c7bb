import type { FieldFault } from '../errors.ts';
import { REDACTION_RULES } from '../redaction/redactor.ts';
import type { RedactionRule } from '../redaction/rule.ts';
import { toPath } from './faults.ts';
import { isSecretName, type SecretName, toSetCommand } from './secrets.ts';

/** Names of fields in which people put secrets, and which secret is meant where the block tells it. */
const SECRET_FIELD = /pass|secret|token|key|credential|app-?id/i;
/** Fields of the schema that are named like a secret. */
const KNOWN = /^(?:secrets|secrets\.prefix|budgets\.(?:incident|play|day)\.tokens)$/;

const OF_PLACE: readonly (readonly [place: RegExp, secret: SecretName])[] = [
  [/^loki\b/, 'loki-password'],
  [/^kubernetes\b/, 'kubernetes-token'],
  [/^github\.webhook/i, 'github-webhook-secret'],
  [/^github\..*id$/i, 'github-app-id'],
  [/^github\b/, 'github-app-key'],
  [/^models\.remediation\b/, 'openai-key-remediation'],
  [/^models\b/, 'openai-key-evaluation'],
  [/^notifications\b/, 'notify-webhook'],
];

/** A fault for each value that is, or is named as, a secret. Values are never repeated. */
export function findSecrets(value: unknown, stage: string): readonly FieldFault[] {
  return leavesOf(value, []).flatMap(({ path, leaf }) => {
    const place = toPath(path);
    const field = String(path.at(-1));
    const isNamed = isSecretName(field) || (SECRET_FIELD.test(field) && !KNOWN.test(place));
    if (!isNamed && !looksSecret(leaf)) return [];
    const secret = isSecretName(field) ? field : OF_PLACE.find(([pattern]) => pattern.test(place))?.[1];
    const command = secret === undefined ? 'npx healer secret set NAME' : toSetCommand(secret, stage);
    return [{ path: place, message: `is a secret, which is never in this file: take it out and run ${command}` }];
  });
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

/**
 * Whether a rule of redaction sees a secret in the text, or in what its base64 says. Rules that answer later are left out:
 * they are about tokens for which the others have rows of their own.
 */
function looksSecret(leaf: string): boolean {
  const decoded = Buffer.from(leaf, 'base64').toString();
  const texts = isPrivateKey(decoded) ? [leaf, decoded] : [leaf];
  return texts.some((text) => REDACTION_RULES.some((rule) => sees(rule, text)));
}

const isPrivateKey = (text: string): boolean => text.includes('PRIVATE KEY');

function sees(rule: RedactionRule, text: string): boolean {
  const found = rule.find(text);
  return Symbol.iterator in found && [...found].length > 0;
}
