import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPeers } from '#lib/local/demo/peers.ts';
import { runDemo } from '#lib/local/demo/run-demo.ts';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import { makeRunnerToken } from '#lib/local/token.ts';
import { packageService } from './template/package-service.ts';

/**
 * The packaged service on the local stack, after the demo of `npm start`: a healthy play, and one with an incident whose
 * issue is filed.
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
    await runDemo(stack, peers, { faults: [], print: () => {} });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...stack, stop };
}
