import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeers } from '#lib/local/demo/peers.ts';
import { playOut } from '#lib/local/demo/play-out.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { packageService } from './template/package-service.ts';

/**
 * The packaged service on the local stack, after one play of the demo of `npm start`: one with a misspelt tool, whose
 * incident is diagnosed and whose issue is filed.
 */
export async function startDemoStack(): Promise<LocalStack> {
  const [{ dir }, peers] = await Promise.all([packageService(), startPeers('acme/*')]);
  const runDirectory = mkdtempSync(join(tmpdir(), 'healer-test-'));
  const stack = await startStack({
    packageDirectory: dir,
    runDirectory,
    makeToken: makeRunnerToken,
    ...peers.settings,
  });
  const stop = async () => {
    await Promise.all([stack.stop(), peers.stop()]);
    rmSync(runDirectory, { recursive: true, force: true });
  };
  try {
    await playOut(stack, peers, misspeltToolPlay, () => {});
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...stack, stop };
}
