import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request to an AWS service, read whole. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

/** An answer in the JSON protocol of AWS. */
export const jsonAnswer = (status: number, body: object, headers: OutgoingHttpHeaders = {}): ServiceAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1', ...headers },
  body: JSON.stringify(body),
});
