import type { RedactionRule, Sighting } from './rule.ts';
import { isGenerated, isStandIn } from './secret-value.ts';

const SCHEMES = 'bearer|basic|token|apikey|api-key|key|digest|negotiate|ntlm|bot|ssws|dpop|geniekey|splunk';

const AUTHORIZATION = new RegExp(
  `authorization\\\\{0,4}["'\\]]{0,2}[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}\\\\{0,4}["'\`]?(?:(?:${SCHEMES})[ \\t]{1,4})?(?<secret>[^\\s"'\`,;\\\\\\0]{6,8192})`,
  'dgi',
);
const BEARER = /\bbearer[ \t+]{1,4}(?<secret>[\w.~+/=-]{8,8192})/dgi;
const BASIC = /\bbasic[ \t+]{1,4}(?<secret>[A-Za-z0-9+/_-]{6,4096}={0,2})/dgi;
const COOKIE =
  /\bcookie\\{0,4}["'\]]{0,2}[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}\\{0,4}["'`]?(?<secret>[^\s"'`=\\\0]{1,128}=[^"'`\n\\\0]{4,4096})/dgi;

/** `Authorization: <scheme> <credential>` in any notation. */
export const AUTHORIZATION_RULE = toHeaderRule('authorization', AUTHORIZATION, isCredential);

/** `Bearer <token>` without its header's name. */
export const BEARER_RULE = toHeaderRule('bearer-token', BEARER, isGenerated);

/** `Basic <base64 of user:password>` without its header's name. */
export const BASIC_RULE = toHeaderRule('basic-auth', BASIC, isBasic);

/** `Cookie:` and `Set-Cookie:`: the pairs. */
export const COOKIE_RULE = toHeaderRule('cookie', COOKIE, (value) => !isStandIn(value.slice(value.indexOf('=') + 1)));

function toHeaderRule(kind: string, pattern: RegExp, isSecret: (value: string) => boolean): RedactionRule {
  return { kind, shape: 'value', find: (text) => sightings(text, pattern, isSecret) };
}

function* sightings(text: string, pattern: RegExp, isSecret: (value: string) => boolean): Generator<Sighting> {
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
    if (isSecret(match.groups?.['secret'] ?? '')) yield { from: match.index, start, end };
  }
}

function isCredential(value: string): boolean {
  return !isStandIn(value) && (isGenerated(value) || isBasic(value));
}

function isBasic(value: string): boolean {
  return /^[\x20-\x7e]{0,256}:[\x20-\x7e]{1,512}$/.test(Buffer.from(value, 'base64').toString('latin1'));
}
