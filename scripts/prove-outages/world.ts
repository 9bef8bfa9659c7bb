import { rmSync } from 'node:fs';
import { incidentId } from '#lib/domain/incident/identity.ts';
import { CTO_CONFIG } from '#lib/local/demo/peers.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import type { StackOptions } from '#lib/local/stack-options.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { type EffectWatch, effectOf, type Kill, type SeenEffect, watchEffects, watchFinder } from './effects.ts';
import { type Fate, type PassingRequest, type Proxy, startProxy } from './proxy.ts';
import { PEERS, type Peer, type Run } from './runs.ts';

/** A running stack with peers that can fail for each run by itself. */
export interface World {
  readonly stack: LocalStack;
  readonly loki: EmbeddedLoki;
  readonly github: EmbeddedGitHub;
  readonly kubernetes: EmbeddedKubernetes;
  /** By name of the run. */
  readonly watches: ReadonlyMap<string, EffectWatch>;
  /** Switches all outages on or off. */
  setOutages(isOn: boolean): void;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly packageDirectory: string;
  readonly runDirectory: string;
  readonly runs: readonly Run[];
  /** Of the plays' incidents, by which the effects of a run are known. */
  readonly fingerprints: readonly string[];
  /** Told the body of each request to tables and queues. */
  readonly hear?: (body: string) => void;
  /** Where critical incidents are told of; absent: nowhere. */
  readonly notifyUrl?: string;
}

const PREFIX = '/healer/local';

export async function startWorld(options: WorldOptions): Promise<World> {
  const { runs, fingerprints } = options;
  const watches = new Map(runs.map((run) => [run.name, watchEffects(tokensOf(run, fingerprints), run.kill)]));
  const find = watchFinder([...watches.values()]);
  const switches: Switches = { isOut: false, kill: async () => {} };
  const peers = await startPeers(runs);
  const between = { runs, watches, find, switches };
  const proxies = await Promise.all(
    PEERS.map((peer) => startProxy(peers[peer].url, (request) => fateOf(peer, between, request))),
  );
  const stack = await startStack(toStackOptions(options, peers, proxies, (effect) => find(effect)?.see(effect)));
  switches.kill = (worker) => stack.kill('publish', worker);
  return {
    stack,
    ...peers,
    watches,
    setOutages: (isOn) => {
      switches.isOut = isOn;
    },
    stop: async () => {
      await stack.stop();
      await Promise.all([...proxies, ...Object.values(peers)].map((peer) => peer.stop()));
      rmSync(options.runDirectory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type See = (effect: SeenEffect) => Kill['when'] | undefined;

interface Switches {
  isOut: boolean;
  /** Ends a worker that writes on GitHub. */
  kill: (worker: string | undefined) => Promise<void>;
}

interface Between {
  readonly runs: readonly Run[];
  readonly watches: World['watches'];
  readonly find: (effect: SeenEffect) => EffectWatch | undefined;
  readonly switches: Switches;
}

/** An outage meets the requests of its own run only; writes on GitHub are effects of `publish`. */
function fateOf(peer: Peer, { runs, watches, find, switches }: Between, request: PassingRequest): Fate {
  const text = `${decodeURIComponent(request.path)} ${request.body}`;
  const met = runs.find(({ outage, place }) => outage?.peer === peer && isOf(text, place));
  const isMet = switches.isOut && met !== undefined && isReached(met, watches.get(met.name), request);
  const outage = isMet ? met.outage?.mode : undefined;
  if (peer !== 'github' || !isWrite(request)) return { outage };
  const label = `${request.method} ${shapeOf(request.path)}`;
  const effect = { function: 'publish', worker: undefined, label, text };
  const watch = find(effect);
  const when = watch?.see(effect);
  return { outage, kill: when && { when, die: () => switches.kill(watch?.workerOf('publish')) } };
}

/** The message that asks for evidence says that something was found. */
const FOUND = 'SendMessage evidence';

function isReached({ outage }: Run, watch: EffectWatch | undefined, request: PassingRequest): boolean {
  if (outage?.reach === 'writes') return isWrite(request);
  return outage?.reach === 'all requests' || (watch?.effects.some(({ label }) => label === FOUND) ?? false);
}

async function startPeers(runs: readonly Run[]): Promise<Pick<World, Peer>> {
  const repositories = runs.map(({ place }) => ({
    name: place.repository,
    isPrivate: true,
    files: { 'cto-config.json': CTO_CONFIG },
  }));
  const [loki, github, kubernetes] = await Promise.all([startLoki(), startGitHub({ repositories }), startKubernetes()]);
  return { loki, github, kubernetes };
}

function toStackOptions(
  { packageDirectory, runDirectory, hear, notifyUrl }: WorldOptions,
  { github, kubernetes }: Pick<World, Peer>,
  proxies: readonly Proxy[],
  see: See,
): StackOptions {
  return {
    packageDirectory,
    runDirectory,
    throttle: false,
    makeToken: makeRunnerToken,
    interrupt: (call) => {
      hear?.(call.body);
      const effect = effectOf(call);
      return effect && see(effect);
    },
    overrides: {
      ALLOWED_REPOSITORIES: 'acme/*',
      SECRETS_PREFIX: PREFIX,
      LOKI_LONGEST_PAUSE_SECONDS: '0',
      ...Object.fromEntries(PEERS.map((peer, i) => [URL_OF[peer], proxies[i]?.url ?? ''])),
      ...(notifyUrl !== undefined && { NOTIFY_WEBHOOK: 'secret' }),
    },
    secrets: {
      [`${PREFIX}/github-app-id`]: github.appId,
      [`${PREFIX}/github-app-key`]: github.privateKey,
      [`${PREFIX}/kubernetes-token`]: kubernetes.token,
      ...(notifyUrl !== undefined && { [`${PREFIX}/notify-webhook`]: notifyUrl }),
    },
  };
}

const URL_OF: Readonly<Record<Peer, string>> = {
  loki: 'LOKI_URL',
  github: 'GITHUB_API_URL',
  kubernetes: 'KUBE_URL',
};

/** Words end where the name ends: `kill-1` is no part of `kill-11`. */
const tokensOf = ({ place }: Run, fingerprints: readonly string[]): readonly string[] => [
  `"${place.namespace}"`,
  `#${place.namespace}"`,
  `${place.playId}"`,
  `/repos/${place.repository}/`,
  ...fingerprints.map((fingerprint) => incidentId(place.repository, fingerprint)),
];

const isOf = (text: string, { namespace, repository, playId }: Run['place']): boolean =>
  [`"${namespace}"`, `/${namespace}/`, `/repos/${repository}/`, `/repos/${repository} `, playId].some((token) =>
    text.includes(token),
  );

const isWrite = ({ method, path }: PassingRequest): boolean => method !== 'GET' && path.startsWith('/repos/');

const shapeOf = (path: string): string =>
  (path.split('?')[0] ?? '')
    .split('/')
    .slice(4)
    .map((part) => (/^\d+$/.test(part) ? 'N' : part))
    .join('/');
