/** An answer of the API or a page, before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const DOCS = 'https://docs.github.com/rest';

export function json(status: number, data: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(data) };
}

/** GitHub's shape of an error. */
export const fault = (status: number, message: string, more: object = {}): Answer =>
  json(status, { message, ...more, documentation_url: DOCS, status: String(status) });

/** GitHub's 422 for a field. */
export const invalid = (error: { resource: string; field?: string; code: string; message?: string }): Answer =>
  fault(422, 'Validation Failed', { errors: [error] });

export const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

export const redirect = (location: string): Answer => ({ status: 302, headers: { location }, body: '' });
