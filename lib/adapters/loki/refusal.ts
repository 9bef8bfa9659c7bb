import { SourceError } from '#lib/domain/errors.ts';

/**
 * What the reader can do about a refusal: ask for fewer entries (`limit`), a shorter window (`wide`), less of both
 * (`large`), wait (`busy`), try again (`failing`), or nothing (`final`).
 */
export type RefusalKind = 'limit' | 'wide' | 'large' | 'busy' | 'failing' | 'final';

interface RefusalFault {
  readonly kind: RefusalKind;
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly limit?: number;
  readonly cause?: unknown;
}

/** A query that Loki, or something before it, did not answer. */
export class LokiRefusal extends SourceError {
  override readonly name = 'LokiRefusal';
  readonly kind: RefusalKind;
  /** Entries that one query may ask for, with kind `limit`. */
  readonly limit: number | undefined;

  constructor(fault: RefusalFault) {
    super({ source: 'loki', ...fault });
    this.kind = fault.kind;
    this.limit = fault.limit;
  }
}

const SLOW = 'Loki is overloaded or its query limits are low; look at its query frontend and at any proxy before it.';
const WHERE = 'Check the Loki address: it must be the base address that serves /loki/api/v1/query_range.';
const TENANT = 'Loki runs with tenants: set the tenant (sent as X-Scope-OrgID).';
const CREDENTIALS = 'Check the user, password or token for Loki, and that its access policy holds logs:read.';

/** Reads an answer with a status other than 200. `text` is plain text from Loki, or whatever stands before it. */
export function toRefusal(status: number, text: string, retryAfterMs: number | undefined): LokiRefusal {
  const said = `Loki answered ${status}${quoteAnswer(text)}`;
  const refuse = (kind: RefusalKind, advice: string, retryable: boolean, more: Partial<RefusalFault> = {}) =>
    new LokiRefusal({ kind, message: said, advice, retryable, status, ...more });
  if (status === 400) return toBadRequest(text, refuse);
  if (status === 401 && /no org id/i.test(text)) return refuse('final', TENANT, false);
  if (status === 401 || status === 403) return refuse('final', CREDENTIALS, false);
  if (status === 413 || (status === 500 && /ResourceExhausted|larger than max/i.test(text))) {
    return refuse('large', 'One answer is larger than Loki may send; raise its gRPC message size.', true);
  }
  if (status === 429) return refuse('busy', SLOW, true, { retryAfterMs });
  if (status === 408 || status === 499 || status >= 500) return refuse('failing', SLOW, true, { retryAfterMs });
  if (status >= 300 && status < 400)
    return refuse('final', `A proxy redirects the query, perhaps to a sign-in. ${WHERE}`, false);
  return refuse('final', WHERE, false);
}

type Refuse = (kind: RefusalKind, advice: string, retryable: boolean, more?: Partial<RefusalFault>) => LokiRefusal;

/** A bad request is final, except for Loki's limits, to which a reader can adapt. */
function toBadRequest(text: string, refuse: Refuse): LokiRefusal {
  const limit = /max entries limit per query exceeded.*\(\d+ > (\d+)\)/s.exec(text)?.[1];
  if (limit) return refuse('limit', `Ask for at most ${limit} entries.`, false, { limit: Number(limit) });
  if (/time range exceeds the limit|too many bytes|bytes read limit|of series \(\d+\) reached/i.test(text)) {
    return refuse(
      'wide',
      'Loki limits how much one query may read; raise its query limits or narrow the selector.',
      false,
    );
  }
  if (/multiple org IDs/i.test(text))
    return refuse('final', 'Set one tenant; this Loki has no multi-tenant queries.', false);
  return refuse('final', 'Loki does not accept the query: check the configured selector and label names.', false);
}

/** The first words of a plain text answer; a page of markup is not repeated. */
function quoteAnswer(text: string): string {
  if (text.trim() === '' || text.includes('<')) return '';
  const oneLine = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return `: ${oneLine.length > 200 ? `${oneLine.slice(0, 200)}…` : oneLine}`;
}

/** An answer with status 200 that is not Loki's. */
export function notLoki(what: string, kind: 'failing' | 'final' = 'final'): LokiRefusal {
  const advice = `A proxy or another server answers in Loki's place. ${WHERE}`;
  return new LokiRefusal({ kind, message: `The answer is not Loki's: ${what}`, advice, retryable: true, status: 200 });
}

export function tooLarge(capBytes: number): LokiRefusal {
  const message = `The answer is larger than ${capBytes} bytes`;
  return new LokiRefusal({ kind: 'large', message, advice: 'Ask for fewer entries at once.', retryable: true });
}

/** Reads what `fetch` throws when no answer, or only a part of one, arrived. */
export function toConnectionRefusal(error: unknown, host: string): LokiRefusal {
  if (error instanceof LokiRefusal) return error;
  const { name, cause } = (error ?? {}) as { name?: string; cause?: { code?: string } };
  const code = cause?.code ?? '';
  const refuse = (kind: RefusalKind, message: string, advice: string) =>
    new LokiRefusal({ kind, message: `${message} (${host})`, advice, retryable: true, cause: error });
  if (name === 'TimeoutError') return refuse('failing', 'Loki did not answer in time', SLOW);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refuse(
      'final',
      'The name of the Loki host is not known',
      'Check the host name and that DNS works from here.',
    );
  }
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return refuse(
      'final',
      'Nothing listens at the Loki address',
      'Check that Loki runs and that its port is open from here.',
    );
  }
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return refuse(
      'final',
      `The TLS certificate of Loki is not accepted (${code})`,
      'Check the certificate and the scheme of the address.',
    );
  }
  return refuse(
    'failing',
    'The connection to Loki broke off',
    'Check the network and any proxy between Healer and Loki.',
  );
}
