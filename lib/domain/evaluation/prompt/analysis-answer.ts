import * as z from 'zod';

const AnswerClaim = z.object({
  text: z.string().describe('One sentence that quotes the cited pieces in backticks.'),
  evidence: z.array(z.string()).describe('Ids of pieces.'),
});

/** What a model answers about an incident's evidence. Lengths are not checked here but cut: see `tame-answer.ts`. */
export const AnalysisAnswer = z.object({
  summary: z.string(),
  root_cause: AnswerClaim,
  causal_chain: z.array(AnswerClaim),
  claims: z.array(AnswerClaim),
  alternatives: z.array(AnswerClaim),
  remedy: z.array(z.string()),
  verify: z.array(z.string()),
  gaps: z.array(z.string()),
  confidence: z.enum(['certain', 'likely', 'not provable']),
});

export type AnalysisAnswer = z.output<typeof AnalysisAnswer>;
