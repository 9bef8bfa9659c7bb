import { type Check, must, until } from '../check.ts';
import { type Deployment, REPOSITORY } from '../deployment.ts';
import { panicPlay } from '../plays.ts';

const PATH_TO_PULL = ['publish', 'remediate', 'github-token'];

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly draft: boolean;
  readonly html_url: string;
  readonly head: { readonly ref: string };
  readonly user: { readonly login: string };
}

async function read<T>({ github }: Deployment, path: string): Promise<T> {
  const { status, data } = await github.asAdmin('GET', `/repos/${REPOSITORY}${path}`);
  must(status === 200, `GitHub answered ${status} to ${path}`);
  return data as T;
}

/** The incident of a play, as the API tells it. */
async function incidentOf({ api }: Deployment, playId: string) {
  const { healer } = await api.session(playId);
  const incident = (await api.incidents()).find(({ id }) => healer.incidents.some((one) => one.id === id));
  must(incident !== undefined, `${playId} has no incident`);
  return incident;
}

/** From an issue to its remedy, and back from a person's decision on GitHub. */
export const REMEDIED: readonly Check[] = [
  {
    name: 'the misspelt tool gets a draft pull request',
    functions: PATH_TO_PULL,
    advice:
      'publish asks for a remedy, remediate makes it, publish writes it: the log of the first without the incident.',
    run: (deployment) =>
      until(120, async () => {
        const [pull, ...others] = await read<readonly Pull[]>(deployment, '/pulls?state=all');
        must(pull !== undefined, 'there is no pull request');
        must(others.length === 0, `there are ${others.length + 1} pull requests`);
        must(
          pull.draft && pull.head.ref.startsWith('healer/'),
          `it is no draft from a branch of Healer: ${pull.title}`,
        );
        must(pull.user.login === deployment.github.author, `${pull.user.login} wrote it`);
        const path = `/contents/cto-config.json?ref=${pull.head.ref}`;
        const { content } = await read<{ content: string }>(deployment, path);
        const text = Buffer.from(content, 'base64').toString();
        must(text.includes('github_create_branch') && !text.includes('github_create_brnch'), `it says ${text}`);
        return `#${pull.number} ${pull.title}`;
      }),
  },
  {
    name: 'an event of GitHub comes in through the webhook',
    functions: ['webhook', 'publish'],
    advice:
      'webhook must read its secret and the incidents, and send to the publication queue; without it a look is due in 15 minutes.',
    async run(deployment) {
      const { issue_url: url } = await incidentOf(deployment, panicPlay.announcement.play_id);
      const path = `/repos/${REPOSITORY}/issues/${url?.split('/').at(-1)}`;
      const { status } = await deployment.github.asAdmin('PATCH', path, {
        state: 'closed',
        state_reason: 'not_planned',
      });
      must(status === 200, `closing the issue answered ${status}`);
      return until(60, async () => {
        const { state } = await incidentOf(deployment, panicPlay.announcement.play_id);
        const answers = deployment.deliveries.statuses.join(', ');
        must(state === 'dismissed', `the incident of the closed issue is ${state}; the webhook answered ${answers}`);
        return 'the issue was closed as not planned, the incident is dismissed';
      });
    },
  },
];
