import { type EmbeddedGitHub, startGitHub } from '../github/start-github.ts';
import { type EmbeddedKubernetes, startKubernetes } from '../kubernetes/server.ts';
import { type EmbeddedLoki, startLoki } from '../loki/server.ts';
import { startModel } from '../openai/start-model.ts';
import type { StackOptions } from '../stack-options.ts';
import { CRASH_SCRIPT, crashChecks, LOADER_FILES } from './plays/crash.ts';

/** The embedded peers of the demo; the model is a script of replies. */
export interface Peers {
  readonly loki: EmbeddedLoki;
  readonly github: EmbeddedGitHub;
  readonly kubernetes: EmbeddedKubernetes;
  /** What the stack needs to reach them, and nothing of the host's environment. */
  readonly settings: Pick<StackOptions, 'overrides' | 'secrets'>;
  stop(): Promise<void>;
}

/** The person who merges and labels in the demo. */
export const MAINTAINER = { login: 'mara', token: 'demo-maintainer-token' } as const;
const MODEL_KEY = 'demo-model-key';
const WEBHOOK_SECRET = 'demo-webhook-secret';
const SECRETS_PREFIX = '/healer/local';

/** The configuration that misspells a tool. */
export const CTO_CONFIG = `{
  "version": "1.0",
  "agents": {
    "rex": {
      "githubApp": "Acme-Rex",
      "cli": "claude",
      "tools": {
        "remote": ["docs_lookup", "github_create_brnch", "github_create_pull_request"],
        "localServers": {}
      }
    },
    "nova": {
      "githubApp": "Acme-Nova",
      "cli": "claude",
      "tools": {
        "remote": ["docs_lookup", "github_create_branch"],
        "localServers": {}
      }
    }
  }
}
`;

/**
 * Starts a Loki, a GitHub and a Kubernetes API of their own on loopback, whatever peers the host's environment names.
 * @param apiPort where the stack's API will listen; GitHub's events go there
 */
export async function startPeers(allowedRepositories: string, apiPort?: number): Promise<Peers> {
  const loki = await startLoki();
  const github = await startGitHub({
    repositories: [
      { name: 'acme/widgets', isPrivate: true, files: { 'cto-config.json': CTO_CONFIG } },
      { name: 'acme/gadgets', isPrivate: true },
      { name: 'acme/loaders', isPrivate: true, files: LOADER_FILES },
    ],
    users: [{ ...MAINTAINER, permissions: { 'acme/widgets': 'maintain', 'acme/loaders': 'maintain' } }],
    ci: ({ repository, attempt }) => (repository === 'acme/loaders' ? crashChecks(attempt) : []),
    ...(apiPort !== undefined && {
      webhook: { url: `http://127.0.0.1:${apiPort}/api/v1/webhooks/github`, secret: WEBHOOK_SECRET },
    }),
  });
  const kubernetes = await startKubernetes();
  const model = await startModel({ script: CRASH_SCRIPT, keys: [MODEL_KEY] });
  return {
    loki,
    github,
    kubernetes,
    settings: {
      overrides: {
        ALLOWED_REPOSITORIES: allowedRepositories,
        LOKI_URL: loki.url,
        // A pause between two tries would pass in real time, while the next look is a jump of the clock away.
        LOKI_LONGEST_PAUSE_SECONDS: '0',
        GITHUB_API_URL: github.url,
        KUBE_URL: kubernetes.url,
        OPENAI_BASE_URL: model.url,
        REMEDIATION_MODEL: 'scripted',
        REMEDIATION_INPUT_USD_PER_MILLION: '1',
        REMEDIATION_OUTPUT_USD_PER_MILLION: '1',
        SECRETS_PREFIX,
      },
      secrets: {
        [`${SECRETS_PREFIX}/github-app-id`]: github.appId,
        [`${SECRETS_PREFIX}/github-app-key`]: github.privateKey,
        [`${SECRETS_PREFIX}/kubernetes-token`]: kubernetes.token,
        [`${SECRETS_PREFIX}/github-webhook-secret`]: WEBHOOK_SECRET,
        [`${SECRETS_PREFIX}/openai-key-remediation`]: MODEL_KEY,
      },
    },
    stop: async () => {
      await Promise.all([loki.stop(), github.stop(), kubernetes.stop(), model.stop()]);
    },
  };
}
