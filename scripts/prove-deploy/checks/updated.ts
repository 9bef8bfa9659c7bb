import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { type Check, must, until } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { PLAYS } from '../plays.ts';
import { STAGE } from '../service.ts';
import { noteApi } from './deployed.ts';
import { listIssues } from './looped.ts';

/** What a replaced table or queue would lose, by its name: a new one has another id or another moment of birth. */
async function identities({ dynamodb, sqs }: Deployment): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of await tablesOf({ dynamodb })) {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
    found.set(`table ${name}`, `${Table?.TableId} ${Table?.CreationDateTime?.getTime()}`);
  }
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `healer-${STAGE}-` }));
  for (const QueueUrl of QueueUrls) {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['CreatedTimestamp'] }),
    );
    found.set(`queue ${QueueUrl.split('/').at(-1)}`, Attributes?.CreatedTimestamp ?? '');
  }
  return found;
}

export async function tablesOf({ dynamodb }: Pick<Deployment, 'dynamodb'>): Promise<readonly string[]> {
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
  return TableNames.filter((name) => name.startsWith(`healer-${STAGE}-`));
}

/** The right that is taken away: without it no session can be stored. */
const ROLES = join('infra', 'roles.yml');
const RIGHT = 'dynamodb:PutItem, ';
const ROLE_START = 'SessionWriteRole:';

function withoutRight(text: string): string {
  const role = text.indexOf(ROLE_START);
  const right = text.indexOf(RIGHT, role);
  const end = text.indexOf('AssumeRolePolicyDocument', role + ROLE_START.length + 200);
  must(role >= 0 && right > role && right < end, `${ROLES} does not grant ${RIGHT.trim()} to SessionWriteRole`);
  return text.slice(0, right) + text.slice(right + RIGHT.length);
}

const announcement = (playId: string) => ({ ...PLAYS[0]?.announcement, play_id: playId });

/** Later deployments over the first one. */
export const UPDATED: readonly Check[] = [
  {
    name: 'a role that lacks one right is found out',
    functions: ['session-write'],
    advice: 'Either the role grants more than this right, or the emulator does not enforce IAM (AUTH=true).',
    async run(deployment) {
      const { service, api, notes } = deployment;
      notes.set('identities', await identities(deployment));
      notes.set('issues', (await listIssues(deployment)).length);
      const file = join(service.folder, ROLES);
      const text = readFileSync(file, 'utf8');
      notes.set('roles', text);
      writeFileSync(file, withoutRight(text));
      noteApi(deployment, await service.deploy());
      const { status } = await api.ask('POST', '/api/v1/session/start', { body: announcement('play-without-right') });
      must(status >= 500, `the start of a session answered ${status} without ${RIGHT}`);
      return until(30, async () => {
        const log = await service.logs('session-write');
        const denial = /AccessDenied\w*/.exec(log)?.[0];
        must(denial !== undefined, 'the log of session-write tells of no denial');
        return `session-write without ${RIGHT.replace(', ', '')} answers ${status}, its log says ${denial}`;
      });
    },
  },
  {
    name: 'serverless deploy again',
    advice: 'The message names the resource that could not be updated.',
    async run(deployment) {
      const { service, notes } = deployment;
      writeFileSync(join(service.folder, ROLES), notes.get('roles') as string);
      const before = deployment.api.place.id;
      noteApi(deployment, await service.deploy());
      must(deployment.api.place.id === before, `the address of the API changed to ${deployment.api.place.id}`);
      return 'the address of the API stays';
    },
  },
  {
    name: 'nothing that holds data was replaced',
    advice:
      'A change of a table or queue in infra/ makes CloudFormation replace it: make a second one and move the data.',
    async run(deployment) {
      const before = deployment.notes.get('identities') as ReadonlyMap<string, string>;
      const after = await identities(deployment);
      const replaced = [...before].filter(([name, id]) => after.get(name) !== id).map(([name]) => name);
      must(replaced.length === 0, `replaced: ${replaced.join(', ')}`);
      return `${before.size} tables and queues`;
    },
  },
  {
    name: 'sessions, incidents and issues are still there',
    functions: ['session-read'],
    advice: 'The tables keep their names over a deployment: see infra/tables.yml.',
    async run(deployment) {
      const { api, notes } = deployment;
      for (const play of PLAYS) await api.session(play.announcement.play_id);
      const incidents = await api.incidents();
      const expected = PLAYS.filter((play) => play.expected !== null).length;
      must(incidents.length === expected, `${incidents.length} incidents, not ${expected}`);
      const issues = (await listIssues(deployment)).length;
      must(issues === notes.get('issues'), `${issues} issues, before ${String(notes.get('issues'))}`);
      return `${PLAYS.length} sessions, ${incidents.length} incidents, ${issues} issues`;
    },
  },
  {
    name: 'a play is announced as before',
    functions: ['session-write'],
    advice: 'The role must have its right back.',
    async run({ api }) {
      const { status, body } = await api.ask('POST', '/api/v1/session/start', {
        body: announcement('play-after-update'),
      });
      must(status === 200, `it answered ${status}: ${body.slice(0, 300)}`);
      return '200';
    },
  },
];
