import type { Diagnosis } from '../evaluation/diagnosis.ts';
import type { EvidencePack } from '../evidence/evidence-pack.ts';
import type { Incident, Occurrence } from '../incident/incident.ts';

/** An issue as it is to stand on GitHub. */
export interface IssueDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** A link that Healer built itself from its configuration. */
export interface IssueLink {
  readonly text: string;
  readonly url: string;
}

export interface IssueInput {
  readonly incident: Incident;
  readonly pack: EvidencePack;
  readonly diagnosis: Diagnosis;
  /** Whether raw evidence may be shown: in a private repository always, in a public one only when `showEvidence`. */
  readonly repository: { readonly isPublic: boolean; readonly showEvidence: boolean };
  /** Only links to `webUrl` (GitHub's own host, e.g. `https://github.com`) are shown. */
  readonly links?: { readonly webUrl: string; readonly items: readonly IssueLink[] };
  /** Newest first; `total` counts all findings of the incident. Default: what the pack counts. */
  readonly occurrences?: { readonly total: number; readonly latest: readonly Occurrence[] };
  readonly limits?: { readonly bodyChars: number };
}
