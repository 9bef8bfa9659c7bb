import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from '#lib/local/aws/calls.ts';
import type { SessionAnswer } from '#lib/local/demo/api.ts';
import { type Peers, startPeers } from '#lib/local/demo/peers.ts';
import type { DemoPlay } from '#lib/local/demo/play.ts';
import { healthyPlay } from '#lib/local/demo/plays/healthy.ts';
import { killedPlay } from '#lib/local/demo/plays/killed.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { refusedKeyPlay } from '#lib/local/demo/plays/refused-key.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import type { StackOptions } from '#lib/local/stack-options.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { pushLine } from '../prove-deploy/play-live.ts';
import { panicPlay } from '../prove-deploy/plays.ts';

/** Where the stage `dev`, which is packaged, looks for its secrets: recorded names are those that the roles name. */
const SECRETS_PREFIX = '/healer/dev';
const HOUR_MS = 3_600_000;
/** By then a play has its issue and its pull request, although each message was lost once. */
const TOLD_MS = 30 * 60_000;
/** A port that nobody listens on: the notification fails, and its secret was asked for. */
const NOWHERE = 'https://127.0.0.1:1/';

const WEBHOOK_SECRET = 'a secret of this run alone';
/** Of the model's two keys. */
const MODEL_KEY = 'not checked by the embedded model';

/** Runs the service through everything that it does, and returns who called what. */
export async function recordCalls(
  packageDirectory: string,
  runDirectory: string,
): Promise<{ calls: readonly Call[]; region: string }> {
  const [peers, model] = [
    await startPeers('acme/*'),
    await startModel({ script: [{ replies: [{ refusal: 'not asked to answer' }] }] }),
  ];
  try {
    const settings = settingsOf(peers, model);
    const stack = await startStack({ packageDirectory, runDirectory, makeToken: makeRunnerToken, ...settings });
    try {
      await playAll(stack, peers);
      await hearOf(stack, 1);
      await letGo(stack, peers);
      await askForAll(stack);
      return { calls: stack.calls(), region: stack.region };
    } finally {
      await stack.stop();
    }
  } finally {
    await Promise.all([peers.stop(), model.stop()]);
  }
}

/** A deployment with everything that is optional: signing in at Loki, notifications, events of GitHub, models. */
function settingsOf({ settings }: Peers, model: EmbeddedModel): Pick<StackOptions, 'overrides' | 'secrets'> {
  const { SECRETS_PREFIX: _own, ...overrides } = settings.overrides ?? {};
  const own = Object.entries(settings.secrets ?? {}).map(
    ([path, value]) => [path.split('/').at(-1) ?? '', value] as const,
  );
  const secrets = [
    ...own,
    ['loki-password', 'not checked by the embedded Loki'],
    ['notify-webhook', NOWHERE],
    ['github-webhook-secret', WEBHOOK_SECRET],
    ['openai-key-evaluation', MODEL_KEY],
    ['openai-key-remediation', MODEL_KEY],
  ] as const;
  const price = { INPUT_USD_PER_MILLION: '1', OUTPUT_USD_PER_MILLION: '1', MODEL: 'embedded' };
  const models = ['EVALUATION', 'REMEDIATION'].flatMap((stage) =>
    Object.entries(price).map(([name, value]) => [`${stage}_${name}`, value] as const),
  );
  return {
    overrides: {
      ...overrides,
      LOKI_USER: 'healer',
      NOTIFY_WEBHOOK: 'secret',
      OPENAI_BASE_URL: model.url,
      ...Object.fromEntries(models),
    },
    secrets: Object.fromEntries(secrets.map(([name, value]) => [`${SECRETS_PREFIX}/${name}`, value])),
  };
}

/** GitHub tells of an issue, signed as it signs. */
async function hearOf(stack: LocalStack, number: number): Promise<void> {
  const body = JSON.stringify({ repository: { full_name: 'acme/widgets' }, issue: { number } });
  const response = await fetch(`${stack.url}/api/v1/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-delivery': randomUUID(),
      'x-github-event': 'issues',
      'x-hub-signature-256': `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
    },
    body,
  });
  if (response.status !== 200) throw new Error(`the webhook answered ${response.status}: ${await response.text()}`);
  await stack.idle();
}

/** A healthy play, failures of each kind, one of them again under another name, and messages that are lost once. */
async function playAll(stack: LocalStack, peers: Peers): Promise<void> {
  stack.faults.dropOnce = true;
  const again = renamed(misspeltToolPlay, 'play-again');
  for (const play of [healthyPlay, misspeltToolPlay, again, killedPlay, refusedKeyPlay, panicPlay]) {
    await playThrough(stack, peers, play);
  }
}

/** Announces a play, lets its pods and its cluster speak at their times, ends it, and waits for what comes of it. */
async function playThrough(stack: LocalStack, peers: Peers, play: DemoPlay): Promise<void> {
  const start = stack.clock.now();
  const { play_id: playId } = play.announcement;
  await ask(stack, '/api/v1/session/start', play.announcement);
  const steps = [
    ...play.lines.map((line) => ({ at: line.at, happen: () => pushLine(peers.loki, line, stack.clock.now()) })),
    ...(play.cluster ?? []).map(({ at, objects }) => ({ at, happen: () => peers.kubernetes.put(...objects(start)) })),
  ];
  for (const { at, happen } of steps.toSorted((one, other) => one.at - other.at)) {
    await stack.advanceTo(start + at * 1000);
    happen();
  }
  await stack.advanceTo(start + play.end.at * 1000);
  await ask(stack, `/api/v1/session/${playId}/end`, { status: play.end.status });
  await stack.advance(TOLD_MS);
  const { healer } = (await ask(stack, `/api/v1/session/${playId}`)) as SessionAnswer;
  for (const { id } of healer.incidents) await ask(stack, `/api/v1/incidents/${id}`);
}

function renamed(play: DemoPlay, id: string): DemoPlay {
  const { play_id: old } = play.announcement;
  return {
    ...play,
    announcement: { ...play.announcement, play_id: id },
    lines: play.lines.map(({ at, pod, line }) => ({ at, pod: pod.replace(old, id), line })),
  };
}

/** A session whose runs have ended in the cluster, and one that is announced twice and that nobody ends. */
async function letGo(stack: LocalStack, peers: Peers): Promise<void> {
  await ask(stack, '/api/v1/session/start', killedPlay.announcement);
  const start = stack.clock.now();
  for (const { objects } of killedPlay.cluster ?? []) {
    await stack.advance(80_000);
    peers.kubernetes.put(...objects(start));
  }
  await stack.advance(10 * 60_000);
  const body = { ...healthyPlay.announcement, play_id: 'play-that-nobody-ends' };
  await ask(stack, '/api/v1/session/start', body);
  await ask(stack, '/api/v1/session/start', body);
  await stack.advance(7 * HOUR_MS);
}

const PATHS = [
  '/api/v1/sessions',
  '/api/v1/sessions?status=completed',
  '/api/v1/sessions?repository=acme/widgets',
  '/api/v1/incidents',
  '/api/v1/incidents?state=reported',
  '/api/v1/incidents?repository=acme/widgets',
];

async function askForAll(stack: LocalStack): Promise<void> {
  for (const path of PATHS) await ask(stack, path);
}

async function ask(stack: LocalStack, path: string, body?: object): Promise<unknown> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${stack.url}${path}`, body === undefined ? {} : post);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
