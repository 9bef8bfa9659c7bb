import { createPrivateKey } from 'node:crypto';
import type { SecretName } from '#lib/domain/deployment/secrets.ts';
import { InputError } from '#lib/domain/errors.ts';

/** Of a standard parameter; GitHub's keys take under 2 KB. Source: quotas of the SSM Parameter Store. */
export const MOST_BYTES = 4_096;

interface Form {
  readonly holds: (value: string) => boolean;
  /** Goes on from "must be". */
  readonly expected: string;
}

const LINE: Form = { holds: (value) => /^[\x21-\x7e]+$/.test(value), expected: 'one line of ASCII without spaces' };

const FORMS: Readonly<Record<SecretName, Form>> = {
  'github-app-id': { holds: (value) => /^[1-9]\d{0,11}$/.test(value), expected: 'the number that GitHub calls App ID' },
  'github-app-key': {
    holds: isRsaKey,
    expected: "the App's private key as GitHub hands it out: the whole .pem file, from its BEGIN to its END line",
  },
  'github-webhook-secret': {
    holds: (value) => /^[\x21-\x7e]{16,}$/.test(value),
    expected: 'one line of 16 characters or more',
  },
  'loki-password': { holds: (value) => /^[^\r\n]+$/.test(value), expected: 'one line' },
  'kubernetes-token': LINE,
  'openai-key-evaluation': LINE,
  'openai-key-remediation': LINE,
  'notify-webhook': {
    holds: isSecureAddress,
    expected: 'an address with https, e.g. https://hooks.slack.com/services/…',
  },
};

/**
 * The value without the line break that a file or an echo leaves behind it.
 * @throws InputError when it cannot be such a secret; the value is never repeated
 */
export function toSecretValue(name: SecretName, text: string): string {
  const value = text.trim();
  const { holds, expected } = FORMS[name];
  if (value === '') throw new InputError(`there is no value: type it, or give it by stdin`);
  if (Buffer.byteLength(value) > MOST_BYTES) {
    throw new InputError(`${name} must be at most ${MOST_BYTES} bytes long`);
  }
  if (!holds(value)) throw new InputError(`${name} must be ${expected}`);
  return value;
}

/** A key of several lines cannot be typed into a prompt that hides what is typed. */
export const isOneLine = (name: SecretName): boolean => name !== 'github-app-key';

function isRsaKey(value: string): boolean {
  try {
    return value.startsWith('-----BEGIN ') && createPrivateKey(value).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function isSecureAddress(value: string): boolean {
  return URL.canParse(value) && new URL(value).protocol === 'https:';
}
