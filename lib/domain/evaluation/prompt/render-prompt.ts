import type { EvidencePack } from '../../evidence/evidence-pack.ts';
import { toShortened } from '../../publication/safe-text.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { toSafeJson } from './escape.ts';
import { toFenced } from './fence.ts';
import { fitPieces } from './fit-pieces.ts';
import { INSTRUCTIONS, PROMPT_VERSION } from './instructions.ts';

/** Bytes of data that a prompt holds, about 16,000 tokens. */
const MAX_DATA_BYTES = 48 * 1024;
const MAX_NAMES = 20;
const MAX_GAPS = 10;
const MAX_ITEMS = 8;
/** Characters of one sentence; the smaller figures are for text that grows when it is escaped. */
const SENTENCES = [500, 150, 40] as const;
/** Part of the data that what is not a piece may take. */
const HEAD_SHARE = 1 / 3;

export interface Prompt {
  readonly version: string;
  /** Constant. */
  readonly instructions: string;
  /** Data only, fenced. */
  readonly text: string;
}

/**
 * The prompt of the evaluation. Instructions and data are apart: the data is typed JSON, one object a line, between two
 * fence lines that the data cannot hold. Deterministic; at most about 50 KB.
 */
export function renderPrompt(pack: EvidencePack, rules: Diagnosis, maxBytes = MAX_DATA_BYTES): Prompt {
  const head = renderHead(pack, rules, maxBytes * HEAD_SHARE);
  const room = maxBytes - Buffer.byteLength(head.join('\n'));
  const pieces = fitPieces(pack, room);
  const rest = pack.pieces.length - pieces.length;
  const note = toSafeJson({ type: 'gap', text: `${rest} further pieces of evidence are not shown here.` });
  const lines = [...head, ...(rest > 0 ? [note] : []), ...pieces];
  const text = `${toFenced(lines)}\nThe data ends here. Answer in the shape that was asked for.`;
  return { version: PROMPT_VERSION, instructions: INSTRUCTIONS, text };
}

function renderHead(pack: EvidencePack, rules: Diagnosis, maxBytes: number): readonly string[] {
  const heads = SENTENCES.map((length) => [
    toFindingLine(pack, length),
    toRulesLine(rules, length),
    ...pack.gaps.slice(0, MAX_GAPS).map((gap) => toSafeJson({ type: 'gap', text: toShortened(gap, length) })),
  ]);
  return heads.find((head) => Buffer.byteLength(head.join('\n')) <= maxBytes) ?? heads.at(-1) ?? [];
}

function toFindingLine({ finding, repository, occurrences }: EvidencePack, length: number): string {
  const { category, code, severity, agent, pod, count, summary } = finding;
  const cut = (text: string): string => toShortened(text, length);
  const named = Object.entries(finding.identity).slice(0, MAX_NAMES);
  const identity = named.map(([name, value]) => ({ name: toShortened(name, 40), value: cut(value) }));
  const plays = occurrences.plays.length;
  const words = { agent: agent && cut(agent), pod: cut(pod), summary: cut(summary), repository: cut(repository) };
  return toSafeJson({ type: 'finding', category, code, severity, count, plays, ...words, identity });
}

function toRulesLine({ summary, cause, remedy, confidence }: Diagnosis, length: number): string {
  const cut = (text: string): string => toShortened(text, length);
  return toSafeJson({
    type: 'rules',
    confidence,
    summary: cut(summary),
    cause: cause.slice(0, MAX_ITEMS).map((claim) => ({ text: cut(claim.text), evidence: claim.evidence.slice(0, 10) })),
    remedy: remedy.slice(0, MAX_ITEMS).map((step) => cut(step.text)),
  });
}
