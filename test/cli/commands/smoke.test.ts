import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { tokenStore } from '#lib/adapters/dynamodb/token-store.ts';
import { systemRandom } from '#lib/adapters/system/ids.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { toIso } from '#lib/domain/time.ts';
import { type AwsPeer, awsFault, ok, startAwsPeer } from '#test/support/aws-peer.ts';
import { cli, startCli } from '#test/support/cli.ts';
import { startTestTables, type TestTables } from '#test/support/dynalite.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';
import { aStageFolder } from '#test/support/stage-folder.ts';

const SWEEP_LOG = '/aws/lambda/healer-test-sweep';

/** The session API, as far as a caller sees one session. */
interface Api {
  session: Record<string, unknown> | null;
  coverage: Record<string, unknown>;
  /** Status that a path is refused with. */
  refuse: Map<string, number>;
  tokens: Set<string>;
}

let api: Api;
let peer: HttpPeer;
let aws: AwsPeer;
let tables: TestTables;
let tokens: TokenStore;
let place: ReturnType<typeof aStageFolder>;
/** Lines of the sweep's log; a moment before the start is not asked for. */
let sweeps: string[];
let schedule: string;
/** What `detect` answers to a probe; undefined: it may not be asked. */
let sight: object | undefined;

beforeAll(async () => {
  tables = await startTestTables();
  tokens = tokenStore({ client: toDocumentClient(), table: tables.tables.Tokens }, systemRandom);
});
afterAll(() => tables.stop());

function answer(method: string, path: string, body: string): [number, object] {
  const [name = ''] = path.split('?');
  const refusal = api.refuse.get(`${method} ${name.replace(/healer-smoke-\w+/, 'PLAY')}`);
  if (refusal !== undefined) return [refusal, { message: 'It is refused here.' }];
  if (name === '/health') return [200, { version: '1.2.3' }];
  if (name === '/api/v1/session/start') {
    api.session = { ...(JSON.parse(body) as object), status: 'active' };
    return [200, { status: 'ok' }];
  }
  if (api.session === null) return [404, { message: 'There is no such session.' }];
  if (name === '/api/v1/sessions/active') return [200, { sessions: [api.session] }];
  if (name.endsWith('/end')) {
    api.session = { ...api.session, status: (JSON.parse(body) as { status: string }).status };
    return [200, { session: api.session }];
  }
  return [200, { session: api.session, healer: { coverage: { read: { lines: 7 }, ...api.coverage } } }];
}

