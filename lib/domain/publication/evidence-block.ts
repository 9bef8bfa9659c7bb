import { byTime } from '../evaluation/chain.ts';
import { arg } from '../evaluation/commands.ts';
import type { EvidencePack, EvidencePiece } from '../evidence/evidence-pack.ts';
import { toIso } from '../time.ts';
import { type Depth, toCited } from './layout.ts';
import { toFence, toInlineCode, toMarkdown, toShortened, toVisibleLine } from './safe-text.ts';

/** Evidence as it is quoted: hits first in rank, then declared configuration, then what stood around. */
export function renderEvidence(pack: EvidencePack, cited: ReadonlySet<string>, depth: Depth): readonly string[] {
  const chosen = choose(pack, cited, depth);
  if (chosen.length === 0) return [];
  const shown = byTime(chosen).filter((piece) => piece.kind !== 'config');
  const declared = chosen.filter((piece) => piece.kind === 'config');
  return [
    '## Evidence',
    ...(shown.length === 0
      ? []
      : [
          speakers(shown),
          toFence(
            shown.map((piece) => toLine(piece, depth)),
            'text',
          ),
        ]),
    ...(declared.length === 0
      ? []
      : [
          'Declared configuration:',
          toFence(
            declared.map((piece) => toLine(piece, depth)),
            'text',
          ),
        ]),
    ...leftOut(pack, chosen),
  ];
}

/** Where the evidence can be read, for a public repository that shows none of it. */
export function renderWhereabouts(pack: EvidencePack, cited: ReadonlySet<string>, depth: Depth): readonly string[] {
  const chosen = byTime(choose(pack, cited, depth)).filter((piece) => piece.role === 'hit' || cited.has(piece.id));
  return [
    '## Evidence',
    'This repository is public, so log lines are not quoted here. They can be read where they are kept:',
    chosen.map(whereabouts).join('\n'),
    toFence(readCommands(pack, chosen), 'sh'),
  ].filter((part) => part !== '');
}

const whereabouts = (piece: EvidencePiece): string =>
  toCited(`- ${piece.id}: ${KINDS[piece.kind]}`, [
    piece.at === null ? '' : toMoment(piece.at),
    piece.agent === null ? '' : `agent ${toMarkdown(piece.agent, 80)}`,
    piece.pod === null ? '' : `pod ${toInlineCode(toShortened(piece.pod, 253))}`,
  ]);

const KINDS = {
  log: 'log line',
  kubernetes: 'Kubernetes object',
  github: 'GitHub',
  config: 'declared configuration',
} as const;

function readCommands(pack: EvidencePack, pieces: readonly EvidencePiece[]): readonly string[] {
  const namespace = arg(pack.namespace, 'namespace');
  const pod = arg(pack.finding.pod, 'pod');
  const times = pieces.map((piece) => piece.at).filter((at) => at !== null);
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined)
    return [`kubectl -n ${namespace} logs ${pod} --all-containers --timestamps`];
  return [
    `kubectl -n ${namespace} logs ${pod} --all-containers --timestamps --since-time='${shifted(first, -30)}'`,
    `logcli query '{namespace="${namespace}",pod="${pod}"}' --from='${shifted(first, -30)}' --to='${shifted(last, 30)}'`,
  ];
}

/** A moment moved by seconds; what is no moment stays as a placeholder. */
function shifted(at: string, seconds: number): string {
  const moment = Date.parse(at);
  return Number.isNaN(moment) ? 'TIME' : toIso(moment + seconds * 1000);
}

/** RFC 3339 in UTC, cut to milliseconds; what is no moment is not shown. */
const toMoment = (at: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(at) ? at.replace(/(\.\d{3})\d*Z$/, '$1Z') : 'time unknown';

function choose(pack: EvidencePack, cited: ReadonlySet<string>, depth: Depth): readonly EvidencePiece[] {
  const isMain = (piece: EvidencePiece): boolean => piece.role === 'hit' || cited.has(piece.id);
  const main = pack.pieces.filter((piece) => isMain(piece) && piece.role !== 'declared').slice(0, depth.hits);
  const declared = pack.pieces.filter((piece) => piece.role === 'declared' && cited.has(piece.id)).slice(0, depth.hits);
  const anchor = pack.pieces.findIndex((piece) => piece.role === 'hit');
  const context = pack.pieces
    .map((piece, index) => ({ piece, distance: Math.abs(index - anchor) }))
    .filter(({ piece }) => piece.role === 'context' && !isMain(piece))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, depth.context)
    .map(({ piece }) => piece);
  return [...main, ...declared, ...context];
}

/** `> L12 16:04:11.123Z rex  text`: the prefix also keeps a log from writing a line of its own choice. */
function toLine(piece: EvidencePiece, depth: Depth): string {
  const mark = piece.role === 'hit' ? '>' : ' ';
  const when = piece.at === null ? '' : ` ${toMoment(piece.at)}`;
  const who = piece.agent ?? piece.pod ?? '';
  const speaker = who === '' ? '' : ` ${toVisibleLine(who).slice(0, 60)}`;
  return `${mark} ${piece.id}${when}${speaker}  ${toShortened(toVisibleLine(piece.text), depth.width)}`;
}

function speakers(pieces: readonly EvidencePiece[]): string {
  const pods = new Map(pieces.filter((piece) => piece.pod !== null).map((piece) => [piece.pod ?? '', piece.agent]));
  const names = [...pods]
    .slice(0, 10)
    .map(
      ([pod, agent]) =>
        `${agent === null ? 'pod' : `agent ${toMarkdown(agent, 80)} in pod`} ${toInlineCode(toShortened(pod, 253))}`,
    );
  const hasContext = pieces.some((piece) => piece.role !== 'hit');
  const legend = hasContext ? 'Lines of the failure are marked with `>`, the others stood around it. ' : '';
  return `${legend}${names.length === 0 ? 'Times are UTC.' : `Times are UTC; ${names.join(', ')}.`}`;
}

function leftOut(pack: EvidencePack, chosen: readonly EvidencePiece[]): readonly string[] {
  const rest = pack.pieces.filter((piece) => piece.role !== 'declared' && !chosen.includes(piece));
  const hits = rest.filter((piece) => piece.role === 'hit').length;
  if (rest.length === 0) return [];
  const what =
    hits === 0
      ? `${rest.length} lines around the failure`
      : `${hits} lines of the failure and ${rest.length - hits} around it`;
  return [`Left out for length: ${what} (of ${pack.pieces.length} pieces of evidence in all).`];
}
