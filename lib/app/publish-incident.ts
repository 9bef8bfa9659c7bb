import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Incident, IssueRef } from '#lib/domain/incident/incident.ts';
import { afterReport } from '#lib/domain/incident/states.ts';
import { findMarker, toMarker } from '#lib/domain/publication/marker.ts';
import { mergeIssueBody } from '#lib/domain/publication/merge-body.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { renderNotification } from '#lib/domain/publication/render-notification.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { EvidenceStore, IssueDraft, IssueTracker, Notifier, RepositoryFacts, WritePacer } from './ports.ts';
import { type Outcome, type WorkerPorts, workOnIncident } from './work-on-incident.ts';

export interface PublishPorts extends WorkerPorts {
  readonly evidence: EvidenceStore;
  readonly tracker: IssueTracker;
  readonly pacer: WritePacer;
  readonly redactor: Redactor;
  readonly notifier: Notifier;
  /** Told of a notification that failed; it never stands in the way of an issue. */
  readonly onNotifyFault: (error: unknown) => void;
}

export interface PublishOptions {
  /** Raw evidence in public repositories is an explicit choice. */
  readonly showEvidenceInPublic: boolean;
}

/** Own issues are looked for from this long before the intent: clocks differ. */
const LOOK_BACK_MS = 10 * 60_000;

/** Makes sure that an incident has its one issue, with the latest diagnosis and evidence; notifies when it is critical. */
export const publishIncident =
  (ports: PublishPorts, options: PublishOptions) =>
  (message: { readonly incident: string }): Promise<Outcome> =>
    workOnIncident(ports, 'publication', message.incident, async (incident) => {
      const [pack, diagnosis] = await Promise.all([
        ports.evidence.load(incident.id),
        ports.incidents.diagnosis(incident.id),
      ]);
      if (pack === undefined || diagnosis === undefined) {
        return { next: 'evidence', event: 'evidence or diagnosis is missing; asked for it again' };
      }
      return publish(ports, options, { incident, pack, diagnosis });
    });

interface Told {
  readonly incident: Incident;
  readonly pack: EvidencePack;
  readonly diagnosis: Diagnosis;
}

async function publish(ports: PublishPorts, options: PublishOptions, told: Told) {
  const { incident, diagnosis } = told;
  const facts = await ports.tracker.repository(incident.target);
  refuseUnwritable(incident.target, facts);
  const draft = await passRedaction(ports.redactor, render(told, facts, options));
  const { issue, did } = await ensureIssue(ports, incident, draft);
  if (did === 'created' && incident.severity === 'critical') await notify(ports, incident, diagnosis, issue);
  return {
    state: afterReport(incident.state),
    next: null,
    issue,
    event: `issue #${issue.number} ${did}`,
  };
}

function render({ incident, pack, diagnosis }: Told, facts: RepositoryFacts, options: PublishOptions): IssueDraft {
  const showEvidence = !facts.isPublic || options.showEvidenceInPublic;
  return renderIssue({ incident, pack, diagnosis, repository: { isPublic: facts.isPublic, showEvidence } });
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
  const [title, body] = await Promise.all([redactor.redact(draft.title), redactor.redact(draft.body)]);
  if (findMarker(body) === undefined) throw new GuardError('redaction', 'the marker did not survive');
  return { ...draft, title, body };
}

async function ensureIssue(
  ports: PublishPorts,
  incident: Incident,
  draft: IssueDraft,
): Promise<{ issue: IssueRef; did: 'created' | 'updated' }> {
  await takePermit(ports, incident);
  const existing = await findOwnIssue(ports, incident);
  if (existing === undefined) return { issue: await ports.tracker.create(incident.target, draft), did: 'created' };
  const body = mergeIssueBody(existing.body, draft.body);
  const isReopened = incident.state === 'diagnosed' && !existing.isOpen;
  const update = { ...draft, body, ...(isReopened && { isOpen: true }) };
  return { issue: await ports.tracker.update(incident.target, existing.number, update), did: 'updated' };
}

/**
 * The intent is stored before the effect, and the issue is looked for by listing the App's own issues since then: GitHub's
 * search lags, and its creation call has no idempotency key.
 */
async function findOwnIssue(ports: PublishPorts, incident: Incident) {
  const marker = toMarker(incident);
  const intent = await ports.incidents.intend(incident.id, { marker, at: ports.clock.now() });
  const own = await ports.tracker.ownIssues(incident.target, intent.at - LOOK_BACK_MS);
  const twins = own.filter((issue) => findMarker(issue.body) === intent.marker);
  return twins.toSorted((a, b) => a.number - b.number)[0];
}

async function takePermit(ports: PublishPorts, incident: Incident): Promise<void> {
  const now = ports.clock.now();
  const permit = await ports.pacer.take(incident.target.split('/')[0] ?? incident.target, now);
  if (permit.granted) return;
  throw new SourceError({
    source: 'github',
    message: 'The pace of writes to GitHub is used up.',
    retryable: true,
    advice: 'Nothing to do: it is written when the pace allows.',
    retryAfterMs: permit.until - now,
  });
}

async function notify(ports: PublishPorts, incident: Incident, diagnosis: Diagnosis, issue: IssueRef): Promise<void> {
  try {
    await ports.notifier.notify(renderNotification(incident, diagnosis, issue.url));
  } catch (error) {
    ports.onNotifyFault(error);
  }
}
