/** What a worker needs to serve one invocation. */
export interface InvocationFacts {
  readonly requestId: string;
  readonly traceId: string;
  readonly functionName: string;
  /** With the alias, when the function was invoked through one. */
  readonly invokedFunctionArn: string;
  readonly memoryMb: number;
  /** When the timeout strikes, in nanoseconds of `process.hrtime`, which is the same in all threads. */
  readonly deadline: bigint;
  /** JSON. */
  readonly event: string;
}

/** A failed invocation as AWS reports it. */
export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

export type WorkerReply = { readonly requestId: string } & (
  | { readonly payload: string; readonly error?: undefined }
  | { readonly payload?: undefined; readonly error: InvocationError }
);

/** How an invocation ended: with a JSON payload, or with an error. */
export type Outcome =
  | { readonly payload: string; readonly error?: undefined }
  | { readonly payload?: undefined; readonly error: InvocationError };

/** Thrown to callers inside the process when a function failed; the fields are Lambda's. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  readonly errorType: string;
  readonly trace: readonly string[];

  constructor(functionName: string, error: InvocationError) {
    super(`${functionName}: ${error.errorType}: ${error.errorMessage}`);
    this.errorType = error.errorType;
    this.trace = error.trace;
  }
}

export const toFailure = (errorType: string, errorMessage: string): Outcome => ({
  error: { errorType, errorMessage, trace: [] },
});
