import type { Load } from './load.ts';
import type { Rates } from './rates.ts';

/** What a stage's configuration decides of its limits. */
export interface LimitedStage {
  readonly throttlingRate: number;
  readonly hasModel: boolean;
  readonly dayBudgetUsd: number;
  readonly dayBudgetTokens: number;
  readonly usdPerIncident: number;
  readonly tokensPerIncident: number;
}

export interface Limit {
  readonly system: 'AWS' | 'GitHub' | 'Loki' | 'model' | 'Healer';
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** `fleet`: more sessions are more namespaces alike. `namespace`: the sessions of each namespace grow. */
  readonly grows: 'fleet' | 'namespace';
  readonly demand: (load: Load, rates: Rates) => number;
  readonly source: string;
  /** When it was read at its source; null: from memory. */
  readonly checked: string | null;
  readonly advice: string;
}

/** Assumed: what Healer writes for one incident (issue, its updates, branch, pull request, comments), and asks. */
export const GITHUB_WRITES = 12;
