import { type LocalStack, startStack } from '../stack.ts';
import type { StackOptions } from '../stack-options.ts';
import { makeRunnerToken } from '../token.ts';
import { type DryRunGitHub, startDryRunGitHub, type Write } from './dry-run-github.ts';
import { brokerReplacements } from './personal-token.ts';
import { releaseHeld } from './release-held.ts';
import type { LiveSettings } from './settings.ts';

export interface LiveOptions extends Pick<StackOptions, 'packageDirectory' | 'runDirectory' | 'port' | 'keep'> {
  readonly settings: LiveSettings;
  /** Files from the start; otherwise writes are held. */
  readonly isFiling: boolean;
  readonly onWrite: (write: Write) => void;
}

/** The stack on real peers. */
export interface Live {
  readonly stack: LocalStack;
  readonly isFiling: () => boolean;
  /** Lets writes through from here on, and files what was held. Resolves to the number of incidents that were held. */
  startFiling(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the packaged service on real peers; GitHub stands behind a front that holds writes until they are wanted. */
export async function startLive({ settings, isFiling, onWrite, ...place }: LiveOptions): Promise<Live> {
  const front = await startDryRunGitHub({ apiUrl: settings.githubApiUrl, isFiling, onWrite });
  try {
    const stack = await startStack({ ...place, ...toStackOptions(settings, front), makeToken: makeRunnerToken });
    if (isFiling) await releaseHeld(stack);
    return {
      stack,
      isFiling: front.isFiling,
      async startFiling() {
        front.startFiling();
        return releaseHeld(stack);
      },
      async stop() {
        await stack.stop();
        await front.stop();
      },
    };
  } catch (error) {
    await front.stop();
    throw error;
  }
}

function toStackOptions(settings: LiveSettings, front: DryRunGitHub): Partial<StackOptions> {
  const { overrides, secrets, githubToken, githubApiUrl, allowed } = settings;
  const clock = { now: () => Date.now() };
  return {
    overrides: { ...overrides, GITHUB_API_URL: front.url },
    secrets,
    ...(githubToken !== undefined && {
      replacements: brokerReplacements({ token: githubToken, apiUrl: githubApiUrl, clock, allowed }),
    }),
  };
}
