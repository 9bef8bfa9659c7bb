import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { Note } from '#lib/domain/publication/note.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { ModeRules } from '#lib/domain/remediation/modes.ts';
import type {
  EvidenceStore,
  IssueThread,
  IssueTracker,
  Notifier,
  OutcomeStore,
  PullRequests,
  RemediationStore,
  WritePacer,
} from './ports.ts';
import type { WorkerPorts } from './work-on-incident.ts';

export interface PublishPorts extends WorkerPorts {
  readonly evidence: EvidenceStore;
  readonly outcomes: OutcomeStore;
  readonly remediations: RemediationStore;
  readonly tracker: IssueTracker;
  readonly thread: IssueThread;
  readonly pulls: PullRequests;
  readonly pacer: WritePacer;
  readonly redactor: Redactor;
  readonly notifier: Notifier;
  /** Told of a notification that failed; it never stands in the way of an issue. */
  readonly onNotifyFault: (error: unknown) => void;
}

export interface PublishOptions {
  /** Raw evidence in public repositories is an explicit choice. */
  readonly showEvidenceInPublic: boolean;
  /** GitHub's pages for people, e.g. `https://github.com`; without it issues hold no links. */
  readonly webUrl?: string;
  /** When a proposal may go out, by repository. */
  readonly modes: ModeRules;
}

/** @throws SourceError that says when to try again, where the pace of writes is used up */
export async function takePermit(ports: Pick<PublishPorts, 'pacer' | 'clock'>, incident: Incident): Promise<void> {
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

/** Posts a note once, past the last gate. @throws GuardError when the redactor does not leave its marker whole */
export async function postNote(ports: PublishPorts, incident: Incident, number: number, note: Note): Promise<void> {
  const body = await ports.redactor.redact(note.body);
  if (!body.split('\n').includes(note.marker)) throw new GuardError('redaction', 'the marker did not survive');
  await takePermit(ports, incident);
  await ports.thread.comment(incident.target, number, { marker: note.marker, body });
}
