import type { Finding } from '../detection/finding.ts';
import { editDistance } from '../evaluation/nearest.ts';
import { entriesOf, type JsonNode, placeAt, textOf, toPlaces } from './json-places.ts';
import { findConfiguration } from './play-configuration.ts';
import type { Edit, Proposal } from './proposal.ts';
import { toUniqueEdit } from './unique-edit.ts';

/** Keys of an agent that name the file of its prompt. */
const REFERENCE =
  /^(?:prompt|promptTemplate|prompt_template|promptFile|prompt_file|template|systemPrompt|system_prompt)$/;
const LOOKS_LIKE_FILE = /^[\w./@-]+\.(?:md|hbs|handlebars|j2|jinja|jinja2|txt|tmpl|tpl|mustache)$/;
const MAX_EDITS = 2;

interface Reference {
  readonly agent: string;
  readonly key: string;
  readonly file: string;
  readonly node: JsonNode;
}

/**
 * Remedy of prompts that reach an agent empty: its reference to a template is empty, or names no file of the repository.
 * The right file is the one that the references of other agents lead to when this agent's name is put in place of theirs,
 * or the only file that differs by two letters at most. Undefined when there is no such file.
 */
export function remedyPromptReference(
  finding: Finding,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): Proposal | undefined {
  if (finding.category !== 'lifecycle' || finding.agent === null) return undefined;
  const { config: path } = findConfiguration(paths);
  const text = path === undefined ? undefined : texts.get(path);
  if (path === undefined || text === undefined) return undefined;
  const references = referencesOf(text);
  const agent = finding.agent.toLowerCase();
  for (const own of references.filter((one) => one.agent.toLowerCase() === agent)) {
    const file = rightFile(own, references, paths);
    const edit = file && toUniqueEdit(path, text, { ...own.node, replacement: JSON.stringify(file) });
    if (file !== undefined && edit) return toProposal(path, own, file, edit);
  }
  return undefined;
}

const referencesOf = (text: string): readonly Reference[] =>
  entriesOf(placeAt(toPlaces(text), ['agents'])).flatMap(({ key: agent, node: config }) =>
    entriesOf(config).flatMap(({ key, node }) => {
      const file = textOf(node);
      return REFERENCE.test(key) && file !== undefined ? [{ agent, key, file, node }] : [];
    }),
  );

function rightFile(own: Reference, all: readonly Reference[], paths: readonly string[]): string | undefined {
  if (paths.includes(own.file)) return undefined;
  if (own.file === '') return bySiblings(own, all, paths);
  if (!LOOKS_LIKE_FILE.test(own.file)) return undefined;
  const near = paths.filter((path) => editDistance(path, own.file) <= MAX_EDITS);
  return near.length === 1 ? near[0] : undefined;
}

function bySiblings(own: Reference, all: readonly Reference[], paths: readonly string[]): string | undefined {
  const siblings = all.filter((one) => one.agent !== own.agent && one.key === own.key && one.file.includes(one.agent));
  const files = new Set(siblings.map((one) => one.file.replaceAll(one.agent, own.agent)));
  const there = [...files].filter((file) => paths.includes(file));
  return there.length === 1 ? there[0] : undefined;
}

function toProposal(path: string, own: Reference, file: string, edit: Edit): Proposal {
  const wrong = own.file === '' ? 'is empty' : `names \`${own.file}\`, which the repository does not hold`;
  return {
    title: `Point the prompt of ${own.agent} to \`${file}\``.slice(0, 200),
    why: `\`agents.${own.agent}.${own.key}\` in \`${path}\` ${wrong}. The file \`${file}\` stands in the repository.`,
    edits: [edit],
    verify: [`Start a play of this repository with agent \`${own.agent}\`: it starts with its prompt.`],
    source: 'rules',
    declaredIn: [],
    expects: null,
  };
}
