import type { EvidencePack } from '../evidence/evidence-pack.ts';
import { toShortened, toVisibleLine } from '../publication/safe-text.ts';
import { quotedSpans } from '../publication/spans.ts';
import type { AnalysisAnswer } from './prompt/analysis-answer.ts';
import { says } from './quotes.ts';

const MAX_ITEMS = 10;
const MAX_IDS = 20;
const MAX_TEXT = 1_000;
const MAX_ID = 12;

/** The answer cut to what an issue can hold. Ids that are longer than any of ours stay, cut: no piece has them. */
export function boundAnswer(answer: AnalysisAnswer): AnalysisAnswer {
  const text = (value: string): string => toShortened(value, MAX_TEXT);
  const texts = (values: readonly string[]): string[] => values.slice(0, MAX_ITEMS).map(text);
  const claim = (value: AnalysisAnswer['root_cause']): AnalysisAnswer['root_cause'] => ({
    text: text(value.text),
    evidence: [...new Set(value.evidence)].slice(0, MAX_IDS).map((id) => id.slice(0, MAX_ID)),
  });
  const claims = (values: readonly AnalysisAnswer['root_cause'][]) => values.slice(0, MAX_ITEMS).map(claim);
  return {
    summary: text(answer.summary),
    root_cause: claim(answer.root_cause),
    causal_chain: claims(answer.causal_chain),
    claims: claims(answer.claims),
    alternatives: claims(answer.alternatives),
    remedy: texts(answer.remedy),
    verify: texts(answer.verify),
    gaps: texts(answer.gaps),
    confidence: answer.confidence,
  };
}

/** The answer with its texts changed, all at once: text n of what `change` gives stands where text n stood. */
export async function mapTexts(
  answer: AnalysisAnswer,
  change: (texts: readonly string[]) => readonly string[] | Promise<readonly string[]>,
): Promise<AnalysisAnswer> {
  const texts: string[] = [];
  replaceTexts(answer, (text) => {
    texts.push(text);
    return text;
  });
  const changed = (await change(texts)).values();
  return replaceTexts(answer, () => changed.next().value ?? '');
}

/** Visits the texts always in the same order. */
function replaceTexts(answer: AnalysisAnswer, change: (text: string) => string): AnalysisAnswer {
  const claim = ({ text, evidence }: AnalysisAnswer['root_cause']) => ({ text: change(text), evidence });
  return {
    summary: change(answer.summary),
    root_cause: claim(answer.root_cause),
    causal_chain: answer.causal_chain.map(claim),
    claims: answer.claims.map(claim),
    alternatives: answer.alternatives.map(claim),
    remedy: answer.remedy.map(change),
    verify: answer.verify.map(change),
    gaps: answer.gaps.map(change),
    confidence: answer.confidence,
  };
}

/**
 * One line without anything that could act where it is shown: no hidden character, image, link, HTML or mention. Words in
 * backticks that stand in the evidence stay as they are, for they are shown as inline code.
 */
export function toHarmless(text: string, pack: EvidencePack): string {
  const spans = quotedSpans(toVisibleLine(text)).map((span) => {
    const isEvidence = span.isCode && pack.pieces.some((piece) => says(piece, span.text));
    const shown = isEvidence ? span.text : disarm(span.text);
    return span.isCode ? `\`${shown.trim() || '?'}\`` : shown;
  });
  return spans.join('').replaceAll(/ {2,}/g, ' ').trim();
}

const LEFT_OUT = '(link left out)';
const MAX_TURNS = 4;

/** Taking one thing out may put another together, so it goes on until nothing changes. */
function disarm(text: string): string {
  let shown = text;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const next = disarmOnce(shown);
    if (next === shown) return next;
    shown = next;
  }
  return shown.replaceAll(/[<>[\]!:/]/g, ' ');
}

const disarmOnce = (text: string): string =>
  text
    .replaceAll(/<!--.*?(?:-->|$)/g, '')
    .replaceAll(/<\/?[a-z!][^>]*>?/gi, '')
    .replaceAll(/!?\[([^\]]*)\]\s?\([^)]*\)?/g, '$1')
    .replaceAll(/!?\[([^\]]*)\]\s?(?:\[[^\]]*\]|:\s*\S+)/g, '$1')
    .replaceAll('![', '[')
    .replaceAll(
      /[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S+|\b(?:mailto|xmpp|javascript|vbscript):\S+|\bdata:[\w.+/-]*[;,]\S*/gi,
      LEFT_OUT,
    )
    .replaceAll('://', ': ')
    .replaceAll('@', '(at)');
