import { PutParameterCommand } from '@aws-sdk/client-ssm';
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
    name: 'secrets are put into the Parameter Store',
    advice: 'The emulator must answer; its log is emulator.log in the folder named above.',
    async run({ ssm, github, webhookSecret }) {
      const secrets = {
        'github-app-id': github.appId,
        'github-app-key': github.privateKey,
        'github-webhook-secret': webhookSecret,
      };
      for (const [name, value] of Object.entries(secrets)) {
        const input = { Name: `/healer/${STAGE}/${name}`, Value: value, Type: 'SecureString' } as const;
        await ssm.send(new PutParameterCommand(input));
      }
      return Object.keys(secrets).join(', ');
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
