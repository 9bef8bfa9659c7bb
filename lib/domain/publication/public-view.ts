import type { Claim, Diagnosis, Step } from '../evaluation/diagnosis.ts';
import { says } from '../evaluation/quotes.ts';
import type { EvidencePack, EvidencePiece } from '../evidence/evidence-pack.ts';
import { toShortened } from './safe-text.ts';

/**
 * The diagnosis as a public repository may show it: words that only logs, cluster or GitHub said are replaced by the id
 * of the piece. What the finding's identity, its agent or the declared configuration names stays.
 */
export function toPublicDiagnosis(diagnosis: Diagnosis, pack: EvidencePack): Diagnosis {
  const open = toOpenWords(pack);
  const hide = (text: string): string => hideQuotes(hideKnown(toShortened(text, MAX_TEXT), pack), pack, open);
  const hidden = hiddenWords(diagnosis, pack, open);
  const hideClaims = (claims: readonly Claim[]): readonly Claim[] =>
    claims.map((claim) => ({ ...claim, text: hide(claim.text) }));
  const hideSteps = (steps: readonly Step[]): readonly Step[] =>
    steps.map(({ text, command }) => ({
      text: hide(text),
      ...(command === undefined ? {} : { command: hidden.reduce(toPlaceholder, command) }),
    }));
  return {
    ...diagnosis,
    summary: hide(diagnosis.summary),
    cause: hideClaims(diagnosis.cause),
    chain: hideClaims(diagnosis.chain),
    consequences: hideClaims(diagnosis.consequences),
    remedy: hideSteps(diagnosis.remedy),
    verify: hideSteps(diagnosis.verify),
  };
}

/** No sentence of an issue is longer; what is cut off here is not shown anyway. */
const MAX_TEXT = 2_000;

const QUOTED = /`([^`]+)`|"([^"]{4,})"/g;

/** Shorter stretches of a piece are words that anybody uses; longer ones are its text. */
const RAW_STRETCH = 60;

function toOpenWords(pack: EvidencePack): string {
  const declared = pack.pieces.filter((piece) => piece.kind === 'config').map((piece) => piece.text);
  return [
    ...declared,
    ...Object.values(pack.finding.identity),
    pack.finding.agent ?? '',
    pack.repository,
    pack.finding.pod,
  ].join('\n');
}

const sourceOf = (word: string, pack: EvidencePack, open: string): EvidencePiece | undefined =>
  open.includes(word) ? undefined : pack.pieces.find((piece) => piece.kind !== 'config' && says(piece, word));

const hideQuotes = (text: string, pack: EvidencePack, open: string): string =>
  text.replaceAll(QUOTED, (whole, code?: string, quote?: string) => {
    const source = sourceOf(code ?? quote ?? '', pack, open);
    return source === undefined ? whole : `(see ${source.id})`;
  });

/** Long stretches of evidence are left out also where a sentence holds them without quoting. */
function hideKnown(text: string, pack: EvidencePack): string {
  const raw = pack.pieces.filter((piece) => piece.kind !== 'config' && piece.text.length >= RAW_STRETCH);
  return raw.reduce((rest, piece) => rest.replaceAll(piece.text, `(see ${piece.id})`), text);
}

interface Hidden {
  readonly word: string;
  readonly id: string;
}

/** Every hidden word of the diagnosis, longest first, so that commands lose them as well. */
function hiddenWords(diagnosis: Diagnosis, pack: EvidencePack, open: string): readonly Hidden[] {
  const texts = [
    diagnosis.summary,
    ...[...diagnosis.cause, ...diagnosis.chain, ...diagnosis.consequences].map((claim) => claim.text),
    ...[...diagnosis.remedy, ...diagnosis.verify].map((step) => step.text),
  ];
  const words = new Set(
    texts.flatMap((text) => [...text.matchAll(QUOTED)].map(([, code, quote]) => code ?? quote ?? '')),
  );
  return [...words]
    .flatMap((word) => [word, ...word.split(':').slice(0, 1)])
    .filter((word) => word.length > 3)
    .flatMap((word) => {
      const source = sourceOf(word, pack, open);
      return source === undefined ? [] : [{ word, id: source.id }];
    })
    .sort((one, other) => other.word.length - one.word.length);
}

const toPlaceholder = (command: string, { word, id }: Hidden): string => command.replaceAll(word, `SEE_${id}`);
