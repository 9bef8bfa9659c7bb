import type { EvidencePiece } from '../evidence/evidence-pack.ts';
import type { Subject } from './subject.ts';

const TOOL_NAME = /^[A-Za-z][\w.-]{2,127}$/;
const MAX_NAMES = 500;

/** Words of declared configuration that are keys, not names of tools. */
const KEYS = new Set([
  'agents',
  'tools',
  'remote',
  'localServers',
  'enabled',
  'githubApp',
  'cli',
  'model',
  'true',
  'false',
  'null',
]);

/** Every name that the declared configuration holds, also for other agents: the authority on spelling. */
export function declaredNames(subject: Subject): readonly string[] {
  const words = subject.declared.flatMap((piece) => piece.text.split(/[^\w-]+/));
  return [...new Set(words)].filter((word) => TOOL_NAME.test(word) && !KEYS.has(word)).slice(0, MAX_NAMES);
}

/** Names that the agent's CLI offered, as its start event or its complaint lists them. They come from a log. */
export function offeredNames(subject: Subject): readonly string[] {
  const names = [...subject.hits, ...subject.context.filter(isOfSameRun(subject))].flatMap(listsOf);
  return [...new Set(names)].filter((name) => TOOL_NAME.test(name)).slice(0, MAX_NAMES);
}

const isOfSameRun =
  (subject: Subject) =>
  (piece: EvidencePiece): boolean =>
    piece.kind === 'log' && piece.pod === subject.finding.pod && piece.text.includes('"init"');

const LISTS = [
  /"tools"\s*:\s*\[([^\]]{1,30000})\]/,
  /available tools:\s*\[?([^\]\n]{1,8000})/i,
  /offered(?: tools)?\s*[:=]\s*\[([^\]]{1,8000})\]/i,
];

const listsOf = (piece: EvidencePiece): readonly string[] =>
  LISTS.flatMap((expression) => (expression.exec(piece.text)?.[1] ?? '').split(/[,\s]+/)).map((name) =>
    name.replaceAll(/^["'`\\]+|["'`\\.]+$/g, ''),
  );
