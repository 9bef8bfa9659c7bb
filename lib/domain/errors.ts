/** One fault of an input: where it is (a path such as `tasks[0].id`, empty for the whole) and what would be right. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Base of every error that Healer throws on purpose. `retryable` is set where the fact is known, so that callers decide
 * by type and field, never by message text.
 */
export abstract class HealerError extends Error {
  abstract readonly retryable: boolean;
}

/** The caller's input is wrong; the same input will be wrong again. */
export class InputError extends HealerError {
  override readonly name = 'InputError';
  readonly retryable = false;
  readonly faults: readonly FieldFault[];

  constructor(message: string, faults: readonly FieldFault[] = []) {
    super(message);
    this.faults = faults;
  }
}

/** The input is larger than a documented limit (HTTP 413). */
export class TooLargeError extends InputError {}

/** The input has a media type other than JSON (HTTP 415). */
export class MediaTypeError extends InputError {}

/** What was asked for does not exist. */
export class NotFoundError extends HealerError {
  override readonly name = 'NotFoundError';
  readonly retryable = false;
}

/** The request contradicts what is stored; `faults` name what differs. */
export class ConflictError extends HealerError {
  override readonly name = 'ConflictError';
  readonly retryable = false;
  readonly faults: readonly FieldFault[];

  constructor(message: string, faults: readonly FieldFault[] = []) {
    super(message);
    this.faults = faults;
  }
}

/** The caller is known but may not do this. */
export class ForbiddenError extends HealerError {
  override readonly name = 'ForbiddenError';
  readonly retryable = false;
}

/** The deployment is configured wrongly; the message lists every fault at once, `faults` has them singly where known. */
export class ConfigError extends HealerError {
  override readonly name = 'ConfigError';
  readonly retryable = false;
  readonly faults: readonly FieldFault[];

  constructor(message: string, options: { readonly cause?: unknown; readonly faults?: readonly FieldFault[] } = {}) {
    super(message, options);
    this.faults = options.faults ?? [];
  }
}

/**
 * An outside system (Loki, GitHub, Kubernetes, a model, AWS) did not do what was asked. `advice` is one sentence for an
 * operator, `retryAfterMs` the time the system asked for, where it did.
 */
export class SourceError extends HealerError {
  override readonly name: string = 'SourceError';
  readonly source: string;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly advice: string;
  readonly retryAfterMs: number | undefined;

  constructor(fault: {
    source: string;
    message: string;
    retryable: boolean;
    advice: string;
    status?: number | undefined;
    retryAfterMs?: number | undefined;
    cause?: unknown;
  }) {
    super(fault.message, { cause: fault.cause });
    this.source = fault.source;
    this.retryable = fault.retryable;
    this.status = fault.status;
    this.advice = fault.advice;
    this.retryAfterMs = fault.retryAfterMs;
  }
}

/** A guard (redaction, allow list, citation check, budget) refused or broke: nothing may be published. */
export class GuardError extends HealerError {
  override readonly name = 'GuardError';
  readonly retryable = false;
  readonly guard: string;

  constructor(guard: string, message: string, options?: { cause?: unknown }) {
    super(`${guard}: ${message}`, options);
    this.guard = guard;
  }
}
