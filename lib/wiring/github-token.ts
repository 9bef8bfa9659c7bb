import { SSMClient } from '@aws-sdk/client-ssm';
import { appTokens } from '#lib/adapters/github/app-tokens.ts';
import { type BrokerAnswer, parseTarget, toGranted, toRefused } from '#lib/adapters/github/broker-wire.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { mintToken, toPermissionSet } from '#lib/app/mint-token.ts';
import { optional, parsed, readConfig, required } from '#lib/config.ts';
import { parseAllowList } from '#lib/domain/session/allow-list.ts';

const settings = {
  secretsPrefix: required('SECRETS_PREFIX', 'the path of the secrets in the SSM Parameter Store, e.g. /healer/prod'),
  apiUrl: optional('GITHUB_API_URL', "the base of GitHub's REST API", 'https://api.github.com'),
  allowed: parsed(
    'ALLOWED_REPOSITORIES',
    'a comma-separated list of "owner", "owner/*" and "owner/name"',
    parseAllowList,
  ),
  platform: parsed('PLATFORM_REPOSITORY', 'owner/name, or not set', parseAllowList),
};

/**
 * The broker: takes the event and `invokedFunctionArn`, whose alias decides the permissions.
 * @throws ConfigError at cold start with all its faults
 */
export function wireGithubToken() {
  const config = readConfig(settings);
  const secrets = ssmSecrets({
    ssm: new SSMClient({ maxAttempts: 3 }),
    prefix: config.secretsPrefix,
    clock: systemClock,
  });
  const app = appTokens({ secrets, apiUrl: config.apiUrl, clock: systemClock });
  const mint = mintToken({ allowed: [...config.allowed, ...config.platform], app });
  return async (event: unknown, arn: string): Promise<BrokerAnswer> => {
    try {
      return toGranted(await mint(parseTarget(event), toPermissionSet(arn)));
    } catch (error) {
      return toRefused(error);
    }
  };
}
