import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { Remediation } from '#lib/domain/remediation/remediation.ts';
import type { PatchAuthor } from './ask-for-proposal.ts';
import type { EvidenceStore, OutcomeStore, RemediationStore, RepositoryReader } from './ports.ts';
import type { WorkerPorts } from './work-on-incident.ts';

export interface RemediatePorts extends WorkerPorts {
  readonly evidence: EvidenceStore;
  readonly outcomes: OutcomeStore;
  readonly remediations: Pick<RemediationStore, 'get'>;
  readonly reader: RepositoryReader;
  readonly redactor: Redactor;
  /** Absent: remedies are computed or there are none. */
  readonly author?: PatchAuthor;
  /** Told why the model gave no usable proposal. */
  readonly onFault: (error: unknown) => void;
}

/** What a remedy is sought for. */
export interface Sought {
  readonly incident: Incident;
  readonly pack: EvidencePack;
  readonly remediation: Remediation;
}
