import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeers } from '#lib/local/demo/peers.ts';
import { packageService } from '#lib/local/package-service.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';

/** In the place of a function that works on a queue: everything is done. */
const idle = { '': () => ({ batchItemFailures: [] }) };

/**
 * The packaged service on the local stack, for what asks the API only: without the stage's throttle, and without the
 * detection that each start asks for.
 */
export async function startOwnStack(): Promise<LocalStack> {
  const { directory } = await packageService(join(import.meta.dirname, '..'));
  const peers = await startPeers('acme/*');
  const runDirectory = mkdtempSync(join(tmpdir(), 'healer-script-'));
  const replacements = { detect: idle };
  const options = {
    packageDirectory: directory,
    runDirectory,
    throttle: false,
    replacements,
    makeToken: makeRunnerToken,
  };
  const stack = await startStack({ ...options, ...peers.settings });
  const stop = async () => {
    await Promise.all([stack.stop(), peers.stop()]);
    rmSync(runDirectory, { recursive: true, force: true });
  };
  return { ...stack, stop };
}