beforeEach(async () => {
  const proven = { state: 'pending', proven_until: toIso(Date.now() + 60_000), reason: null, advice: null };
  api = { session: null, coverage: proven, refuse: new Map(), tokens: new Set() };
  sweeps = ['START', '{"message":"pass finished","result":{"active":3}}'];
  schedule = 'ENABLED';
  sight = undefined;
  place = aStageFolder({}, 'test');
  peer = await aHttpPeer((response, { method, path, headers, body }) => {
    if (headers.authorization !== undefined) api.tokens.add(headers.authorization);
    const [status, reply] = answer(method, path, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  aws = await startAwsPeer({
    DescribeStacks: () =>
      ok(
        `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>healer-test</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>HttpApiUrl</OutputKey><OutputValue>${peer.url}/</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      ),
    ListStackResources: () =>
      ok(
        '<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries><member><ResourceType>AWS::Scheduler::Schedule</ResourceType><PhysicalResourceId>sweep</PhysicalResourceId></member></StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>',
      ),
    'GET /schedules/sweep': () => ok({ State: schedule }),
    'POST /2015-03-31/functions/healer-test-detect/invocations': (request) => {
      expect(request).toEqual({ healer: 'probe', namespaces: ['cto'] });
      return sight === undefined ? awsFault('AccessDeniedException') : ok(sight);
    },
    'Logs_20140328.FilterLogEvents': ({ logGroupName, startTime }) => {
      expect(logGroupName).toBe(SWEEP_LOG);
      return ok({ events: sweeps.map((message) => ({ message, timestamp: Number(startTime) + 20_000 })) });
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', tables.endpoint);
});
afterEach(async () => {
  place.remove();
  await Promise.all([peer.stop(), aws.stop()]);
});

const words = (...args: string[]) => ['smoke', '--stage', 'test', '--folder', place.folder, ...args];
const live = async () => (await tokens.list()).filter(({ revokedAt }) => revokedAt === null);

describe('healer smoke', () => {
  it('sees a marked play through, a line a step, and gives back what it made', async () => {
    const { code, stdout, stderr } = await cli(words());
    expect([code, stderr]).toEqual([0, '']);
    const steps = stdout.split('\n').flatMap((line) => /^ +[\d.]+ s  ok      (\w+(?: \w+)?)/.exec(line)?.[1] ?? []);
    expect(steps).toEqual([
      'token',
      'switched on',
      'reachable',
      'started',
      'seen',
      'read',
      'swept',
      'ended',
      'cleaned up',
    ]);
    expect(stdout).toContain('version 1.2.3');
    expect(stdout).toContain('the schedule ran the sweep 20 s after the start; it saw 3 active');
    expect(stdout).toMatch(/Stage test works\.\n$/);
    const play = /healer-smoke-[0-9a-f]{8}/.exec(stdout)?.[0];
    expect(api.session).toMatchObject({
      play_id: play,
      repository: 'acme/healer-smoke',
      namespace: 'cto',
      status: 'completed',
    });
    expect(api.tokens.size).toBe(1);
    expect(await live()).toEqual([]);
    expect(stdout).not.toContain([...api.tokens][0]?.replace('Bearer ', ''));
  });

  describe('where no line was read', () => {
    const looked = (logs: object) => ({
      at: 0,
      cluster: null,
      logs: {
        trouble: null,
        tenant: null,
        labels: [],
        unknownLabels: [],
        knownNamespaces: [],
        namespaces: [],
        hasPodLabel: null,
        ...logs,
      },
    });
    const read = async () => {
      api.coverage = { ...api.coverage, read: { lines: 0 } };
      const { code, stdout } = await cli(words());
      expect(code).toBe(0);
      return { stdout, told: /ok +read .*\n(?: {18}.*\n)*/.exec(stdout)?.[0] ?? '' };
    };

    it('says that it proves the sweep and not reading when the selector matches no stream', async () => {
      sight = looked({ namespaces: [{ name: 'cto', isMatched: false }] });
      const { stdout, told } = await read();
      expect(told).toContain('0 lines; the selector matches no stream of cto (last 24 hours)');
      expect(told).toContain('proves that Loki answers and the sweep runs, not that logs are read');
      expect(told).toContain('--namespace');
      expect(stdout).toMatch(/Stage test works, as far as this could prove it\.\n$/);
    });

    it('has nothing to add when it matches one that is silent', async () => {
      sight = looked({ namespaces: [{ name: 'cto', isMatched: true }] });
      const { stdout, told } = await read();
      expect(told.trimEnd()).toMatch(/0 lines$/);
      expect(stdout).toMatch(/Stage test works\.\n$/);
    });

    it.each([
      ['Loki answered 429.', looked({ trouble: { reason: 'Loki answered 429.', advice: 'Wait.' } })],
      ['lambda:InvokeFunction', undefined],
    ])('says that it is not known whether there is one: %s', async (reason, answered) => {
      sight = answered;
      const { told } = await read();
      expect(told).toMatch(/Whether cto holds a stream .* is not known: /);
      expect(told).toContain(reason.replace(/\.$/, ''));
      expect(told).not.toContain('..');
    });
  });

  it('tells the same as JSON', async () => {
    const { code, stdout } = await cli(words('--json', '--repository', 'acme/shop', '--namespace', 'plays'));
    expect(code).toBe(0);
    const told = JSON.parse(stdout) as { steps: { step: string; ok: boolean; advice: string | null }[] };
    expect(told).toMatchObject({ stage: 'test', ok: true, play_id: expect.stringMatching(/^healer-smoke-/) });
    expect(told.steps.every(({ ok: isOk, advice }) => isOk && advice === null)).toBe(true);
    expect(api.session).toMatchObject({ repository: 'acme/shop', namespace: 'plays' });
  });

  it('speaks with the token of the caller and to the address that it is told', async () => {
    const before = (await tokens.list()).length;
    const { code } = await cli(words('--url', peer.url), { HEALER_TOKEN: 'hlr_own' });
    expect(code).toBe(0);
    expect([...api.tokens]).toEqual(['Bearer hlr_own']);
    expect(await tokens.list()).toHaveLength(before);
    expect(aws.names()).not.toContain('DescribeStacks');
  });

  it('names the address at which nobody answers, and why', async () => {
    const { code, stdout } = await cli(words('--json', '--url', 'http://127.0.0.1:9'));
    expect(code).toBe(1);
    const { steps } = JSON.parse(stdout) as { steps: { step: string; ok: boolean; seen: string }[] };
    const seen = steps.find(({ ok }) => !ok)?.seen;
    expect(seen).toMatch(/^nobody answers at http:\/\/127\.0\.0\.1:9 \(.+\): compare it with HEALER_URL or --url$/);
  });

  it.each([
    ['GET /health', 500, 'reachable', '/health answered 500', 'The log of session-read'],
    ['POST /api/v1/session/start', 403, 'started', 'It is refused here.', 'one of its repositories'],
    ['GET /api/v1/session/PLAY', 403, 'seen', 'It is refused here.', 'healer doctor --stage test'],
    ['POST /api/v1/session/PLAY/end', 400, 'ended', 'It is refused here.', 'session-write'],
  ])('stops where %s answers %i, says what to do, and cleans up', async (path, status, step, seen, advice) => {
    api.refuse.set(path, status);
    const { code, stdout } = await cli(words('--json'));
    expect(code).toBe(1);
    const { steps } = JSON.parse(stdout) as { steps: { step: string; ok: boolean; seen: string; advice: string }[] };
    const failed = steps.filter((one) => !one.ok);
    expect(failed[0]).toMatchObject({
      step,
      seen: expect.stringContaining(seen),
      advice: expect.stringContaining(advice),
    });
    expect(steps.at(-1)?.step).toBe('cleaned up');
    if (step !== 'ended') expect(api.session?.['status'] ?? 'cancelled').toBe('cancelled');
    expect(await live()).toEqual([]);
  });

  it('says that the stage is paused, and announces nothing', async () => {
    schedule = 'DISABLED';
    const { code, stdout } = await cli(words());
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED  switched on  the stage is paused: sweep\n +npx healer resume --stage test/);
    expect(stdout).toMatch(/Stage test does not work\.\n$/);
    expect(api.session).toBeNull();
    expect(await live()).toEqual([]);
  });

  it('ends what it began when a person ends it', async () => {
    api.coverage = {
      ...api.coverage,
      proven_until: null,
      state: 'blind',
      reason: 'Loki is away.',
      advice: 'Look at Loki.',
    };
    const run = startCli(words());
    await vi.waitFor(() => expect(run.stdout()).toContain('ok      seen'), { timeout: 10_000 });
    run.interrupt();
    expect(await run.code).toBe(1);
    expect(run.stdout()).toMatch(/FAILED  read/);
    expect(api.session).toMatchObject({ status: 'cancelled' });
    expect(await live()).toEqual([]);
  });

  it.each([
    [['--repository', 'no repository'], 'repository'],
    [['later'], 'later'],
    [['--url', 'not a url'], 'The address of Healer must be'],
  ])('says of %j what would be right', async (args, sentence) => {
    const { code, stdout, stderr } = await cli(words(...args));
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain(sentence);
    expect([api.session, await live()]).toEqual([null, []]);
  });

  it('asks for a repository where no file names one, and for a token where it can make none', async () => {
    const elsewhere = await cli(['smoke', '--stage', 'other', '--folder', place.folder]);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain('--repository owner/name');
    place.remove();
    place = aStageFolder({ api: { authorization: 'iam' } }, 'test');
    expect((await cli(words())).stderr).toContain('signed requests (iam)');
    place.remove();
    place = aStageFolder(
      { api: { authorization: 'jwt', jwt: { issuer: 'https://idp.example.com', audience: 'healer' } } },
      'test',
    );
    expect((await cli(words())).stderr).toContain('HEALER_TOKEN');
  });
});
