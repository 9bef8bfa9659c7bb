import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConflictError, NotFoundError } from '#lib/domain/errors.ts';
import { httpApi } from '#lib/edge/http/http-api.ts';
import { startSessionRoute } from '#lib/edge/http/session-routes.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { aLambdaContext, anApiEvent, anSqsEvent } from '#test/support/builders/lambda.ts';
import { aSession } from '#test/support/builders/session.ts';

const START = 'POST /api/v1/session/start';
const BODY = { play_id: 'play-1', repository: 'acme/widgets', service: 'very-private-service' };

/** Everything that the process writes while a test runs, one JSON object a line. */
let written: string[];
beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  vi.spyOn(console, 'log').mockImplementation((line) => void written.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

const lines = () => written.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
const start = (start: Parameters<typeof startSessionRoute>[0], body: unknown = BODY) =>
  httpApi({ [START]: startSessionRoute(start) })(anApiEvent(START, { body }), aLambdaContext());

describe('what a function writes', () => {
  it('has the ids of request and play, and a count, but nothing of the payload', async () => {
    await start(async () => ({ session: aSession(), isRepeated: false }));
    const ids = { request_id: 'gateway-request-1', play_id: 'play-1', function_request_id: 'lambda-request-1' };
    expect(lines()).toContainEqual(
      expect.objectContaining({ message: 'session started', agents: 0, tasks: 0, ...ids }),
    );
    expect(lines()).toContainEqual({ message: 'figures', figures: { SessionStarted: 1 } });
    expect(written.join('')).not.toMatch(/very-private|widgets/);
  });

  it('counts a refusal too, and forgets the play before', async () => {
    await start(() => Promise.reject(new ConflictError('differs')));
    expect(lines()).toContainEqual({ message: 'figures', figures: { SessionConflict: 1 } });
    written = [];
    await start(() => Promise.reject(new NotFoundError('never asked')), { play_id: 7 });
    expect(lines()).toEqual([expect.objectContaining({ message: 'request refused', status: 400 })]);
    expect(written.join('')).not.toContain('play-1');
  });

  it('leads from the id of an incident to what a stage did with it', async () => {
    const handler = sqsBatch('evidence', async () => ({ kind: 'postponed', reason: 'very-private-reason' }));
    await handler(anSqsEvent(['{"incident":"incident-1"}']), aLambdaContext());
    const ids = { queue: 'evidence', message_id: 'message-0', incident: 'incident-1' };
    expect(lines()).toContainEqual(expect.objectContaining({ message: 'record done', outcome: 'postponed', ...ids }));
    expect(written.join('')).not.toContain('very-private');
  });

  it('names the incident of a record that failed', async () => {
    const handler = sqsBatch('evidence', () => Promise.reject(new Error('it broke')));
    await handler(anSqsEvent(['{"incident":"incident-1"}']), aLambdaContext());
    expect(lines()).toContainEqual(expect.objectContaining({ message: 'record failed', incident: 'incident-1' }));
  });

  it('has the reason of a fault of its own', async () => {
    await start(() => Promise.reject(new Error('it broke')));
    const error = expect.objectContaining({ name: 'Error', message: 'it broke' }) as object;
    expect(lines()).toEqual([expect.objectContaining({ level: 'ERROR', status: 500, play_id: 'play-1', error })]);
  });
});
