// Runs one function in a thread of its own, as a Lambda sandbox does: loads the handler once, then serves one
// invocation after the other. The clock is replaced before the handler is imported.
import { parentPort, workerData } from 'node:worker_threads';
import { type ClockOffset, replaceDate } from './clock.ts';
import type { InvocationError, InvocationFacts, WorkerReply } from './invocation.ts';

const { offset, file, exportName } = workerData as { offset: ClockOffset; file: string; exportName: string };
replaceDate(offset);

type Handler = (event: unknown, context: unknown) => unknown;

/** The error as Lambda's Node.js runtime reports it. */
function toInvocationError(error: unknown): InvocationError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

async function loadHandler(): Promise<Handler> {
  const loaded = (await import(file)) as { [name: string]: unknown; default?: { [name: string]: unknown } };
  const handler = loaded[exportName] ?? loaded.default?.[exportName];
  if (typeof handler === 'function') return handler as Handler;
  const error = new Error(`${exportName} is undefined or not exported`);
  error.name = 'Runtime.HandlerNotFound';
  throw error;
}

function toContext(facts: InvocationFacts) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: facts.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: facts.invokedFunctionArn,
    memoryLimitInMB: String(facts.memoryMb),
    awsRequestId: facts.requestId,
    logGroupName: process.env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'],
    // Monotonic: a jump of the clock takes no time away.
    getRemainingTimeInMillis: () => Math.max(0, Number((facts.deadline - process.hrtime.bigint()) / 1_000_000n)),
  };
}

const loading = loadHandler();
// Reported with the first invocation, which waits for it.
loading.catch(() => {});

async function reply(facts: InvocationFacts): Promise<WorkerReply> {
  try {
    process.env['_X_AMZN_TRACE_ID'] = facts.traceId;
    const handler = await loading;
    const result = await handler(JSON.parse(facts.event), toContext(facts));
    return { requestId: facts.requestId, payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return { requestId: facts.requestId, error: toInvocationError(error) };
  }
}

parentPort?.on('message', (facts: InvocationFacts) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window's
  void reply(facts).then((answer) => parentPort?.postMessage(answer));
});
