import type { RedactionRule, Sighting } from './rule.ts';

/**
 * Dotted runs of base64url. The look-behind lets a match begin only where a run begins, which keeps the scan linear; the
 * token's own beginning is then looked up inside the first part.
 */
const DOTTED = /(?<![\w-])([\w-]{12,})\.[\w-]{8,}(?:\.[\w-]*){0,3}/g;

/** JSON Web Tokens, also unsigned, encrypted and glued to a word: Kubernetes service accounts, OIDC, installation tokens. */
export const JWT_RULE: RedactionRule = {
  kind: 'jwt',
  shape: 'token',
  hints: ['eyJ'],
  find: jwts,
};

function* jwts(text: string): Generator<Sighting> {
  for (const match of text.matchAll(DOTTED)) {
    const first = match[1] ?? '';
    const at = first.indexOf('eyJ');
    const start = match.index + at;
    if (at >= 0 && first.length - at >= 12) yield { from: start, start, end: match.index + match[0].length };
  }
}
