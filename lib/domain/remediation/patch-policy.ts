import { GuardError } from '../errors.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { applyEdits, changedLines, type FileChange } from './apply-edits.ts';
import { assertPath } from './paths.ts';
import { MAX_CHANGED_LINES, MAX_FILES, type Proposal } from './proposal.ts';
import { assertParses } from './syntax.ts';
import { assertTestsKept } from './test-guard.ts';

/** An entry of a Git tree that is no folder. */
export interface TreeFile {
  readonly path: string;
  /** Git's mode: `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** Id of the blob. */
  readonly sha: string;
  readonly size: number;
}

/** The repository as the patch finds it. */
export interface RepositoryText {
  /** All files of the tree. */
  readonly files: readonly TreeFile[];
  /** Contents of those that were read. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A patch that passed: whole contents, ready to be committed. */
export interface CheckedPatch {
  readonly files: readonly (FileChange & { readonly mode: '100644' | '100755' })[];
}

const MAX_FILE_CHARS = 400_000;
/** Controls but tab and line ends, marks that reorder or hide text, lone surrogates, NUL: no text file of a person. */
const HIDDEN = /(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|[\u{E0000}-\u{E0FFF}]|\uFFFD/u;

const refuse = (guard: string, message: string): never => {
  throw new GuardError(guard, message);
};

/**
 * Applies a proposal and judges the result. Every rule fails closed: what is not known to be harmless is refused.
 * @throws GuardError naming the rule; it repeats nothing of the patch
 */
export async function checkPatch(
  proposal: Proposal,
  repository: RepositoryText,
  redactor: Redactor,
): Promise<CheckedPatch> {
  for (const { path } of proposal.edits) assertPath(path);
  checkSize(proposal);
  const modes = new Map(proposal.edits.map(({ path }) => [path, modeOf(path, repository.files)]));
  const changes = applyEdits(repository.texts, proposal.edits);
  for (const change of changes) {
    checkText(change);
    assertTestsKept(change);
    await assertParses(change.path, change.after);
    await checkSecrets(change, redactor);
  }
  if (proposal.source === 'rules') checkNames(proposal, changes, repository);
  return { files: changes.map((change) => ({ ...change, mode: modes.get(change.path) ?? '100644' })) };
}

function checkSize({ edits }: Proposal): void {
  if (new Set(edits.map(({ path }) => path)).size > MAX_FILES) refuse('patch size', `more than ${MAX_FILES} files`);
  const lines = edits.reduce((sum, edit) => sum + changedLines(edit), 0);
  if (lines > MAX_CHANGED_LINES) refuse('patch size', `more than ${MAX_CHANGED_LINES} changed lines`);
}

/** The mode that the file keeps. A link, a submodule, a twin by case, and what lies below a file are refused. */
function modeOf(path: string, files: readonly TreeFile[]): '100644' | '100755' {
  const known = files.find((file) => file.path === path);
  if (known?.mode === '100644' || known?.mode === '100755') return known.mode;
  if (known !== undefined) return refuse('file mode', 'a link or a submodule may not be changed');
  const lower = path.toLowerCase();
  if (files.some((file) => file.path.toLowerCase() === lower))
    return refuse('file mode', 'a file differs by case only');
  const isInWay = files.some((file) => lower.startsWith(`${file.path.toLowerCase()}/`));
  return isInWay ? refuse('file mode', 'a new file would lie below a file, a link or a submodule') : '100644';
}

/** What is hidden before may stay; nothing hidden is added. */
function checkText({ before, after }: FileChange): void {
  if (after.length > MAX_FILE_CHARS) refuse('file size', 'a file is too large to be changed by Healer');
  if (!after.isWellFormed()) refuse('binary', 'a file is no text');
  const known = new Set((before ?? '').split('\n'));
  const added = after.split('\n').filter((line) => !known.has(line));
  if (added.some((line) => HIDDEN.test(line)))
    refuse('binary', 'a line that is put in holds hidden or control characters');
}

/** What is secret before may stay where it is; no line that is put in holds a secret or part of one. */
async function checkSecrets({ before, after }: FileChange, redactor: Redactor): Promise<void> {
  const known = new Set((before ?? '').split('\n'));
  const lines = after.split('\n');
  const clean = await redactor.redactLines(lines);
  const marks = (text: string): number => text.split('[redacted:').length;
  if (lines.some((line, i) => !known.has(line) && marks(clean[i] ?? '') > marks(line)))
    refuse('secrets', 'the patch would publish a secret');
}

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_][\w-]{2,}/g) ?? [];

/** A computed remedy puts in no word that the repository itself does not declare: a log's names go nowhere. */
function checkNames(proposal: Proposal, changes: readonly FileChange[], repository: RepositoryText): void {
  const sources = [
    ...changes.map(({ before }) => before ?? ''),
    ...proposal.declaredIn.map((path) => repository.texts.get(path) ?? ''),
    ...repository.files.map((file) => file.path),
  ];
  const declared = new Set(sources.flatMap(wordsOf));
  const isNew = proposal.edits.flatMap(({ replace }) => wordsOf(replace)).some((word) => !declared.has(word));
  if (isNew) refuse('names', 'a name that the repository does not declare would be put in');
}
