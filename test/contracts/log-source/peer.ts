import { randomUUID } from 'node:crypto';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import type { LogSource } from '#lib/app/ports.ts';
import type { Nanos } from '#lib/domain/time.ts';
import { NANOS_PER_SECOND, toNanos } from '#lib/domain/time.ts';
import type { PushedStream, PushedValue } from '#lib/local/loki/push-entries.ts';
import type { EmbeddedLoki } from '#lib/local/loki/server.ts';

/** The Loki that a suite runs on: the embedded one, or a real one. */
export interface LokiPeer {
  readonly url: string;
  readonly tenant?: string | undefined;
  readonly embedded?: EmbeddedLoki;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly encoding: string | null;
  readonly text: string;
  readonly data: { resultType?: string; encodingFlags?: string[]; result: Row[] };
}

export interface Row {
  readonly stream: Record<string, string>;
  readonly metric: Record<string, string>;
  readonly values: [string, string, { structuredMetadata?: Record<string, string> }?][];
  readonly value: [number, string];
}

/** Each case has a label value of its own, so that runs on a kept Loki do not disturb each other. */
export const caseLabel = (): string => `case-${randomUUID()}`;

/** A moment that Loki accepts lines for: some minutes ago, on a full millisecond. */
export const someMinutesAgo = (minutes = 5): Nanos => toNanos(Date.now()) - BigInt(minutes) * 60n * NANOS_PER_SECOND;

export async function push(
  peer: LokiPeer,
  streams: readonly PushedStream[],
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${peer.url}/loki/api/v1/push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tenantOf(peer) },
    body: JSON.stringify({ streams }),
  });
  return { status: response.status, text: await response.text() };
}

/** Pushes lines of one stream and insists that all are taken. */
export async function pushLines(peer: LokiPeer, stream: Record<string, string>, values: readonly PushedValue[]) {
  const { status, text } = await push(peer, [{ stream, values }]);
  if (status !== 204) throw new Error(`the push was refused: ${text}`);
}

export async function ask(
  peer: LokiPeer,
  path: string,
  params: Record<string, string>,
  options: { headers?: Record<string, string>; isForm?: boolean } = {},
): Promise<Reply> {
  const form = new URLSearchParams(params);
  const headers = { ...tenantOf(peer), ...options.headers };
  const url = `${peer.url}${path}`;
  const response = options.isForm
    ? await fetch(url, { method: 'POST', headers, body: form })
    : await fetch(`${url}?${form.toString()}`, { headers });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const data = type.includes('json') ? (JSON.parse(text) as { data: Reply['data'] }).data : { result: [] };
  return { status: response.status, type, encoding: response.headers.get('content-encoding'), text, data };
}

export const QUERY_RANGE = '/loki/api/v1/query_range';
export const CATEGORIZE = { 'x-loki-response-encoding-flags': 'categorize-labels' };

/** Lines of an answer, stream by stream. */
export const linesOf = ({ data }: Reply): string[] =>
  data.result.flatMap(({ values }) => values.map(([, line]) => line));

/** The adapter on this peer; waits are not waited. */
export const sourceOn = (peer: LokiPeer, config: Partial<Parameters<typeof lokiSource>[0]> = {}): LogSource =>
  lokiSource(
    { url: peer.url, tenant: peer.tenant, ...config },
    { clock: { now: () => Date.now() }, sleep: () => Promise.resolve() },
  );

const tenantOf = ({ tenant }: LokiPeer): Record<string, string> => (tenant ? { 'x-scope-orgid': tenant } : {});
