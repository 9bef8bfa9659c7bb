import type { Finding } from '../detection/finding.ts';
import { toToken } from '../detection/fingerprint.ts';
import { nearest } from '../evaluation/nearest.ts';
import { toPlaces } from './json-places.ts';
import {
  type CatalogueTool,
  type DeclaredTool,
  declaredToolsOf,
  findConfiguration,
  toCatalogue,
} from './play-configuration.ts';
import type { Edit, Proposal } from './proposal.ts';
import { toUniqueEdit } from './unique-edit.ts';

interface Source {
  readonly path: string;
  readonly tools: readonly CatalogueTool[];
}

interface Correction {
  readonly wrong: string;
  readonly right: string;
  readonly declaredIn: string;
}

/**
 * Remedy of A10: a tool that the agent lacks is declared under a name that is misspelt or was given up. The right name is
 * the nearest one that another part of the configuration or a catalogue of the repository declares; what only the log
 * offers is no source. Undefined when no name, or no single one, is near.
 */
export function remedyMisspeltTool(
  finding: Finding,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): Proposal | undefined {
  if (finding.code !== 'A10') return undefined;
  const { config: path, catalogues } = findConfiguration(paths);
  const text = path === undefined ? undefined : texts.get(path);
  if (path === undefined || text === undefined) return undefined;
  const declared = declaredToolsOf(toPlaces(text));
  const wrong = new Set(declared.filter((tool) => isMissing(tool, finding)).map(({ name }) => name));
  const sources = [
    ...catalogues.map((source) => ({ path: source, tools: toCatalogue(texts.get(source) ?? '') })),
    { path, tools: declared.filter(({ name }) => !wrong.has(name)).map(({ name }) => ({ name, formerly: [] })) },
  ];
  const corrections = [...wrong].flatMap((name) => correct(name, sources, declared));
  const edits = editAll(path, text, corrections);
  return edits.length === 0 ? undefined : toProposal(finding, path, corrections, edits);
}

/** Findings name tools as tokens: lower case, digits as `#`. Without an agent every agent's list is looked at. */
function isMissing({ agent, name }: DeclaredTool, finding: Finding): boolean {
  const named = (finding.identity['tool'] ?? '').split(/[\s,]+/).filter(Boolean);
  const isOwn = finding.agent === null || agent.toLowerCase() === finding.agent.toLowerCase();
  return isOwn && named.includes(toToken(name));
}

function correct(wrong: string, sources: readonly Source[], declared: readonly DeclaredTool[]): readonly Correction[] {
  const isKnown = sources.some(({ tools }) => tools.some((tool) => tool.name === wrong));
  if (isKnown) return [];
  const renamed = sources.flatMap(({ path, tools }) =>
    tools.filter((tool) => tool.formerly.includes(wrong)).map((tool) => ({ path, name: tool.name })),
  );
  const right = new Set(renamed.map(({ name }) => name)).size === 1 ? renamed[0]?.name : nearestOf(wrong, sources);
  const declaredIn = sources.find(({ tools }) => tools.some((tool) => tool.name === right))?.path;
  const isDoubled = declared.some((tool) => tool.name === wrong && right !== undefined && tool.list.includes(right));
  return right === undefined || declaredIn === undefined || isDoubled ? [] : [{ wrong, right, declaredIn }];
}

/** `nearest` compares bare names; what is put in is a whole one that stands in a source. */
function nearestOf(wrong: string, sources: readonly Source[]): string | undefined {
  const names = sources.flatMap(({ tools }) => tools.map(({ name }) => name));
  const right = nearest(wrong, names);
  return right !== undefined && names.includes(right) ? right : undefined;
}

/** Every declaration of a wrong name is corrected, one line each, in the text as the edits before left it. */
function editAll(path: string, text: string, corrections: readonly Correction[]): readonly Edit[] {
  const edits: Edit[] = [];
  let current = text;
  for (const { wrong, right } of corrections) {
    for (let rest = 50; rest > 0; rest -= 1) {
      const place = declaredToolsOf(toPlaces(current)).find(({ name }) => name === wrong)?.node;
      if (place === undefined) break;
      const edit = toUniqueEdit(path, current, { ...place, replacement: JSON.stringify(right) });
      if (edit?.search == null) return [];
      edits.push(edit);
      current = current.replace(edit.search, () => edit.replace);
    }
  }
  return edits;
}

function toProposal(
  finding: Finding,
  path: string,
  corrections: readonly Correction[],
  edits: readonly Edit[],
): Proposal {
  const [first] = corrections;
  const names = corrections.map(({ wrong, right }) => `\`${wrong}\` to \`${right}\``).join(', ');
  const reasons = corrections.map(
    ({ wrong, right, declaredIn }) =>
      `\`${path}\` declares the tool \`${wrong}\`, which nothing offers. The nearest name that the repository declares is \`${right}\` (in \`${declaredIn}\`).`,
  );
  return {
    title: `Correct the tool name ${names}`.slice(0, 200),
    why: reasons.join(' ').slice(0, 4_000),
    edits,
    verify: [
      `Start a play of this repository${finding.agent === null ? '' : ` with agent \`${finding.agent}\``}: its start event offers ${corrections.map(({ right }) => `\`${right}\``).join(', ')}.`,
    ],
    source: 'rules',
    declaredIn: [...new Set(corrections.map(({ declaredIn }) => declaredIn))],
    expects: first === undefined ? null : { tool: first.right },
  };
}
