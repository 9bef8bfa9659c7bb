import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { afterDiagnosis } from '#lib/domain/incident/states.ts';
import type { EvidenceStore } from './ports.ts';
import { type Outcome, type WorkerPorts, workOnIncident } from './work-on-incident.ts';

export interface EvaluatePorts extends WorkerPorts {
  readonly evidence: EvidenceStore;
}

/** Stores the deterministic diagnosis of an incident's evidence, each claim checked, and asks for the publication. */
export const evaluateIncident =
  (ports: EvaluatePorts) =>
  (message: { readonly incident: string }): Promise<Outcome> =>
    workOnIncident(ports, 'evaluation', message.incident, async (incident) => {
      const pack = await ports.evidence.load(incident.id);
      if (pack === undefined) return { next: 'evidence', event: 'no evidence is stored; asked for it again' };
      const diagnosis = verifyClaims(diagnose(pack), pack);
      await ports.incidents.saveDiagnosis(incident.id, diagnosis);
      const event = `diagnosed by rules, ${diagnosis.confidence}`;
      return { state: afterDiagnosis(incident.state), next: 'publication', event };
    });
