import { randomUUID } from 'node:crypto';
import { openAiModel } from '#lib/adapters/openai/openai-model.ts';
import type { Analyst } from '#lib/app/analyse-evidence.ts';
import type { ModelCall } from '#lib/app/ask-model.ts';
import type { BudgetStore } from '#lib/app/ports.ts';
import type { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';

const clock = { now: () => Date.now() };

/** A model's answer, constructed: what a good one says about {@link anEvidencePack}. */
export const anAnswer = (change: Partial<AnalysisAnswer> = {}): AnalysisAnswer => ({
  summary: 'The tool `github_create_brnch` is misspelt in the configuration. Correct its name first.',
  root_cause: { text: 'The start reported `missing from CLI: [github_create_brnch]`.', evidence: ['L1'] },
  causal_chain: [],
  claims: [],
  alternatives: [],
  remedy: ['Correct the name of the tool where agents are declared.'],
  verify: ['Start the play again and look for the tool in its first lines.'],
  gaps: [],
  confidence: 'certain',
  ...change,
});

/** An analyst over the real adapter at the given endpoint. */
export function anAnalyst(endpoint: { readonly url: string; readonly budgets: BudgetStore; readonly model?: string }) {
  const calls: ModelCall[] = [];
  const faults: unknown[] = [];
  const redactor = createRedactor();
  const analyst: Analyst = {
    model: openAiModel({
      secrets: { get: async () => 'sk-canary' },
      secret: 'openai-key-evaluation',
      baseUrl: endpoint.url,
      model: endpoint.model ?? 'scripted',
      prices: { inputUsd: 1, outputUsd: 4 },
      clock,
    }),
    budgets: endpoint.budgets,
    clock,
    ids: { uuid: randomUUID },
    redactor: async () => redactor,
    onModelCall: (call) => void calls.push(call),
    onSettleFault: (error) => void faults.push(error),
    onFault: (error) => void faults.push(error),
  };
  return { analyst, calls, faults };
}
