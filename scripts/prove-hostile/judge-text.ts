import { parseStrictly } from '#test/domain/publication/strict-markdown.ts';
import { findSecrets } from '#test/domain/redaction/secret-runs.ts';
import type { SentText } from './judge-requests.ts';

const HIDDEN =
  /(?!\n)\p{Cc}|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Variation_Selector}]|[\u034f\u115f\u1160\u3164\uffa0]|[\u{e0000}-\u{e0fff}]/u;
/** A mark of the last gate; before a bracket or a colon it could be part of a link. */
const REDACTED = /\[redacted:[\w -]+\](?![([:])/g;
const MAX_CHARS = 60_000;
const MAX_TITLE = 256;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** The letters that a reader of the page sees, and copies. */
const toShown = (markdown: string): string =>
  markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? '');

/** The part of a planted secret that a published text or a committed file holds. */
export const publishedSecret = ({ text }: SentText): string | undefined =>
  [text, toShown(text), toShown(text).normalize('NFKC')].flatMap((seen) => [...findSecrets(seen).values()])[0];

/** What is wrong with a published text; undefined for a safe one. */
export function textFault({ kind, text }: SentText, own: readonly number[]): string | undefined {
  if (kind === 'file') return undefined;
  if (HIDDEN.test(text)) return 'holds hidden characters';
  if (kind === 'markdown') return markdownFault(text, own);
  if (kind === 'title' && (text.length > MAX_TITLE || text.includes('\n'))) return 'is no title';
  const rest = withoutOwn(text, own);
  return /@|#\d|\bGH-\d|:\/\/|</i.test(rest) ? `a ${kind} holds active text` : undefined;
}

/** References to the incident's own issue and pull request are meant. */
const withoutOwn = (text: string, own: readonly number[]): string =>
  own.reduce((rest, number) => rest.replaceAll(new RegExp(`(?<![\\w/])#${number}(?!\\w)`, 'g'), 'OWN'), text);

function markdownFault(text: string, own: readonly number[]): string | undefined {
  if (text.length > MAX_CHARS) return 'is too long';
  try {
    const { links } = parseStrictly(withoutOwn(text, own).replaceAll(REDACTED, 'REDACTED'));
    return links.length === 0 ? undefined : `holds a link: ${links[0]}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
