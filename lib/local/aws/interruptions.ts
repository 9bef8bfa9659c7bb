import type { ServerResponse } from 'node:http';

/** A call of a service, as its body tells it. */
export interface InterruptibleCall {
  /** Name of the function in `serverless.yml`, or the access key id of another caller. */
  readonly function: string;
  /** Session token of the worker, its sandbox's id. */
  readonly worker: string | undefined;
  /** E.g. `PutItem`, `SendMessage`. */
  readonly action: string;
  /** JSON. */
  readonly body: string;
}

type Moment = 'before' | 'after' | undefined;

/** Whether the caller dies before the call takes effect, or after it and before it hears of it; the call waits for the answer. */
export type Interrupt = (call: InterruptibleCall) => Moment | Promise<Moment>;

export interface Interruption {
  readonly when: Interrupt | undefined;
  /** Ends the worker of a function. */
  readonly kill: (functionName: string, worker: string | undefined) => Promise<void>;
}

/**
 * Lets the caller die where the interruption says so.
 *
 * @returns true when the call must not take effect. A caller that dies afterwards is ended when the answer is complete,
 * in its place.
 */
export async function interrupted(
  call: InterruptibleCall,
  { when, kill }: Interruption,
  response: ServerResponse,
): Promise<boolean> {
  const moment = await when?.(call);
  if (moment === undefined) return false;
  const die = async () => {
    await kill(call.function, call.worker);
    response.destroy();
  };
  if (moment === 'before') {
    await die();
    return true;
  }
  response.end = () => {
    void die();
    return response;
  };
  return false;
}
