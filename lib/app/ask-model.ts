import { SourceError } from '#lib/domain/errors.ts';
import { digest } from '#lib/domain/model/digest.ts';
import { BudgetError, ModelAnswerError } from '#lib/domain/model/model-errors.ts';
import { mostSpend, NOTHING, type Spend, toSpend } from '#lib/domain/model/spend.ts';
import type { BudgetStore, CallLimits, Clock, Ids, Model, ModelAnswer, ModelRequest, Reservation } from './ports.ts';

/** One call as the audit log keeps it: ids, hashes and figures, never content. */
export interface ModelCall {
  readonly incident: string;
  readonly play: string;
  readonly model: string;
  readonly promptVersion: string;
  /** SHA-256 of what was sent and of what came back; null when nothing came back. */
  readonly inputHash: string;
  readonly outputHash: string | null;
  /** `answered`, how the answer was none, `no answer`, or `over budget`. */
  readonly outcome: string;
  readonly tokens: number;
  readonly microUsd: number;
  /** False: the endpoint told no figures, and these are the highest possible. */
  readonly isReported: boolean;
  /** Share of the day's budget that is used, 1 for all of it; null where it is not known. */
  readonly dayShare: number | null;
}

export interface AskPorts {
  readonly model: Model;
  readonly budgets: BudgetStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The audit log. */
  readonly onModelCall: (call: ModelCall) => void;
  /** Told of an account that could not be settled; it stays too high, which is the safe side. */
  readonly onSettleFault: (error: unknown) => void;
}

export interface Asking {
  readonly incident: string;
  readonly play: string;
  readonly promptVersion: string;
}

/**
 * One call of a model within the budgets: reserved before, settled after, told to the audit log whatever came of it.
 * @throws BudgetError when a budget has no room; ModelAnswerError and SourceError as {@link Model} does.
 */
export async function askModel<T>(
  ports: AskPorts,
  asking: Asking,
  request: ModelRequest<T>,
  limits: CallLimits,
): Promise<ModelAnswer<T>> {
  const texts = [request.instructions, ...request.messages.map(({ text }) => text)];
  const { incident, play } = asking;
  const most = mostSpend({ texts, maxOutputTokens: request.maxOutputTokens }, ports.model.prices);
  const reservation = { id: ports.ids.uuid(), incident, play, at: ports.clock.now(), most };
  const audit = (ended: Pick<ModelCall, 'outcome' | 'isReported' | 'dayShare'> & Spend, raw: string | null): void =>
    ports.onModelCall({
      ...asking,
      model: ports.model.name,
      inputHash: digest(JSON.stringify(texts)),
      outputHash: raw === null ? null : digest(raw),
      ...ended,
    });
  const granted = await ports.budgets.reserve(reservation);
  if (!granted.granted) {
    const dayShare = granted.scope === 'day' ? 1 : null;
    audit({ outcome: 'over budget', ...NOTHING, isReported: true, dayShare }, null);
    throw new BudgetError(granted.scope);
  }
  const answer = await ports.model.ask(request, limits).catch(async (error: unknown) => {
    const { outcome, spend, raw, isReported } = toLoss(error, ports, most);
    const dayShare = await settle(ports, reservation, spend);
    audit({ outcome, ...spend, isReported, dayShare }, raw);
    throw error;
  });
  const spend = toSpend(answer.usage, ports.model.prices);
  const dayShare = await settle(ports, reservation, spend);
  audit({ outcome: 'answered', ...spend, isReported: answer.usage.isReported, dayShare }, answer.text);
  return answer;
}

/** What a call without a usable answer has used: what was told, nothing when it was refused, else the most. */
function toLoss(error: unknown, ports: AskPorts, most: Spend) {
  if (error instanceof ModelAnswerError) {
    const { usage, raw, fault } = error;
    return { outcome: fault, spend: toSpend(usage, ports.model.prices), raw, isReported: usage.isReported };
  }
  const isRefused = error instanceof SourceError && (error.status !== undefined || error.source !== 'openai');
  return { outcome: 'no answer', spend: isRefused ? NOTHING : most, raw: null, isReported: isRefused };
}

async function settle(ports: AskPorts, reservation: Reservation, spend: Spend): Promise<number | null> {
  try {
    return (await ports.budgets.settle(reservation, spend)) ?? null;
  } catch (error) {
    ports.onSettleFault(error);
    return null;
  }
}
