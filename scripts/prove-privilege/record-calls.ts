import type { Call } from '#lib/local/aws/calls.ts';
import { type Peers, startPeers } from '#lib/local/demo/peers.ts';
import type { DemoPlay } from '#lib/local/demo/play.ts';
import { playOut } from '#lib/local/demo/play-out.ts';
import { healthyPlay } from '#lib/local/demo/plays/healthy.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import type { StackOptions } from '#lib/local/stack-options.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { panicPlay } from '../prove-deploy/plays.ts';

/** Where the stage `dev`, which is packaged, looks for its secrets: recorded names are those that the roles name. */
const SECRETS_PREFIX = '/healer/dev';
const HOUR_MS = 3_600_000;
/** A port that nobody listens on: the notification fails, and its secret was asked for. */
const NOWHERE = 'https://127.0.0.1:1/';

/** Runs the service through everything that it does, and returns who called what. */
export async function recordCalls(
  packageDirectory: string,
  runDirectory: string,
): Promise<{ calls: readonly Call[]; region: string }> {
  const peers = await startPeers('acme/*');
  try {
    const stack = await startStack({
      packageDirectory,
      runDirectory,
      makeToken: makeRunnerToken,
      ...settingsOf(peers),
    });
    try {
      await playAll(stack, peers);
      await letGoIdle(stack);
      await askForAll(stack);
      return { calls: stack.calls(), region: stack.region };
    } finally {
      await stack.stop();
    }
  } finally {
    await peers.stop();
  }
}

/** A deployment with everything that is optional: signing in at Loki, notifications. */
function settingsOf({ settings, github }: Peers): Pick<StackOptions, 'overrides' | 'secrets'> {
  const { SECRETS_PREFIX: _own, ...overrides } = settings.overrides ?? {};
  return {
    overrides: { ...overrides, LOKI_USER: 'healer' },
    secrets: {
      [`${SECRETS_PREFIX}/github-app-id`]: github.appId,
      [`${SECRETS_PREFIX}/github-app-key`]: github.privateKey,
      [`${SECRETS_PREFIX}/loki-password`]: 'not checked by the embedded Loki',
      [`${SECRETS_PREFIX}/notify-webhook`]: NOWHERE,
    },
  };
}

/** A healthy play, failures of each kind, one of them again under another name, and messages that are lost once. */
async function playAll(stack: LocalStack, peers: Peers): Promise<void> {
  stack.faults.dropOnce = true;
  for (const play of [healthyPlay, misspeltToolPlay, renamed(misspeltToolPlay, 'play-again'), panicPlay]) {
    await playOut(stack, peers, play, () => {});
  }
}

function renamed(play: DemoPlay, id: string): DemoPlay {
  const { play_id: old } = play.announcement;
  return {
    ...play,
    announcement: { ...play.announcement, play_id: id },
    lines: play.lines.map(({ at, pod, line }) => ({ at, pod: pod.replace(old, id), line })),
  };
}

/** A session that is announced twice, and that nobody ends. */
async function letGoIdle(stack: LocalStack): Promise<void> {
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

async function ask(stack: LocalStack, path: string, body?: object): Promise<void> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${stack.url}${path}`, body === undefined ? {} : post);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}
