import { ConfigError, HealerError, SourceError } from '#lib/domain/errors.ts';

/** What was asked of AWS, in the words of the sentence that says why it was not done. */
export interface AwsRequest {
  /** What it is about, e.g. `the stack healer-prod`. */
  readonly thing: string;
  /** Region, or address of an emulator. */
  readonly place: string;
  /** Rights that it takes, e.g. `ssm:PutParameter`; AWS names the one that is missing where it can. */
  readonly rights: string;
  /** What to do where the thing is not there; without it, another stage or region is advised. */
  readonly ifMissing?: string;
  /** What works without AWS, e.g. `use --local for the local stack`. */
  readonly otherwise?: string;
}

/**
 * Waits for an answer of AWS.
 * @throws ConfigError with one sentence for an operator when it fails
 */
export async function answerOf<T>(work: Promise<T>, request: AwsRequest): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toAwsAdvice(error, request);
  }
}

/** The fault in the words of an operator; Healer's own errors that did not come from AWS as they are. */
export function toAwsAdvice(error: unknown, request: AwsRequest): HealerError {
  if (error instanceof HealerError && !(error instanceof SourceError)) return error;
  const fault = error instanceof SourceError ? error.cause : error;
  return new ConfigError(sayWhy(fault, request), { cause: error });
}

/** Names that AWS and its SDK give to credentials that are missing, wrong or too old. */
const REFUSED =
  /^(Credentials|UnrecognizedClient|InvalidClientToken|InvalidSignature|SignatureDoesNotMatch|TokenProvider)/;
const EXPIRED = /^(ExpiredToken|RequestExpired)/;
const DENIED = /^(AccessDenied|UnauthorizedOperation|NotAuthorized|AuthorizationError)/;
const MISSING = /(NotFound|NotFoundException|DoesNotExist|NonExistentQueue)$/;
const THROTTLED = /throttl|toomanyrequests|limitexceeded/i;
/** Of the network and of TLS, by Node; their messages name no secret. */
const UNREACHED = /^(ECONN|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)/;
const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_)/;

const NAME_IT = "name the deployment with --stage, and its region in the stage's file, or without that with --region";

const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : '');
const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : '');
const codeOf = (fault: unknown): string => {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  return typeof code === 'string' ? code : '';
};

function sayWhy(fault: unknown, request: AwsRequest): string {
  const name = nameOf(fault);
  const refusal = sayWhoIsRefused(fault, name, request);
  if (refusal !== undefined) return refusal;
  const { thing, place, ifMissing, otherwise } = request;
  if (isMissing(fault)) {
    const advice = ifMissing ?? [NAME_IT, otherwise].filter(Boolean).join(', or ');
    return `there is no ${bare(thing)} in ${place}: ${advice}`;
  }
  if (THROTTLED.test(name)) return `AWS takes no more requests for ${thing} now; send the command again in a minute`;
  return sayWhatBroke(name, codeOf(fault), request);
}

/** Who asks is unknown, or may not; undefined for any other fault. */
function sayWhoIsRefused(fault: unknown, name: string, { thing, rights, otherwise }: AwsRequest): string | undefined {
  const instead = otherwise === undefined ? '' : `; ${otherwise}`;
  const isUnknown = REFUSED.test(name);
  if (EXPIRED.test(name) || (isUnknown && /\bexpired\b/i.test(messageOf(fault)))) {
    return `the AWS credentials have expired: log in again (aws sso login)${instead}`;
  }
  if (isUnknown) return `AWS took no credentials: set AWS_PROFILE, or log in (aws sso login)${instead}`;
  if (!DENIED.test(name)) return undefined;
  return `the AWS credentials may not use ${bare(thing)}: they need ${missingRight(fault) ?? rights}`;
}

/** The way to AWS is broken, or AWS is. */
function sayWhatBroke(name: string, code: string, { thing, place }: AwsRequest): string {
  if (UNTRUSTED.test(code)) {
    return `the certificate at ${place} is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`;
  }
  if (UNREACHED.test(code) || UNREACHED.test(name)) {
    return `AWS in ${place} cannot be reached (${code || name}): check the network, the region and AWS_ENDPOINT_URL`;
  }
  return `${thing} in ${place} did not answer (${name || 'no reason given'}); send the command again`;
}

/** `the stack healer-prod` becomes `stack healer-prod`. */
const bare = (thing: string): string => thing.replace(/^the /, '');

/** CloudFormation says of a stack that is not there that the request is invalid. */
const isMissing = (fault: unknown): boolean =>
  MISSING.test(nameOf(fault)) || (nameOf(fault) === 'ValidationError' && /does not exist/.test(messageOf(fault)));

/** The right that AWS names in its refusal: `… is not authorized to perform: ssm:PutParameter on resource: …`. */
function missingRight(fault: unknown): string | undefined {
  const found = /not authorized to perform:? ([a-z0-9-]+:[A-Za-z]+)(?: on resource:? (arn:[^\s]+))?/.exec(
    messageOf(fault),
  );
  if (found === null) return undefined;
  const [, right, resource] = found;
  return resource === undefined ? right : `${right} on ${resource}`;
}
