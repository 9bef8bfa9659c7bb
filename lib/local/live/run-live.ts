import { once } from 'node:events';
import { join } from 'node:path';
import type { RunOptions } from '../options.ts';
import type { RunDirectory } from '../run-directory.ts';
import { timed } from '../stages.ts';
import { onFileKey } from './keys.ts';
import { toText } from './print-write.ts';
import type { LiveSettings } from './settings.ts';
import { type Live, startLive } from './start-live.ts';
import { watch } from './watch.ts';

export interface LiveRun {
  readonly settings: LiveSettings;
  readonly options: Pick<RunOptions, 'port' | 'file'>;
  readonly packageDirectory: string;
  readonly place: RunDirectory;
  readonly isEnding: AbortSignal;
}

/** Serves on real peers until a signal: a dry run, until the key `f` or `--file` lets writes through. */
export async function runLive({ settings, options, packageDirectory, place, isEnding }: LiveRun): Promise<void> {
  const live = await timed('stack up', () =>
    startLive({
      settings,
      packageDirectory,
      runDirectory: place.path,
      keep: true,
      port: options.port,
      isFiling: options.file,
      onWrite: (write) => console.log(`\n${toText(write)}\n`),
    }),
  );
  const endWatch = watch(live.stack, (line) => console.log(line));
  let filing = Promise.resolve();
  const endKeys = onFileKey(process.stdin, () => {
    filing = file(live);
  });
  try {
    console.log(invitation(settings, live, place));
    if (!isEnding.aborted) await once(isEnding, 'abort');
  } finally {
    endKeys();
    endWatch();
    await filing;
    await live.stop();
  }
}

async function file(live: Live): Promise<void> {
  if (live.isFiling()) return;
  try {
    console.log(`Filing is on; incidents that were held: ${await live.startFiling()}.`);
  } catch (error) {
    console.error(`Filing is on, but what was held waits: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invitation({ peers, overrides }: LiveSettings, live: Live, place: RunDirectory): string {
  const url = `http://localhost:${live.stack.port}`;
  const mode = live.isFiling()
    ? 'Filing: issues and draft pull requests are written on GitHub.'
    : 'Dry run: what would be written on GitHub is printed here and held. Press f to file it.';
  return `
${peers.map((peer) => `  ${peer}`).join('\n')}
  Plays of    ${overrides['ALLOWED_REPOSITORIES']}

${mode}
Announce a play at ${url} (POST /api/v1/session/start). Ctrl-C ends it.

State and logs: ${place.path}, ${join(place.path, 'logs')}
`;
}
