import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { ForbiddenError, InputError } from '#lib/domain/errors.ts';
import type { RawRoute } from './http-api.ts';
import type { RawRequest } from './request.ts';

/** GitHub's larger events are pushes, which Healer does not need. */
const MAX_BYTES = 1024 * 1024;
const MAX_NUMBERS = 10;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/;
const DELIVERY = /^[\w-]{8,64}$/;

const Numbered = z.object({ number: z.number().int().positive() }).nullish();
const Checked = z
  .object({ pull_requests: z.array(z.object({ number: z.number().int().positive() })).nullish() })
  .nullish();
/** Only what says which issue or pull request an event is about. */
const Event = z.object({
  repository: z.object({ full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/) }).nullish(),
  issue: Numbered,
  pull_request: Numbered,
  check_run: Checked,
  check_suite: Checked,
  workflow_run: Checked,
});

/** What the route hands on. */
interface HeardEvent {
  readonly delivery: string;
  readonly repository: string;
  readonly numbers: readonly number[];
}

/**
 * `POST /api/v1/webhooks/github`: open, since GitHub signs what it sends with the shared secret. The signature is over the
 * bytes as they came, whatever API Gateway made of them.
 * @param hear takes the event; what it answers with is not told
 */
export const githubWebhookRoute =
  (secret: () => Promise<string>, hear: (event: HeardEvent) => Promise<unknown>): RawRoute =>
  async (request) => {
    const bytes = request.bytes(MAX_BYTES);
    await checkSignature(request, bytes, secret);
    const delivery = request.header('x-github-delivery') ?? '';
    if (!DELIVERY.test(delivery))
      throw new InputError('The header X-GitHub-Delivery must hold the id of the delivery.');
    const event = parseEvent(bytes);
    if (event.repository && event.numbers.length > 0) {
      await hear({ delivery, repository: event.repository, numbers: event.numbers });
    }
    return { status: 'ok' };
  };

/** @throws ForbiddenError for every request that GitHub did not sign with the secret */
async function checkSignature(request: RawRequest, bytes: Buffer, secret: () => Promise<string>): Promise<void> {
  const [, given] = SIGNATURE.exec(request.header('x-hub-signature-256') ?? '') ?? [];
  const refusal = new ForbiddenError('The header X-Hub-Signature-256 does not hold the signature of this body.');
  if (given === undefined) throw refusal;
  const key = (await secret()).trim();
  const right = createHmac('sha256', key).update(bytes).digest();
  if (key === '' || !timingSafeEqual(right, Buffer.from(given, 'hex'))) throw refusal;
}

function parseEvent(bytes: Buffer): { repository: string | undefined; numbers: readonly number[] } {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new InputError('The body is not valid JSON: set the content type of the webhook to application/json.');
  }
  const parsed = Event.safeParse(json);
  // An event of another shape is about something else.
  if (!parsed.success) return { repository: undefined, numbers: [] };
  const { repository, issue, pull_request: pull, ...checks } = parsed.data;
  const pulls = Object.values(checks).flatMap((check) => check?.pull_requests ?? []);
  const numbers = [issue, pull, ...pulls].flatMap((one) => (one ? [one.number] : []));
  return { repository: repository?.full_name, numbers: [...new Set(numbers)].slice(0, MAX_NUMBERS) };
}
