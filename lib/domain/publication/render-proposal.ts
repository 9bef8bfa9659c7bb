import type { Claim } from '../evaluation/diagnosis.ts';
import type { Edit, Proposal } from '../remediation/proposal.ts';
import { toMarker } from './marker.ts';
import { toFence, toInlineCode, toMarkdown, toShortened } from './safe-text.ts';
import { toPlainTitle } from './title.ts';

const MAX_TITLE = 120;
const MAX_CLAIMS = 10;
/** Characters of the edits that a comment shows. */
const MAX_EDITS = 12_000;

/** What a pull request says: what, why, evidence, how to verify, and which issue it belongs to. */
export interface ProposalInput {
  readonly incident: { readonly id: string; readonly fingerprint: string };
  readonly issue: number;
  readonly proposal: Proposal;
  /** Causes of the diagnosis, as the repository may show them. */
  readonly cause: readonly Claim[];
  readonly approvedBy: string | null;
}

export interface RenderedProposal {
  readonly title: string;
  readonly body: string;
}

export function renderProposal(input: ProposalInput): RenderedProposal {
  const { incident, issue, proposal, cause, approvedBy } = input;
  const claims = cause.slice(0, MAX_CLAIMS).map(({ text, evidence }) => {
    const ids = evidence.slice(0, 10).map((id) => toMarkdown(id, 20));
    return `- ${toMarkdown(text, 600)}${ids.length === 0 ? '' : ` (${ids.join(', ')})`}`;
  });
  const body = [
    `**What.** ${toMarkdown(proposal.title, 200)}. Files: ${filesOf(proposal.edits)}.`,
    `**Why.** ${toMarkdown(proposal.why, 4_000)}`,
    ...(claims.length === 0
      ? []
      : ['## Evidence', claims.join('\n'), `The ids name pieces of evidence in issue #${issue}.`]),
    ...renderVerify(proposal.verify),
    `Refs #${issue}`,
    originOf(proposal, approvedBy),
    '---',
    toMarker(incident),
  ];
  return { title: toProposalTitle(proposal), body: body.join('\n\n') };
}

/** Title of the pull request and first line of its commits. */
function toProposalTitle({ title }: Pick<Proposal, 'title'>): string {
  const plain = toPlainTitle(title) || 'Fix what Healer found';
  return plain.length <= MAX_TITLE ? plain : `${plain.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}

/** A line of the commit's message by which Healer knows it again. */
export const toTrailer = (proposalId: string): string => `Healer-Proposal: ${proposalId}`;

export const renderCommitMessage = (proposal: Proposal, issue: number, id: string): string =>
  [toProposalTitle(proposal), '', `Refs #${issue}`, '', toTrailer(id)].join('\n');

const filesOf = (edits: readonly Edit[]): string =>
  [...new Set(edits.map(({ path }) => path))].map((path) => toInlineCode(toShortened(path, 200))).join(', ');

const renderVerify = (steps: readonly string[]): readonly string[] =>
  steps.length === 0
    ? []
    : ['## How to verify', steps.map((step, index) => `${index + 1}. ${toMarkdown(step, 500)}`).join('\n')];

function originOf({ source }: Proposal, approvedBy: string | null): string {
  const origin =
    source === 'rules'
      ? 'Computed by a fixed rule from this repository, without a model.'
      : 'Written by a model and checked by fixed rules: read it as you would read a change by somebody you do not know.';
  const approval = approvedBy === null ? '' : ` Let out by ${toInlineCode(approvedBy)} with the label \`healer:fix\`.`;
  return `${origin}${approval} Healer neither marks it ready nor merges it.`;
}

/** The edits as a person can read them, in a fence: lines taken out with `-`, put in with `+`. */
export function renderEdits(edits: readonly Edit[]): string {
  const lines = edits.flatMap(({ path, search, replace }) => [
    `${search === null ? 'new file' : 'in'} ${path}`,
    ...(search === null ? [] : search.split('\n').map((line) => `- ${line}`)),
    ...replace.split('\n').map((line) => `+ ${line}`),
    '',
  ]);
  return toFence(toShortened(lines.join('\n'), MAX_EDITS).split('\n'), 'text');
}
