import { afterEach, describe, expect, it } from 'vitest';
import { cli } from '#test/support/cli.ts';
import { aHttpPeer, type HttpPeer } from '#test/support/http-peer.ts';

let peer: HttpPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

const ATTRIBUTION = {
  rules: [
    { rule: 'play-label', pods: 1, lines: 1 },
    { rule: 'pod-name', pods: 2, lines: 40 },
  ],
  unclaimed: { count: 3, pods: ['shop-a', '\u001B[31mshop-b'] },
  advice: null as string | null,
};

async function aHealer(attribution = ATTRIBUTION, status = 200) {
  const session = { play_id: 'play-1', namespace: 'cto' };
  const body =
    status === 200 ? { session, healer: { attribution } } : { status: 'error', message: 'No session play-1.' };
  peer = await aHttpPeer((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
  return { HEALER_URL: peer.url, HEALER_TOKEN: 'hlr_x' };
}

const explain = async (env: Record<string, string>, ...args: string[]) => cli(['explain-attribution', ...args], env);

describe('healer explain-attribution', () => {
  it('says which rule claimed what, and what nobody claimed', async () => {
    const { code, stdout } = await explain(await aHealer(), 'play-1');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'Play play-1 in namespace cto',
      '',
      'play-label    1 pod, 1 line',
      'pod-name      2 pods, 40 lines',
      '',
      '3 pods of the namespace belong to no session:',
      '  shop-a',
      '  [31mshop-b',
      '  and 1 more',
      '',
    ]);
    expect(peer?.asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/session/play-1' });
    expect(peer?.asked[0]?.headers.authorization).toBe('Bearer hlr_x');
  });

  it('passes advice on when no rule claimed anything', async () => {
    const env = await aHealer({ ...ATTRIBUTION, rules: [], advice: 'Give the pods a label.' });
    const { stdout } = await explain(env, 'play-1');
    expect(stdout).toContain('No rule has claimed a pod for it yet.');
    expect(stdout).toContain('Give the pods a label.');
  });

  it('prints JSON', async () => {
    const { stdout } = await explain(await aHealer(), 'play-1', '--json');
    expect(JSON.parse(stdout)).toEqual(ATTRIBUTION);
  });

  it('says what Healer said when there is no such play', async () => {
    const { code, stderr } = await explain(await aHealer(ATTRIBUTION, 404), 'play-1');
    expect(code).toBe(1);
    expect(stderr).toContain('No session play-1.');
  });

  it.each([[[]], [['a', 'b']]])('wants one play, not %j', async (args) => {
    expect((await explain({}, ...args)).code).toBe(2);
  });
});
