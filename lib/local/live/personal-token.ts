import * as z from 'zod';
import { parseTarget, toGranted, toRefused } from '#lib/adapters/github/broker-wire.ts';
import { githubClient, type OutgoingRequest } from '#lib/adapters/github/github-client.ts';
import { toGitHubError } from '#lib/adapters/github/github-error.ts';
import { hasStatus, parseAnswer } from '#lib/adapters/github/target-session.ts';
import { mintToken, toPermissionSet } from '#lib/app/mint-token.ts';
import type { AppTokens, Clock } from '#lib/app/ports.ts';
import { GuardError, SourceError } from '#lib/domain/errors.ts';
import type { AllowList } from '#lib/domain/session/allow-list.ts';
import { MILLIS_PER_HOUR } from '#lib/domain/time.ts';
import type { Replacement } from '../functions.ts';

const User = z.object({ login: z.string().min(1) });

/** Under this login a workflow's own token writes; it may not ask who it is. */
const WORKFLOW_AUTHOR = 'github-actions[bot]';

const ADVICE = 'Set GITHUB_TOKEN to a token that is valid and may read contents and write issues of the repository.';

function guard({ method, path }: OutgoingRequest): void {
  if (method !== 'GET' || path !== '/user') throw new GuardError('allow-list', 'the runner asks for the user alone');
}

interface TokenPlace {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
}

/** One token of a person or a workflow in the place of the App's: its rights are what it was given, for all targets. */
function personalTokens({ token, apiUrl, clock }: TokenPlace): AppTokens {
  const octokit = githubClient({ apiUrl, auth: token, guard });
  let known: string | undefined;
  const findAuthor = async (): Promise<string> => {
    try {
      return parseAnswer(User, (await octokit.request('GET /user')).data).login;
    } catch (error) {
      if (hasStatus(error, 403)) return WORKFLOW_AUTHOR;
      const fault = toGitHubError(error, 'signing in with GITHUB_TOKEN', clock);
      if (!(fault instanceof SourceError) || fault.status !== 401) throw fault;
      throw new SourceError({ ...toFields(fault), advice: ADVICE });
    }
  };
  return {
    mint: async () => {
      known ??= await findAuthor();
      return { token, expiresAt: clock.now() + MILLIS_PER_HOUR, installationId: 'personal-token', author: known };
    },
  };
}

const toFields = ({ source, message, retryable, status }: SourceError) => ({ source, message, retryable, status });

/**
 * Answers the broker's aliases with one token, in the broker's own words: each repository has to be on the allow list, and
 * a refusal says why.
 */
export function brokerReplacements(place: TokenPlace & { readonly allowed: AllowList }) {
  const mint = mintToken({ allowed: place.allowed, app: personalTokens(place) });
  const answer: Replacement = async (event, arn) => {
    try {
      return toGranted(await mint(parseTarget(event), toPermissionSet(arn)));
    } catch (error) {
      return toRefused(error);
    }
  };
  return { 'github-token': { read: answer, write: answer } };
}
