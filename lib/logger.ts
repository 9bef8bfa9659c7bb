import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';

/**
 * One JSON object a line. Messages are static and details are keys beside them. Payloads, log lines, tokens and answers of
 * models are never logged: only ids, counts and names. The level comes from `LOG_LEVEL`.
 */
export const logger = new Logger({ serviceName: 'healer' });

/** Middleware: adds the function's context and forgets keys of the invocation before. The event itself is never logged. */
export const withLogContext = () => injectLambdaContext(logger, { resetKeys: true, logEvent: false });
