import { createHash } from 'node:crypto';
import { GuardError } from '../errors.ts';
import { isDelimiter, sectionsOf, toLines } from './marker.ts';

/** GitHub refuses longer bodies with 422. */
export const GITHUB_BODY_LIMIT = 65_536;

/**
 * The existing body with Healer's section replaced by the rendered one; every line outside of it stays. Where a person
 * damaged the section: a missing end is where the marker line stands, further sections of the same incident go, lone
 * delimiters go, and without any section the rendered one is put in front.
 *
 * @throws GuardError when `rendered` has no section, or the result is longer than GitHub takes.
 */
export function mergeIssueBody(existing: string, rendered: string): string {
  const fresh = toLines(rendered);
  const [own] = sectionsOf(fresh);
  const section = own === undefined ? [] : fresh.slice(own.from, own.to + 1);
  if (own === undefined) throw new GuardError('issue body', 'the rendered text has no section of Healer');
  const kept = dropOwn(toLines(existing), own.incidentId, section);
  const merged = kept.join('\n').trim();
  if (merged.length > GITHUB_BODY_LIMIT)
    throw new GuardError('issue body', `${merged.length} characters are more than GitHub takes`);
  return merged;
}

/** Number of characters that people's text leaves for Healer's section in this issue. */
export function roomForSection(existing: string, incidentId: string): number {
  return GITHUB_BODY_LIMIT - dropOwn(toLines(existing), incidentId, ['']).join('\n').length - 4;
}

/** Hash over Healer's section (over all where there is none), blind to line ends, blank lines and trailing spaces. */
export function bodyHash(body: string): string {
  const lines = toLines(body);
  const [own] = sectionsOf(lines);
  const section = own === undefined ? lines : lines.slice(own.from, own.to + 1);
  const normal = section.map((line) => line.trimEnd()).filter((line) => line !== '');
  return createHash('sha256').update(normal.join('\n')).digest('hex');
}

/** The lines with the first own section replaced, further ones and lone delimiters of the same incident taken out. */
function dropOwn(lines: readonly string[], incidentId: string, replacement: readonly string[]): readonly string[] {
  const own = sectionsOf(lines).filter((section) => section.incidentId === incidentId);
  const isInside = (index: number): boolean => own.some(({ from, to }) => index >= from && index <= to);
  const kept = lines.flatMap((line, index) => {
    if (index === own[0]?.from) return replacement;
    return isInside(index) || isDelimiter(line, incidentId) ? [] : [line];
  });
  if (own.length > 0) return kept;
  return kept.join('').trim() === '' ? replacement : [...replacement, '', ...kept];
}
