// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import '#lib/local/clock-install.ts';

import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { createChance, type FuzzRequest, PLANTED, toFuzzRequest } from './fuzz-mutate.ts';
import { startOwnStack } from './local-stack.ts';

/**
 * `npm run fuzz -- --n 20000`: sends mutated requests to the local stack and counts answers that must not be: 5xx, what
 * is no JSON, and errors that repeat a secret-looking value of the request. Exit code 1 when there is one. The same
 * `--seed` sends the same requests.
 */
const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** A running stack, instead of one of its own. */
    url: { type: 'string' },
    minutes: { type: 'string', default: '8' },
  },
});

/** Requests on their way at the same time: few, so that a slow machine is not taken for a fault of the API. */
const AT_ONCE = 4;

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Without `fetch`, which would tidy up paths. */
const send = (url: URL, { method, path, headers, body }: FuzzRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, host: url.hostname, port: url.port, method, path, headers: { ...headers, ...length } };
    const call = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: JSON.stringify(response.headers),
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });

type Fault = '5xx' | 'non-JSON' | 'echo';

function faultOf({ status, headers, body }: Answer, { path }: FuzzRequest): Fault | undefined {
  if (status >= 500) return '5xx';
  const isPage = status === 200 && /^\/(?:\?|$)/.test(path);
  if (!isPage && !isJson(body)) return 'non-JSON';
  const isEcho = status >= 400 && PLANTED.some((secret) => `${headers}${body}`.includes(secret));
  return isEcho ? 'echo' : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const WARM_UP = ['/health', '/api/v1/sessions', '/api/v1/incidents'];

/** How many of each fault to show. */
const SHOWN = 5;

async function run(base: string): Promise<Readonly<Record<Fault, number>>> {
  const url = new URL(base);
  const chance = createChance(Number(values.seed));
  const counts = { '5xx': 0, 'non-JSON': 0, echo: 0 };
  const statuses = new Map<number, number>();
  const until = performance.now() + Number(values.minutes) * 60_000;
  let left = Number(values.n);
  const worker = async () => {
    while (left > 0 && performance.now() < until) {
      left -= 1;
      const asked = toFuzzRequest(chance);
      const answer = await send(url, asked);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = faultOf(answer, asked);
      if (fault !== undefined && (counts[fault] += 1) <= SHOWN) show(fault, asked, answer);
    }
  };
  // One after the other at first: each that comes at once opens a sandbox.
  for (const path of WARM_UP) await send(url, { method: 'GET', path, headers: {} });
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${sent} requests, seed ${values.seed}; ${byStatus.join(', ')}`);
  return counts;
}

function show(fault: Fault, asked: FuzzRequest, answer: Answer): void {
  const sent = `${asked.method} ${asked.path.slice(0, 200)} ${String(asked.body ?? '').slice(0, 400)}`;
  console.log(`${fault}: ${sent}\n  ${answer.status} ${answer.body.slice(0, 400)}`);
}

const stack = values.url === undefined ? await startOwnStack() : undefined;
const counts = await run(values.url ?? stack?.url ?? '');
console.log(`${counts['5xx']} 5xx, ${counts['non-JSON']} non-JSON, ${counts.echo} echoes`);
await stack?.stop();
process.exit(Object.values(counts).some((count) => count > 0) ? 1 : 0);
