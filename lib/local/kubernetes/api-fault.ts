/** A refusal of the API. */
export class ApiFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly text: string;

  constructor(status: number, type: string, text: string) {
    super(text);
    this.status = status;
    this.type = type;
    this.text = text;
  }
}

/** Most refusals are a JSON `Status`. */
export function apiFault(
  code: number,
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ApiFault {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return new ApiFault(code, 'application/json', JSON.stringify({ ...head, message, reason, details, code }));
}

/** A resource that no definition describes is told in plain text. */
export const notInstalled = (): ApiFault => new ApiFault(404, 'text/plain; charset=utf-8', '404 page not found\n');
