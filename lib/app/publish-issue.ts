import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Incident, IncidentState } from '#lib/domain/incident/incident.ts';
import type { IssueDraft, IssueInput } from '#lib/domain/publication/issue-draft.ts';
import { toLinks } from '#lib/domain/publication/links.ts';
import { findMarker, toMarker } from '#lib/domain/publication/marker.ts';
import { bodyHash, mergeIssueBody, roomForSection } from '#lib/domain/publication/merge-body.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { renderNotification } from '#lib/domain/publication/render-notification.ts';
import { type Redactor, withMemory } from '#lib/domain/redaction/redactor.ts';
import { createSecretMemory } from '#lib/domain/redaction/secret-memory.ts';
import type { IssueView, RepositoryFacts } from './ports.ts';
import { type PublishOptions, type PublishPorts, takePermit } from './publish-ports.ts';

/** An incident with what is told of it. */
export interface Told {
  readonly incident: Incident;
  readonly pack: EvidencePack;
  readonly diagnosis: Diagnosis;
}

export interface PublishedIssue {
  readonly issue: IssueView;
  readonly did: 'created' | 'updated' | 'unchanged';
  readonly repository: RepositoryFacts;
}

/** An incident whose issue stands. */
export interface Followed extends Told {
  readonly published: PublishedIssue;
  /** State after the report. */
  readonly state: IncidentState;
}

/** Own issues are looked for from this long before the intent: clocks differ. */
const LOOK_BACK_MS = 10 * 60_000;

/** Label of an issue that Healer closed since its fix held. */
export const RESOLVED_LABEL = 'healer:resolved';

/** Makes sure that an incident has its one issue and that the issue says what is known; writes nothing when it does. */
export async function publishIssue(ports: PublishPorts, options: PublishOptions, told: Told): Promise<PublishedIssue> {
  const { incident } = told;
  const repository = await ports.tracker.repository(incident.target);
  refuseUnwritable(incident.target, repository);
  const occurrences = await readOccurrences(ports, incident);
  const draftFor = (existing?: string): Promise<IssueDraft> =>
    passRedaction(ports.redactor, render({ ...told, occurrences }, repository, options, existing));
  const published = await ensureIssue(ports, incident, draftFor);
  const { issue, hash, title } = published;
  const intent = await ports.incidents.intent(incident.id);
  // Before it is noted that the issue stands: a worker that dies on the way notifies twice rather than never.
  if (intent?.bodyHash === undefined && incident.severity === 'critical') await notify(ports, told, issue.url);
  if (intent?.bodyHash !== hash || intent.title !== title) {
    await ports.incidents.notePublished(incident.id, { bodyHash: hash, title });
  }
  if (incident.issue?.number !== issue.number) {
    await ports.remediations.link(incident.target, issue.number, incident.id);
  }
  return { issue, did: published.did, repository };
}

async function notify(ports: PublishPorts, { incident, diagnosis }: Told, url: string): Promise<void> {
  try {
    const { title, text, url: link } = renderNotification(incident, diagnosis, url);
    const one = withMemory(ports.redactor, createSecretMemory());
    const clean = { text: await one.redact(text), title: await one.redact(title) };
    await ports.notifier.notify({ ...clean, url: link });
  } catch (error) {
    ports.onNotifyFault(error);
  }
}

/** Whether raw evidence may be shown in the repository. */
export const showsEvidence = (repository: RepositoryFacts, options: PublishOptions): boolean =>
  !repository.isPublic || options.showEvidenceInPublic;

/** Occurrences that an issue lists. */
const LISTED = 20;

async function readOccurrences({ incidents }: PublishPorts, { id }: Incident) {
  const [latest, total] = await Promise.all([incidents.occurrences(id, LISTED), incidents.countOccurrences(id)]);
  return { latest, total };
}

type Occurrences = NonNullable<IssueInput['occurrences']>;

