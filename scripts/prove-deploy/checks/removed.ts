import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { type Check, must } from '../check.ts';
import { STAGE } from '../service.ts';
import { tablesOf } from './updated.ts';

/** The end of a stage. */
export const REMOVED: readonly Check[] = [
  {
    name: 'serverless remove',
    advice: 'The message names the resource that could not be removed.',
    async run({ service }) {
      await service.remove();
      return '';
    },
  },
  {
    name: 'tables with their data stay, and nothing else',
    advice: 'infra/tables.yml retains its tables; docs/deploy.md says how to delete them or to deploy over them again.',
    async run({ api, sqs, dynamodb }) {
      const tables = await tablesOf({ dynamodb });
      must(tables.length > 0, 'no table is left');
      const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `healer-${STAGE}-` }));
      must(QueueUrls.length === 0, `queues are left: ${QueueUrls.join(', ')}`);
      const { status } = await api.ask('GET', '/health', { token: null });
      must(status >= 400, `the API still answers ${status}`);
      return `${tables.join(', ')} stay, with their point-in-time backups`;
    },
  },
];
