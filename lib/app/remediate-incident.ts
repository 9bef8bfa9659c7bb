import type { Incident } from '#lib/domain/incident/incident.ts';
import { findMarker } from '#lib/domain/publication/marker.ts';
import { bodyHash } from '#lib/domain/publication/merge-body.ts';
import { MAX_PATCHES, type RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import type { CallLimits, IssueView } from './ports.ts';
import { readCiFailure } from './read-ci-failure.ts';
import type { RemediatePorts, Sought } from './remedy-ports.ts';
import { seekRemedy } from './seek-remedy.ts';
import { type Outcome, type StageResult, workOnIncident } from './work-on-incident.ts';

/**
 * Looks for the fix of a filed issue: a computed one first, else a model's, and stores what it came to, which is hostile
 * input for whoever reads it. It writes nothing outside: `publish` is asked to.
 */
export const remediateIncident =
  (ports: RemediatePorts) =>
  (message: { readonly incident: string }, limits: CallLimits): Promise<Outcome> =>
    workOnIncident(ports, 'remediation', message.incident, async (incident): Promise<StageResult> => {
      const [pack, remediation] = await Promise.all([
        ports.evidence.load(incident.id),
        ports.remediations.get(incident.id),
      ]);
      if (pack === undefined) return { next: 'evidence', event: 'evidence is missing; asked for it again' };
      if (remediation === undefined || incident.issue === null) {
        return { next: 'publication', event: 'no issue is filed yet; asked for it' };
      }
      const attempt = remediation.attempts.length + 1;
      const known = await ports.outcomes.load(incident.id, remediation.cycle, attempt);
      const outcome = known ?? (await seek(ports, { incident, pack, remediation }, limits));
      if (known === undefined) await ports.outcomes.save(incident.id, remediation.cycle, attempt, outcome);
      return { next: 'publication', event: `remedy ${attempt}: ${toEvent(outcome)}` };
    });

function toEvent(outcome: RemediationOutcome): string {
  if (outcome.kind === 'proposal') return `found by ${outcome.proposal.source === 'rules' ? 'a rule' : 'a model'}`;
  return outcome.kind === 'refused' ? `refused by the rule ${outcome.rule}` : `none, ${outcome.reason}`;
}

async function seek(ports: RemediatePorts, of: Sought, limits: CallLimits): Promise<RemediationOutcome> {
  const { incident, remediation } = of;
  const issue = await ports.reader.issue(incident.target, incident.issue?.number ?? 0);
  if (!(await isAsPublished(ports, incident, issue))) {
    return { kind: 'none', failure: null, reason: 'the issue is not as Healer published it.' };
  }
  const failure = await readCiFailure(ports, incident, remediation);
  const attempt = remediation.attempts.length + 1;
  const before = await ports.outcomes.load(incident.id, remediation.cycle, attempt - 1);
  if (failure !== null && before?.failure?.signature === failure.signature) {
    return { kind: 'handover', failure, reason: 'CI fails in the same way after two patches.' };
  }
  if (attempt > MAX_PATCHES) return { kind: 'handover', failure, reason: `CI fails after ${MAX_PATCHES} patches.` };
  return seekRemedy(ports, { ...of, issue, failure }, limits);
}

/** Issues of others, and issues that others rewrote, are never the input of a patch (section 2.2 of the security goals). */
async function isAsPublished(ports: RemediatePorts, incident: Incident, issue: IssueView): Promise<boolean> {
  const intent = await ports.incidents.intent(incident.id);
  const author = await ports.reader.author(incident.target);
  return (
    intent?.bodyHash !== undefined &&
    issue.author === author &&
    findMarker(issue.body) === intent.marker &&
    bodyHash(issue.body) === intent.bodyHash
  );
}
