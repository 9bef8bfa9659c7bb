import { afterReport } from '#lib/domain/incident/states.ts';
import { followUp } from './follow-up.ts';
import { publishIssue, type Told } from './publish-issue.ts';
import type { PublishOptions, PublishPorts } from './publish-ports.ts';
import { type Outcome, type StageResult, workOnIncident } from './work-on-incident.ts';

export type { PublishOptions, PublishPorts };

/**
 * Makes sure that an incident has its one issue, with the latest diagnosis and evidence, notifies when it is critical, and
 * does what follows from how issue and pull request stand on GitHub.
 */
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

async function publish(ports: PublishPorts, options: PublishOptions, told: Told): Promise<StageResult> {
  const { incident, diagnosis } = told;
  const published = await publishIssue(ports, options, told);
  const { issue, did } = published;
  const ref = { number: issue.number, url: issue.url };
  const state = afterReport(incident.state);
  const event = did === 'unchanged' && incident.issue !== null ? null : `issue #${issue.number} ${did}`;
  if (diagnosis.analysis?.status === 'pending') {
    // What is critical is told first; the sweep asks for the model's analysis, and then the issue is brought up to date.
    return { state, next: 'evaluation', issue: ref, event: event ?? `issue #${issue.number} waits for an analysis` };
  }
  const result = await followUp(ports, options, { ...told, published, state });
  if ('restUntil' in result) {
    if (event === null && state === incident.state) return result;
    return { state, issue: ref, lookAgainAt: result.restUntil, event: event ?? 'told' };
  }
  const events = [event, result.event].filter((one) => one !== null);
  return { state, ...result, issue: ref, event: events.length === 0 ? null : events.join('; ') };
}
