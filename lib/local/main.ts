// oxlint-disable-next-line import/no-unassigned-import -- `Date` is moved before any other module takes hold of it
import './clock-install.ts';

import { once } from 'node:events';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processClock } from './clock-install.ts';
import { type Peers, startPeers } from './demo/peers.ts';
import { runDemo } from './demo/run-demo.ts';
import { closeServer } from './ground.ts';
import { listenOn } from './http/api.ts';
import type { LiveRun } from './live/run-live.ts';
import { HELP, parseOptions, type RunOptions } from './options.ts';
import { packageService } from './package-service.ts';
import { openFreshDirectory, openKeptDirectory, type RunDirectory } from './run-directory.ts';
import { type LocalStack, startStack } from './stack.ts';
import { timed } from './stages.ts';
import { makeRunnerToken } from './token.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const allowedRepositories = ['acme/*', process.env['ALLOWED_REPOSITORIES'] ?? ''].filter(Boolean).join(',');

/** After a request to end, whatever hangs is left behind. */
const END_WITHIN_MS = 2_000;

/** Packages, starts, plays the stages; then serves until a signal, or ends at once with `--once`. */
async function run(options: RunOptions, isEnding: AbortSignal): Promise<void> {
  const live = options.live ? await openLive() : undefined;
  const port = await probe(options.port);
  const { directory } = await timed(
    'packaged',
    () => packageService(root, isEnding),
    ({ isFresh }) => (isFresh ? undefined : 'sources unchanged since the last time'),
  );
  const place = openPlace(options);
  let isDone = false;
  try {
    if (live) await live({ options: { ...options, port }, packageDirectory: directory, place, isEnding });
    else await serve({ ...options, port }, directory, place, isEnding);
    isDone = true;
  } finally {
    const preserve = !isDone && !isEnding.aborted;
    if (preserve) console.error(`the logs are in ${join(place.path, 'logs')}`);
    place.release({ preserve });
  }
}

/** Real peers tell the real time: their state is kept apart from that of the demo, whose clock has been moved. */
function openPlace({ live, keep }: RunOptions): RunDirectory {
  if (live) return openKeptDirectory(join(root, '.healer', 'live'), processClock);
  return keep ? openKeptDirectory(join(root, '.healer', 'state'), processClock) : openFreshDirectory();
}

/** Reads the environment before anything takes time. @throws ConfigError, InputError for what is missing or wrong */
async function openLive() {
  const [{ readLiveSettings }, { runLive }] = await Promise.all([
    import('./live/settings.ts'),
    import('./live/run-live.ts'),
  ]);
  const settings = readLiveSettings(process.env);
  return (run: Omit<LiveRun, 'settings'>): Promise<void> => runLive({ settings, ...run });
}

async function serve(options: RunOptions, packageDirectory: string, place: RunDirectory, isEnding: AbortSignal) {
  const peers = await timed('peers up', () => startPeers(allowedRepositories, options.port));
  try {
    const stack = await timed('stack up', () =>
      startStack({
        packageDirectory,
        runDirectory: place.path,
        keep: options.keep,
        port: options.port,
        makeToken: makeRunnerToken,
        ...peers.settings,
      }),
    );
    try {
      await tell(stack, peers, options);
      place.saveClock(processClock);
      if (options.once) return;
      printInvitation(stack, place);
      if (!isEnding.aborted) await once(isEnding, 'abort');
    } finally {
      await stack.stop();
    }
  } finally {
    await peers.stop();
  }
}

/** Plays the demo and prints its arrows. */
const tell = (stack: LocalStack, peers: Peers, { faults }: RunOptions): Promise<void> =>
  timed('demo', () => runDemo(stack, peers, { faults, print: (line) => console.log(line) }));

/** Tells a taken port before anything else takes time; 0 becomes a free one, since peers must know it beforehand. */
async function probe(port: number): Promise<number> {
  const server = createServer();
  const taken = await listenOn(server, port);
  await closeServer(server);
  return taken;
}

function printInvitation(stack: LocalStack, place: RunDirectory): void {
  const url = `http://localhost:${stack.port}`;
  console.log(`
The session API listens on ${url}. Ctrl-C ends it.

  curl ${url}/api/v1/sessions/active

Logs: ${join(place.path, 'logs')}
`);
}

async function main(isEnding: AbortSignal): Promise<void> {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(HELP);
  else await run(options, isEnding);
}

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    // A table that is closed amid a request throws where nobody waits; what else is to be closed still is.
    process.on('uncaughtException', () => {});
    ending.abort();
  });
}
main(ending.signal).then(
  () => process.exit(0),
  (error: unknown) => {
    // What an end in the middle of something breaks is no failure.
    if (ending.signal.aborted) process.exit(0);
    console.error(`healer: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
