import type { Stage } from './stage.ts';

/** A person waits: three tries, each of at most ten seconds. */
const MAX_ATTEMPTS = 3;
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * Configuration of an AWS client of a command, e.g. `new SSMClient(toClientConfig(stage))`. Credentials are the operator's
 * own, as the SDK finds them; it also reads AWS_ENDPOINT_URL, which names an emulator in the place of AWS.
 */
export const toClientConfig = ({ region }: Stage) => ({
  region,
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: {
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
});
