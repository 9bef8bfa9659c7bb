import '#test/support/quiet.ts';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '#lib/domain/errors.ts';
import { parseIncidentId, parseIncidentsQuery } from '#lib/edge/http/incident-requests.ts';
import { parseEndStatus, parsePlayId, parseSessionsQuery } from '#lib/edge/http/session-requests.ts';
import { parseStartRequest } from '#lib/edge/http/start-request.ts';
import { API_TOKEN, serveSessionApi } from '#test/support/api-server.ts';
import { bodyFaults } from '#test/support/openapi.ts';
import { type SessionApi, startSessionApi } from '#test/support/session-api.ts';
import { createChance, PLANTED, toFuzzRequest } from '../../../scripts/fuzz-mutate.ts';

const START = 'POST /api/v1/session/start';

/** What the parser says: a value, or faults. Anything else that it throws fails the property. */
function parsed<T>(parse: () => T): { value: T } | { faults: InputError['faults']; text: string } {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { faults: error.faults, text: JSON.stringify([error.message, error.faults]) };
  }
}

const planted = fc.constantFrom(...PLANTED);
const name = fc.oneof(planted, fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', 'constructor', 'rex'));
const text = fc.oneof(planted, fc.string({ unit: 'grapheme' }), fc.constant(null), fc.integer());
const tools = fc.oneof(
  fc.jsonValue(),
  fc.record({ remote: fc.array(text), localServers: fc.dictionary(name, fc.jsonValue()) }),
);
/** Close to right, with whatever in one place or another. */
const start = fc.record(
  {
    play_id: fc.oneof(fc.constantFrom('play-1', 'p'), text),
    repository: fc.oneof(fc.constant('acme/widgets'), text),
    service: text,
    namespace: fc.oneof(fc.constant('cto'), text),
    cto_config: fc.oneof(
      fc.jsonValue(),
      fc.record({ agents: fc.dictionary(name, fc.record({ cli: text, tools }, { requiredKeys: [] })) }),
    ),
    tasks: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ id: text, title: text, dependencies: fc.array(text), priority: fc.integer() })),
    ),
  },
  { requiredKeys: [] },
);

describe('requests of any kind', () => {
  it('are a declaration or named faults, and the document agrees with what is read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: start }, fc.jsonValue()), async (body) => {
        const outcome = parsed(() => parseStartRequest(JSON.parse(JSON.stringify(body) ?? 'null')));
        if ('value' in outcome) {
          expect(await bodyFaults(START, body)).toEqual([]);
          return;
        }
        expect(outcome.faults.length > 0 && outcome.faults.length <= 20).toBe(true);
        expect(PLANTED.filter((secret) => outcome.text.includes(secret))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    '{"agents":{"__proto__":{}}}',
    '{"agents":{"rex":{"tools":{"remote":[],"localServers":{"__proto__":{}}}}}}',
  ])('are refused where a name is one that would go by unseen: %s', (config) => {
    const body = JSON.parse(`{"play_id":"p","repository":"acme/widgets","cto_config":${config}}`);
    expect(parsed(() => parseStartRequest(body))).toMatchObject({
      faults: [{ message: expect.stringContaining('__proto__') }],
    });
  });

  it('read the same when what was read is sent again', () => {
    fc.assert(
      fc.property(start, (body) => {
        const outcome = parsed(() => parseStartRequest(JSON.parse(JSON.stringify(body))));
        if (!('value' in outcome)) return;
        const { playId, agents, tasks, ...rest } = outcome.value;
        const again = {
          ...rest,
          play_id: playId,
          cto_config: { agents },
          tasks: tasks.map(({ agentHint, ...task }) => ({ ...task, agent_hint: agentHint })),
        };
        expect(parseStartRequest(again)).toEqual(outcome.value);
      }),
      { numRuns: 400 },
    );
  });

  it('have queries, ids and ends that are read or refused without being repeated', () => {
    const value = fc.oneof(planted, fc.string({ unit: 'binary' }), fc.constantFrom('1', '1000', 'active', 'reported'));
    const query = fc.dictionary(fc.constantFrom('limit', 'cursor', 'status', 'state', 'repository'), value);
    fc.assert(
      fc.property(query, value, fc.jsonValue(), (given, id, body) => {
        const request = { query: given, parameters: { play_id: id, id } } as never;
        const parsers = [parseSessionsQuery, parseIncidentsQuery, parsePlayId, parseIncidentId];
        const outcomes = [
          ...parsers.map((parse) => parsed<unknown>(() => parse(request))),
          parsed(() => parseEndStatus(body)),
        ];
        const told = outcomes.flatMap((outcome) => ('text' in outcome ? [outcome.text] : [])).join('');
        expect(PLANTED.filter((secret) => told.includes(secret))).toEqual([]);
      }),
    );
  });
});

describe('the API, asked anything', () => {
  let api: SessionApi;
  let server: Awaited<ReturnType<typeof serveSessionApi>>;
  beforeAll(async () => {
    api = await startSessionApi();
    server = await serveSessionApi(api);
  });
  afterAll(async () => {
    await server.stop();
    await api.stop();
  });

  it('answers as its document says: no 5xx, no echo', async () => {
    const chance = createChance(7);
    for (let i = 0; i < 400; i += 1) {
      const { method, path, headers, body } = toFuzzRequest(chance);
      const sent = { ...headers, authorization: `Bearer ${API_TOKEN}` };
      const response = await fetch(`${server.url}${path}`, { method, headers: sent, body: body as string | undefined });
      const answer = await response.text();
      expect(response.status).toBeLessThan(500);
      if (response.status >= 400) expect(PLANTED.filter((secret) => answer.includes(secret))).toEqual([]);
    }
    expect(server.faults).toEqual([]);
  });
});
