import { makeAppInBrowser } from '../browser.ts';
import { type Check, must } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { STAGE } from '../service.ts';

const API_ADDRESS = /https:\/\/([a-z0-9]+)\.execute-api\./;

/** Notes the id of the API from the addresses that the framework prints. */
export function noteApi({ api }: Deployment, printed: string): void {
  const id = API_ADDRESS.exec(printed)?.[1];
  must(id !== undefined, `the deployment printed no address of the API:\n${printed}`);
  api.place = { ...api.place, id };
}

const isAnswer = async (
  { api }: Deployment,
  path: string,
  token: string | null | undefined,
  expected: number,
): Promise<void> => {
  const { status, body } = await api.ask('GET', path, { token });
  must(status === expected, `GET ${path} answered ${status}, not ${expected}: ${body.slice(0, 300)}`);
};

/** From nothing to an API that lets in who has a token. */
export const DEPLOYED: readonly Check[] = [
  {
    name: 'a deployment without secrets stops before it uploads',
    advice: 'scripts/check-configuration.cjs must ask for the secrets that the configuration wants.',
    async run({ service }) {
      const printed = await service.deploy().catch((error: Error) => error.message);
      const commands = ['github-app-id', 'github-app-key'].map(
        (name) => `npx healer secret set ${name} --stage ${STAGE}`,
      );
      const isStopped = printed.includes('Nothing was deployed: 2 faults.');
      must(isStopped && commands.every((command) => printed.includes(command)), `it printed:\n${printed}`);
      return commands.join('; ');
    },
  },
  {
    name: 'healer setup github makes the App and stores its key',
    advice: 'The emulator must answer; its log is emulator.log in the folder named above.',
    async run({ service }) {
      const page = Promise.withResolvers<void>();
      let isOpen = false;
      const open = (printed: string) => {
        const [, address] = /(http:\/\/127\.0\.0\.1:\S+)\s/.exec(printed) ?? [];
        if (address === undefined || isOpen) return;
        isOpen = true;
        makeAppInBrowser(address).then(page.resolve, page.reject);
      };
      const made = service.follow(open, 'setup', 'github', '--organization', 'acme');
      const [printed] = await Promise.all([made, page.promise]);
      must(printed.includes('its id and key are stored'), `it printed:\n${printed}`);
      return 'by the manifest flow';
    },
  },
  {
    name: 'healer secret set replaces a secret',
    advice: 'A stored value is replaced with --force alone; the value comes by stdin.',
    async run({ service, webhookSecret }) {
      await service.tell(webhookSecret, 'secret', 'set', 'github-webhook-secret', '--force');
      const { secrets } = JSON.parse(await service.healer('secret', 'list', '--json')) as {
        secrets: { name: string; state: string }[];
      };
      const set = secrets.filter(({ state }) => state === 'set').map(({ name }) => name);
      must(set.length === 3, `set are ${set.join(', ')}`);
      return `${set.join(', ')} are set`;
    },
  },
  {
    name: `serverless deploy --stage ${STAGE}`,
    advice: 'The message names the resource of serverless.yml or infra/ that could not be made.',
    async run(deployment) {
      noteApi(deployment, await deployment.service.deploy());
      return `API ${deployment.api.place.id}`;
    },
  },
  {
    name: "the App's events are sent to the deployment",
    functions: ['webhook'],
    advice: 'healer setup github --webhook takes the address from the output HttpApiUrl of the stack.',
    async run({ service, api }) {
      const printed = await service.healer('setup', 'github', '--webhook');
      must(printed.includes(`https://${api.place.id}.execute-api.`), `it printed: ${printed}`);
      return printed.trim();
    },
  },
  {
    name: 'GET /health is open',
    functions: ['session-read'],
    advice: 'session-read could not start: compare its environment in serverless.yml with lib/wiring/session-read.ts.',
    async run(deployment) {
      await isAnswer(deployment, '/health', null, 200);
      return '200';
    },
  },
  {
    name: 'a token is made',
    advice: 'The table of tokens must exist under the name that infra/tables.yml gives it.',
    async run({ service, api }) {
      const printed = await service.healer('token', 'create', '--name', 'prove', '--json');
      const { id, token } = JSON.parse(printed) as { id: string; token: string };
      api.place = { ...api.place, token };
      return `${id}, by healer token create`;
    },
  },
  {
    name: 'the API refuses callers without a token, and with a wrong one',
    functions: ['authorize'],
    advice: 'authorize must be the authorizer of each route but /health; AuthorizeRole must read the table of tokens.',
    async run(deployment) {
      await isAnswer(deployment, '/api/v1/sessions', null, 401);
      await isAnswer(deployment, '/api/v1/sessions', 'wrong', 403);
      await isAnswer(deployment, '/api/v1/sessions', undefined, 200);
      return '401, 403; 200 with the right one';
    },
  },
];
