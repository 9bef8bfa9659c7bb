import { systemClock } from '#lib/adapters/system/clock.ts';
import { type Hold, takeHold } from './hold.ts';
import type { SmokePlan } from './plan.ts';
import { type Sight, STEPS } from './steps.ts';

/** A step after it was made. */
export interface SmokeResult {
  readonly step: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** What was seen, or what was wrong. */
  readonly seen: string;
  /** What to do, or what a step that went well does not prove; null when there is nothing to say. */
  readonly advice: string | null;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of each step as it ends. */
  readonly onResult: (result: SmokeResult) => void;
}

const LEFT = 'Nothing has to be done: the token ends within 15 minutes, the session within hours.';

/** Makes the steps up to the first that fails, and gives back what it held, whatever came of it. */
export async function smoke(plan: SmokePlan, { env, signal, onResult }: Surroundings): Promise<readonly SmokeResult[]> {
  const results: SmokeResult[] = [];
  const make = async (step: string, advice: string, work: () => Promise<string | Sight>): Promise<boolean> => {
    const result = await toResult(step, advice, work);
    results.push(result);
    onResult(result);
    return result.ok;
  };
  let hold: Hold | undefined;
  const rights = `npx healer doctor ${plan.stage.words} says whether the stage stands.`;
  await make('token', rights, async () => {
    hold = await takeHold(plan, env, signal);
    return hold.told;
  });
  if (hold === undefined) return results;
  const { url, client } = hold;
  const run = { plan, url, client, startedAt: systemClock.now(), signal };
  const made = new Set<string>();
  for (const step of STEPS) {
    made.add(step.name);
    if (!(await make(step.name, step.advice(plan), () => step.run(run)))) break;
  }
  const mayStand = made.has('started') && !results.some(({ step, ok }) => step === 'ended' && ok);
  const { giveBack } = hold;
  await make('cleaned up', LEFT, () => giveBack(mayStand));
  return results;
}

async function toResult(step: string, advice: string, work: () => Promise<string | Sight>): Promise<SmokeResult> {
  const start = performance.now();
  const after = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    const found = await work();
    const sight = typeof found === 'string' ? { seen: found, advice: null } : found;
    return { step, ok: true, seconds: after(), ...sight };
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    return { step, ok: false, seconds: after(), seen, advice };
  }
}
