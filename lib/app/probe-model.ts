import { HealerError, SourceError } from '#lib/domain/errors.ts';
import type { ModelAnswerSight, Trouble } from '#lib/domain/probe.ts';
import { type AskPorts, askModel } from './ask-model.ts';
import type { CallLimits, Clock, ModelRequest } from './ports.ts';

/** Budgets of an incident and a play are kept by name; each probe is a play of its own, the day's budget is shared. */
const PROBE = 'probe';
/** A person waits. The model's adapter keeps 15 s of this for what follows a call. */
const MOST_MS = 60_000;
/** A model may think before it answers. */
const MAX_OUTPUT_TOKENS = 4_000;

/**
 * Asks the model for an answer of the form that its stage asks for, with made-up content, within the day's budget.
 * @param asker undefined where no model is configured
 * @param answer form of the stage's answers
 */
export const probeModel =
  (asker: AskPorts | undefined, clock: Clock, answer: ModelRequest<unknown>['answer']) =>
  async (limits: CallLimits): Promise<ModelAnswerSight> => {
    const at = clock.now();
    if (asker === undefined) return { at, model: null };
    const about = `${PROBE}-${asker.ids.uuid()}`;
    const asking = { incident: about, play: about, promptVersion: PROBE };
    const remainingMs = () => Math.min(limits.remainingMs(), at + MOST_MS - clock.now());
    const trouble = await askModel(asker, asking, toRequest(answer), { ...limits, remainingMs })
      .then(() => null)
      .catch(toTrouble);
    return { at, model: { name: asker.model.name, trouble } };
  };

const toRequest = (answer: ModelRequest<unknown>['answer']): ModelRequest<unknown> => ({
  instructions:
    'This is a test of the connection. Answer in the form that is asked for; keep every text to a few words and every list empty or short.',
  messages: [{ role: 'user', text: 'L1: the build ended with exit code 1: disk full.' }],
  answer,
  maxOutputTokens: MAX_OUTPUT_TOKENS,
});

/** The raw answer of a model is never in a HealerError's message. @throws what is a fault of Healer's own */
function toTrouble(error: unknown): Trouble {
  if (error instanceof SourceError) return { reason: error.message, advice: error.advice };
  if (error instanceof HealerError) return { reason: error.message, advice: 'The message says what would be right.' };
  throw error;
}
