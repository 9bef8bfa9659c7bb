import type { Finding } from '../detection/finding.ts';
import { isClusterRef } from '../detection/kubernetes/ends.ts';
import type { EvidencePack, EvidencePiece } from '../evidence/evidence-pack.ts';

/** What a diagnoser looks at: the pack, sorted by what its pieces are good for. */
export interface Subject {
  readonly pack: EvidencePack;
  readonly finding: Finding;
  /** `Agent rex`, or `Pod tools-server-0` where no agent is known. */
  readonly who: string;
  /** The entry that says it best, where the pack holds it. */
  readonly anchor: EvidencePiece | undefined;
  readonly hits: readonly EvidencePiece[];
  readonly declared: readonly EvidencePiece[];
  readonly context: readonly EvidencePiece[];
  /** Text of all hits, as one string to search. */
  readonly text: string;
}

/** Extraction reads no further than this into one piece: what matters stands at its start, and lines may be huge. */
const SEARCHED = 8_000;

export function toSubject(pack: EvidencePack): Subject {
  const ofRole = (role: EvidencePiece['role']): readonly EvidencePiece[] =>
    pack.pieces.filter((piece) => piece.role === role);
  const hits = ofRole('hit');
  return {
    pack,
    finding: pack.finding,
    who: toWho(pack.finding),
    anchor: hits.find(({ kind }) => kind === kindOf(pack.finding)) ?? hits[0],
    hits,
    declared: ofRole('declared'),
    context: ofRole('context'),
    text: hits
      .map((piece) => piece.text.slice(0, SEARCHED))
      .join('\n')
      .slice(0, 2 * SEARCHED),
  };
}

/** Where the entry stands that says it best. */
const kindOf = ({ anchor }: Finding): EvidencePiece['kind'] => (isClusterRef(anchor) ? 'kubernetes' : 'log');

const toWho = ({ agent, pod }: Finding): string =>
  agent !== null ? `Agent ${toWord(agent)}` : pod !== '' ? `Pod ${toWord(pod)}` : 'The agent';

/** A name from outside as it may stand in a sentence without quotes: no mark that a sentence would take for its own. */
export const toWord = (name: string, length = 80): string => name.replaceAll(/[`"“”\s]+/g, ' ').slice(0, length);

/** The first of these parts of the finding's identity that is set; patterns may name one thing in several ways. */
export function named(subject: Subject, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => toName(subject.finding.identity[key])).find((value) => value !== undefined);
}

/** First group of the first expression that matches the hits. What it returns stands verbatim in one of them. */
export function found(subject: Subject, ...expressions: readonly RegExp[]): string | undefined {
  return expressions.map((expression) => toName(expression.exec(subject.text)?.[1])).find((word) => word !== undefined);
}

/** A name ends where a backtick stands, which would end its quotation; without a letter or digit it names nothing. */
function toName(word: string | undefined): string | undefined {
  const name = word?.split('`')[0]?.trim();
  return name !== undefined && /[\p{L}\p{N}]/u.test(name) ? name : undefined;
}

/** Host (with port, where given) that the hits name. It comes from a log: nobody has confirmed it. */
export const hostIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /https?:\/\/(?:[^\s/@"']{1,200}@)?([\w.-]+(?::\d{1,5})?)/i,
    /(?:dial tcp|connect to|connection to|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|unreachable:?|refused at|lookup)\s+([\w.-]{1,253}:\d{1,5})/i,
    /(?:could not resolve host(?:name)?|getaddrinfo \w+|ENOTFOUND|EAI_AGAIN|lookup|no such host:?):?\s+([a-z0-9][\w-]{0,62}(?:\.[\w-]{1,63}){1,8})/i,
    /(?<![\w.-])((?:[\w-]{1,63}\.){1,8}[a-z][\w-]{1,62}(?<!\.(?:py|rs|go|js|ts|mjs|cjs|java|rb|cc|cpp|sh|md|json|ya?ml|toml)):\d{2,5})\b/i,
    /\b((?:\d{1,3}\.){3}\d{1,3}:\d{2,5})\b/,
  );

/** File or directory that the hits name, as they write it. */
export const fileIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /(?:^|[\s'"`=([:])((?:\/[\w.@+-]{1,200}){1,30}\/?)/m,
    /(?<![\w./-])([\w./-]{1,200}\.(?:hbs|j2|md|json|jsonc|ya?ml|toml|tmpl|txt|pem|key|env|lock|sock|ts|js|py|rs|go))\b/,
  );

/** HTTP status that the hits name. */
export const statusIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /(?:status(?:[ _-]?code)?|HTTP(?:\/\d(?:\.\d)?)?|API Error|error code|response)["']?\s*[:=]?\s*\(?([45]\d\d)\b/i,
    /\(([45]\d\d)\)/,
    /\b([45]\d\d) (?:Unauthorized|Forbidden|Not Found|Too Many Requests|Payload Too Large|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout|\{)/,
  );

/** A name as inline code: cut at 120 characters, without the mark that would end it. What remains stands in the piece. */
export const code = (word: string): string => `\`${word.split('`')[0]?.slice(0, 120).trim() || '?'}\``;

/** The first characters of a piece as inline code, white space folded; backticks become apostrophes. */
export function excerpt(piece: EvidencePiece, length = 160): string {
  const line = piece.text.slice(0, SEARCHED).replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  const start = (line.length <= length ? line : line.slice(0, length).replace(/\\+$/, '')).trim();
  return start === '' ? 'an empty line' : `\`${start}\``;
}

/** {@link Subject.who} in the middle of a sentence. */
export const whom = ({ who }: Subject): string => `${who.charAt(0).toLowerCase()}${who.slice(1)}`;
