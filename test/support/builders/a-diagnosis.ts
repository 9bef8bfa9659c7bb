import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';

export const aDiagnosis = (change: Partial<Diagnosis> = {}): Diagnosis => ({
  source: 'rules',
  summary: 'Agent rex runs without `github_create_brnch`.',
  cause: [{ text: 'The log names `github_create_brnch`.', evidence: ['L1'] }],
  chain: [],
  consequences: [],
  remedy: [{ text: 'Correct the name.', command: "jq '.agents.rex.tools.remote' cto-config.json" }],
  verify: [{ text: 'Start the play again.' }],
  gaps: [],
  confidence: 'certain',
  ...change,
});
