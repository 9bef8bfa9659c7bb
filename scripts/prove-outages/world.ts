import { rmSync } from 'node:fs';
import { incidentId } from '#lib/domain/incident/identity.ts';
import { CTO_CONFIG } from '#lib/local/demo/peers.ts';
import { type EmbeddedGitHub, startGitHub } from '#lib/local/github/start-github.ts';
import { type EmbeddedKubernetes, startKubernetes } from '#lib/local/kubernetes/server.ts';
import { type EmbeddedLoki, startLoki } from '#lib/local/loki/server.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { type EffectWatch, effectOf, watchEffects } from './effects.ts';
import { type PassingRequest, startProxy } from './proxy.ts';
import type { Peer, Run } from './runs.ts';

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
}

const PREFIX = '/healer/local';

export async function startWorld(options: WorldOptions): Promise<World> {
  const { packageDirectory, runDirectory, runs, fingerprints } = options;
  const watches = new Map(runs.map((run) => [run.name, watchEffects(tokensOf(run, fingerprints), run.kill)]));
  let isOut = false;
  let stack: LocalStack | undefined;
  const seeAll = (effect: NonNullable<ReturnType<typeof effectOf>>) => {
    const deaths = [...watches.values()].map((watch) => watch.see(effect));
    return deaths.find((death) => death !== undefined);
  };
  const fateOf = (peer: Peer) => (request: PassingRequest) => {
    const text = `${decodeURIComponent(request.path)} ${request.body}`;
    const met = runs.find(({ outage, place }) => outage?.peer === peer && isOf(text, place));
    const outage = isOut ? met?.outage?.mode : undefined;
    if (peer !== 'github' || !isWrite(request)) return { outage };
    const when = seeAll({ function: 'publish', label: `${request.method} ${shapeOf(request.path)}`, text });
    return { outage, kill: when && { when, die: async () => stack?.kill('publish') } };
  };
  const repositories = runs.map(({ place }) => ({
    name: place.repository,
    isPrivate: true,
    files: { 'cto-config.json': CTO_CONFIG },
  }));
  const [loki, github, kubernetes] = await Promise.all([startLoki(), startGitHub({ repositories }), startKubernetes()]);
  const proxies = await Promise.all([
    startProxy(loki.url, fateOf('loki')),
    startProxy(github.url, fateOf('github')),
    startProxy(kubernetes.url, fateOf('kubernetes')),
  ]);
  stack = await startStack({
    packageDirectory,
    runDirectory,
    throttle: false,
    makeToken: makeRunnerToken,
    interrupt: (call) => {
      options.hear?.(call.body);
      const effect = effectOf(call);
      return effect && seeAll(effect);
    },
    overrides: {
      ALLOWED_REPOSITORIES: 'acme/*',
      LOKI_URL: proxies[0].url,
      GITHUB_API_URL: proxies[1].url,
      KUBE_URL: proxies[2].url,
      SECRETS_PREFIX: PREFIX,
    },
    secrets: {
      [`${PREFIX}/github-app-id`]: github.appId,
      [`${PREFIX}/github-app-key`]: github.privateKey,
      [`${PREFIX}/kubernetes-token`]: kubernetes.token,
    },
  });
  const running = stack;
  return {
    stack,
    loki,
    github,
    kubernetes,
    watches,
    setOutages: (isOn) => {
      isOut = isOn;
    },
    stop: async () => {
      await running.stop();
      await Promise.all([...proxies, loki, github, kubernetes].map((peer) => peer.stop()));
      rmSync(runDirectory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Words end where the name ends: `kill-1` is no part of `kill-11`. */
const tokensOf = ({ place }: Run, fingerprints: readonly string[]): readonly string[] => [
  `${place.namespace}"`,
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
