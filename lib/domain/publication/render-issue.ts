import { GuardError } from '../errors.ts';
import type { Incident } from '../incident/incident.ts';
import { renderEvidence, renderWhereabouts } from './evidence-block.ts';
import type { IssueDraft, IssueInput } from './issue-draft.ts';
import { DEPTHS, type Depth } from './layout.ts';
import { toSection } from './marker.ts';
import { toPublicDiagnosis } from './public-view.ts';
import { toMarkdown } from './safe-text.ts';
import {
  renderClaims,
  renderFacts,
  renderGaps,
  renderLinks,
  renderOccurrences,
  renderSource,
  renderSteps,
} from './sections.ts';
import { toTitle } from './title.ts';

/** GitHub takes 65,536 characters; the rest is room for what people add. */
const BODY_CHARS = 60_000;

/**
 * The issue that tells of an incident: title, labels and Healer's own section of the body. Its text holds no HTML but the
 * section's delimiters, no image, no link but those given, no mention and no reference; evidence stands in fences.
 * Too long a body loses lines around the failure first, and says so.
 *
 * @throws GuardError when the body cannot be made to fit, or the incident's id or fingerprint is malformed.
 */
export function renderIssue(input: IssueInput): IssueDraft {
  const limit = Math.min(input.limits?.bodyChars ?? BODY_CHARS, BODY_CHARS);
  const { incident, pack, repository } = input;
  const isOpen = !repository.isPublic || repository.showEvidence;
  const shown = isOpen ? input : { ...input, diagnosis: toPublicDiagnosis(input.diagnosis, pack) };
  for (const depth of DEPTHS) {
    const body = toSection(incident, renderBody(shown, depth, isOpen));
    if (body.length > limit) continue;
    return { title: toTitle(incident, shown.diagnosis.summary), body, labels: toLabels(incident) };
  }
  throw new GuardError('issue body', `does not fit into ${limit} characters`);
}

/** `healer`, the code, the severity; `needs-attention` asks for a person at once. */
function toLabels(incident: Pick<Incident, 'code' | 'severity' | 'state'>): readonly string[] {
  const isUrgent = incident.severity === 'critical' || incident.state === 'escalated';
  return [
    'healer',
    ...(incident.code === null ? [] : [incident.code]),
    incident.severity,
    ...(isUrgent ? ['needs-attention'] : []),
  ];
}

function renderBody(input: IssueInput, depth: Depth, isOpen: boolean): string {
  const { pack, diagnosis } = input;
  const cited = new Set(
    [...diagnosis.cause, ...diagnosis.chain, ...diagnosis.consequences].flatMap((claim) => claim.evidence),
  );
  const hasTimeline = diagnosis.chain.length > 1;
  return [
    toMarkdown(diagnosis.summary, depth.prose),
    renderFacts(input, depth),
    ...renderClaims('Cause', diagnosis.cause, depth),
    ...(isOpen ? renderEvidence(pack, cited, depth) : renderWhereabouts(pack, cited, depth)),
    ...(hasTimeline ? renderClaims('Timeline', diagnosis.chain, depth) : []),
    ...renderClaims('What followed', diagnosis.consequences, depth),
    ...renderSteps('Remedy', diagnosis.remedy, depth),
    ...renderSteps('How to verify', diagnosis.verify, depth),
    ...renderGaps([...diagnosis.gaps, ...pack.gaps], depth),
    ...renderOccurrences(input, depth),
    ...renderLinks(input.links),
    renderSource(diagnosis),
  ].join('\n\n');
}
