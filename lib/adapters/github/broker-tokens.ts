import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Clock, RepositoryToken } from '#lib/app/ports.ts';
import { HealerError, SourceError } from '#lib/domain/errors.ts';
import { faultName, faultStatus, isPassing } from '../secrets/aws-fault.ts';
import { BrokerAnswer } from './broker-wire.ts';
import type { TokenSource } from './token-source.ts';

/** A token is replaced this long before it ends, so that none ends amid a piece of work. */
const MARGIN_MS = 5 * 60_000;
const TIMEOUT_MS = 15_000;

const fault = (message: string, retryable: boolean, advice: string, status?: number): SourceError =>
  new SourceError({ source: 'github-token', message, retryable, advice, status });

/** @throws SourceError as the broker meant it; the payload itself, which may hold a token, is never in a message. */
function toToken(answer: InvokeCommandOutput): RepositoryToken {
  const look = 'See the log of the function github-token.';
  if (answer.FunctionError !== undefined) throw fault('the token broker failed', true, look);
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(answer.Payload ?? []).toString('utf8'));
  } catch {
    throw fault('the token broker answered without JSON', true, look);
  }
  const parsed = BrokerAnswer.safeParse(payload);
  if (!parsed.success) throw fault('the token broker answered in a form that is not known', true, look);
  if ('error' in parsed.data) throw new SourceError(parsed.data.error);
  return parsed.data;
}

function toInvokeError(error: unknown): HealerError {
  if (error instanceof HealerError) return error;
  const advice = "Check that the function's role may invoke this alias of github-token.";
  return fault(
    `the token broker could not be called: ${faultName(error)}`,
    isPassing(error),
    advice,
    faultStatus(error),
  );
}

/**
 * Tokens from the broker, kept in memory until five minutes before they end.
 * @param aliasArn ARN of the broker's alias; given whole as the function's name, since IAM compares that
 */
export function brokerTokens(lambda: LambdaClient, aliasArn: string, clock: Clock): TokenSource {
  const held = new Map<string, RepositoryToken>();

  async function ask(target: string): Promise<RepositoryToken> {
    try {
      const command = new InvokeCommand({ FunctionName: aliasArn, Payload: Buffer.from(JSON.stringify({ target })) });
      return toToken(await lambda.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) }));
    } catch (error) {
      throw toInvokeError(error);
    }
  }

  return {
    async get(target) {
      const known = held.get(target);
      if (known !== undefined && known.expiresAt - clock.now() > MARGIN_MS) return known;
      const fresh = await ask(target);
      held.set(target, fresh);
      return fresh;
    },
    forget: (target) => void held.delete(target),
  };
}
