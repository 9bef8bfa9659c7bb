import * as z from 'zod';
import { GuardError } from '../errors.ts';

/** Most files and changed lines of one patch (section 9 of the design). */
export const MAX_FILES = 10;
export const MAX_CHANGED_LINES = 400;

const MAX_TEXT = 100_000;

/**
 * One edit. `search` must occur exactly once in the file and becomes `replace`; a null `search` makes a new file whose
 * content is `replace`. There is no deletion, no renaming and no mode.
 */
const Edit = z.strictObject({
  path: z.string().min(1).max(300),
  search: z.string().min(1).max(MAX_TEXT).nullable(),
  replace: z.string().max(MAX_TEXT),
});
export type Edit = Readonly<z.infer<typeof Edit>>;

/** What a model may answer: everything of a proposal but who made it. */
export const ModelProposal = z.strictObject({
  title: z.string().min(1).max(200),
  why: z.string().min(1).max(4_000),
  edits: z
    .array(Edit)
    .min(1)
    .max(MAX_FILES * 4),
  verify: z.array(z.string().min(1).max(500)).max(10),
});

const Proposal = ModelProposal.extend({
  source: z.enum(['rules', 'model']),
  /** Files of the repository in which the names that a rule put in are declared. */
  declaredIn: z.array(z.string().min(1).max(300)).max(20),
  /** What the agent's start event offers once the fix holds: the corrected name of a tool. */
  expects: z.strictObject({ tool: z.string().min(1).max(200) }).nullable(),
});

/** A fix that somebody suggests. A model's is hostile input: {@link parseProposal} and the patch policy judge it. */
export interface Proposal extends Omit<z.infer<typeof Proposal>, 'edits'> {
  readonly edits: readonly Edit[];
}

/** @throws GuardError when it has not the form of a proposal; says where, repeats nothing. */
export function parseProposal(value: unknown): Proposal {
  const parsed = Proposal.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'it'}: ${issue.code}`);
  throw new GuardError('proposal', `it has not the form of a proposal (${where.join(', ')})`);
}
