import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';

type Formatting = Parameters<LogFormatter['formatAttributes']>;

/** Leaves out what the log group tells, since every line would carry it and is billed by its bytes. */
class LeanFormatter extends LogFormatter {
  formatAttributes({ logLevel, message, timestamp, lambdaContext, xRayTraceId }: Formatting[0], more: Formatting[1]) {
    const attributes = {
      level: logLevel,
      message,
      timestamp: this.formatTimestamp(timestamp),
      cold_start: lambdaContext?.coldStart === true ? true : undefined,
      function_request_id: lambdaContext?.awsRequestId,
      xray_trace_id: xRayTraceId,
    };
    return new LogItem({ attributes }).addAttributes(more);
  }
}

/**
 * One JSON object a line. Messages are static and details are keys beside them. Payloads, log lines, tokens and answers of
 * models are never logged: only ids, counts and names. The level comes from `LOG_LEVEL`.
 */
export const logger = new Logger({ serviceName: 'healer', logFormatter: new LeanFormatter() });

/** Middleware: adds the function's context and forgets keys of the invocation before. The event itself is never logged. */
export const withLogContext = () => injectLambdaContext(logger, { resetKeys: true, logEvent: false });
