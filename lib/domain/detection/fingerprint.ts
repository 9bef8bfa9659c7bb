import { createHash } from 'node:crypto';

const MAX_TOKEN = 80;

/**
 * An identity value without what differs from run to run: of a path the last part, numbers and ids as `#`, lower case,
 * and only characters of a plain token.
 */
export function toToken(value: string): string {
  const last = value.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return last
    .toLowerCase()
    .replaceAll(/[0-9a-f]{8,}(?:-[0-9a-f]{4,})*/g, '#')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/[^a-z0-9_.@#: -]/g, '')
    .replaceAll(/#[#.:-]*/g, '#')
    .trim()
    .slice(0, MAX_TOKEN);
}

/** Identity fields that are not empty, as tokens. */
export function toIdentity(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(groups).map(([name, value]) => [name, toToken(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Equal for the same failure in any play, pod or hour. `v1:` changes whenever the recipe does. */
export function fingerprint(pattern: string, code: string | null, identity: Readonly<Record<string, string>>): string {
  const parts = Object.entries(toIdentity(identity)).map(([name, value]) => `${name}=${value}`);
  const recipe = [pattern, code ?? '', ...parts].join('\n');
  return `v1:${createHash('sha256').update(recipe).digest('hex').slice(0, 32)}`;
}