/** @param existing body of the issue that stands: what people wrote there leaves less room */
function render(
  { incident, pack, diagnosis, occurrences }: Told & { readonly occurrences: Occurrences },
  facts: RepositoryFacts,
  options: PublishOptions,
  existing: string | undefined,
): IssueDraft {
  return renderIssue({
    incident,
    pack,
    diagnosis,
    repository: { isPublic: facts.isPublic, showEvidence: showsEvidence(facts, options) },
    occurrences,
    ...(options.webUrl !== undefined && { links: toLinks(options.webUrl, incident.target, pack.repository) }),
    ...(existing !== undefined && { limits: { bodyChars: roomForSection(existing, incident.id) } }),
  });
}

function refuseUnwritable(target: string, facts: RepositoryFacts): void {
  const reason = facts.isArchived ? 'is archived' : facts.hasIssues ? null : 'has its issues switched off';
  if (reason === null) return;
  throw new SourceError({
    source: 'github',
    message: `The repository ${target} ${reason}.`,
    retryable: false,
    advice: 'Make it writable, or set PLATFORM_REPOSITORY to a repository that takes the issue.',
  });
}

/** The last gate: what it would still change was not redacted before, and what it cannot read is not published. */
async function passRedaction(redactor: Redactor, draft: IssueDraft): Promise<IssueDraft> {
  const one = withMemory(redactor, createSecretMemory());
  const body = await one.redact(draft.body);
  const title = await one.redact(draft.title);
  if (findMarker(body) === undefined) throw new GuardError('redaction', 'the marker did not survive');
  return { ...draft, title, body };
}

interface Ensured {
  readonly issue: IssueView;
  readonly did: PublishedIssue['did'];
  readonly hash: string;
  /** The title as rendered, whatever stands on GitHub. */
  readonly title: string;
}

type DraftFor = (existing?: string) => Promise<IssueDraft>;

async function ensureIssue(ports: PublishPorts, incident: Incident, draftFor: DraftFor): Promise<Ensured> {
  const { target } = incident;
  const number = incident.issue?.number ?? (await findOwnIssue(ports, incident));
  if (number === undefined) {
    const draft = await draftFor();
    await takePermit(ports, incident);
    const created = await ports.tracker.create(target, draft);
    const view = { ...created, ...draft, author: '', isOpen: true, reason: null };
    return { issue: view, did: 'created', hash: bodyHash(draft.body), title: draft.title };
  }
  return updateIssue(ports, incident, number, draftFor);
}

/** Brings an issue up to date. A title that a person wrote stays. */
async function updateIssue(
  ports: PublishPorts,
  incident: Incident,
  number: number,
  draftFor: DraftFor,
): Promise<Ensured> {
  const { target } = incident;
  const existing = await ports.thread.get(target, number);
  const draft = await draftFor(existing.body);
  const isOwnTitle = existing.title === (await ports.incidents.intent(incident.id))?.title;
  const title = isOwnTitle ? draft.title : existing.title;
  const body = mergeIssueBody(existing.body, draft.body);
  const hash = bodyHash(body);
  const reopens = incident.state === 'diagnosed' && !existing.isOpen;
  const hasLabels = draft.labels.every((label) => existing.labels.includes(label));
  const saysAll = existing.title === title && bodyHash(existing.body) === hash && hasLabels;
  const noted = { hash, title: draft.title };
  if (saysAll && !reopens) return { issue: existing, did: 'unchanged', ...noted };
  await takePermit(ports, incident);
  await ports.tracker.update(target, number, { ...draft, title, body, ...(reopens && { isOpen: true }) });
  if (reopens) await ports.thread.amend(target, number, { drop: [RESOLVED_LABEL] });
  const opened = reopens ? { isOpen: true, reason: null } : {};
  return { issue: { ...existing, ...opened, title, body }, did: 'updated', ...noted };
}

/**
 * The intent is stored before the effect, and the issue is looked for by listing the App's own issues since then: GitHub's
 * search lags, and its creation call has no idempotency key.
 */
async function findOwnIssue(ports: PublishPorts, incident: Incident): Promise<number | undefined> {
  const marker = toMarker(incident);
  const intent = await ports.incidents.intend(incident.id, { marker, at: ports.clock.now() });
  const own = await ports.tracker.ownIssues(incident.target, intent.at - LOOK_BACK_MS);
  const twins = own.filter((issue) => findMarker(issue.body) === intent.marker);
  return twins.toSorted((a, b) => a.number - b.number)[0]?.number;
}
