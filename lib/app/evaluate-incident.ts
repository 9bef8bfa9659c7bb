import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { afterDiagnosis } from '#lib/domain/incident/states.ts';
import { type Analyst, analyseEvidence, type Case, postponeAnalysis } from './analyse-evidence.ts';
import type { CallLimits, EvidenceStore } from './ports.ts';
import { type Outcome, type WorkerPorts, workOnIncident } from './work-on-incident.ts';

export interface EvaluatePorts extends WorkerPorts {
  readonly evidence: EvidenceStore;
  /** Absent: diagnoses are by rules alone. */
  readonly analyst?: Analyst;
}

/**
 * Stores the diagnosis of an incident's evidence, each claim checked, and asks for the publication. The deterministic
 * diagnosis comes first and is never lost; a model, where one is configured, may add to it.
 */
export const evaluateIncident =
  (ports: EvaluatePorts) =>
  (message: { readonly incident: string }, limits: CallLimits): Promise<Outcome> =>
    workOnIncident(ports, 'evaluation', message.incident, async (incident) => {
      if (incident.state === 'dismissed') return { next: null, event: 'dismissed by a person; nothing to evaluate' };
      const pack = await ports.evidence.load(incident.id);
      if (pack === undefined) return { next: 'evidence', event: 'no evidence is stored; asked for it again' };
      const rules = verifyClaims(diagnose(pack), pack);
      const diagnosis = await improve(ports, { incident, pack, rules }, limits);
      await ports.incidents.saveDiagnosis(incident.id, diagnosis);
      return { state: afterDiagnosis(incident.state), next: 'publication', event: toEvent(diagnosis) };
    });

async function improve(ports: EvaluatePorts, about: Omit<Case, 'stored'>, limits: CallLimits): Promise<Diagnosis> {
  const { analyst, incidents } = ports;
  const { incident, rules } = about;
  if (analyst === undefined) return rules;
  const stored = await incidents.diagnosis(incident.id);
  // Whatever becomes of the call, there is a diagnosis.
  if (stored === undefined) await incidents.saveDiagnosis(incident.id, rules);
  if (isToldAtOnce(incident)) return postponeAnalysis(analyst, { ...about, stored });
  return analyseEvidence(analyst, { ...about, stored }, limits);
}

/** What is critical and has not been told does not wait for a model: `publish` asks for the analysis afterwards. */
const isToldAtOnce = ({ severity, state }: Incident): boolean =>
  severity === 'critical' && afterDiagnosis(state) === 'diagnosed';

function toEvent({ source, confidence, analysis }: Diagnosis): string {
  const by = source === 'model' ? 'rules and a model' : 'rules';
  const note =
    analysis === undefined || analysis.status === 'proved' ? '' : `; analysis by a model: ${analysis.status}`;
  return `diagnosed by ${by}, ${confidence}${note}`;
}
