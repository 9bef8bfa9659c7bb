import { CloudWatchClient, DescribeAlarmsCommand, GetDashboardCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { type Check, must } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import { REGION } from '../emulator.ts';
import { STAGE } from '../service.ts';

/** How a client of AWS reaches the emulator. */
export const clientOf = ({ emulator }: Deployment) => ({
  endpoint: emulator.endpoint,
  region: REGION,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/** How many lines of a log group hold a text. */
export async function countLines(client: CloudWatchLogsClient, logGroupName: string, text: string): Promise<number> {
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName, filterPattern: `"${text}"` }));
  return events.length;
}

async function readDashboard(deployment: Deployment): Promise<string> {
  const client = new CloudWatchClient(clientOf(deployment));
  const { DashboardBody = '' } = await client.send(new GetDashboardCommand({ DashboardName: `healer-${STAGE}` }));
  client.destroy();
  return DashboardBody;
}

/** Functions that write figures whenever a play fails. */
const FIGURES_OF = ['session-write', 'sweep', 'detect', 'gather', 'evaluate', 'publish'];

/** What an operator looks at. */
export const WATCHED: readonly Check[] = [
  {
    name: 'alarms and dashboard stand',
    advice: 'infra/alarms.yml and infra/dashboard.cjs make them.',
    async run(deployment) {
      const client = new CloudWatchClient(clientOf(deployment));
      const { MetricAlarms = [] } = await client.send(
        new DescribeAlarmsCommand({ AlarmNamePrefix: `healer-${STAGE}-` }),
      );
      must(MetricAlarms.length > 10, `there are ${MetricAlarms.length} alarms`);
      const mute = MetricAlarms.filter(
        ({ AlarmActions = [] }) => !AlarmActions.every((arn) => arn.endsWith('-alarms')),
      );
      must(mute.length === 0, `nobody hears of ${mute.map(({ AlarmName }) => AlarmName).join(', ')}`);
      client.destroy();
      const body = await readDashboard(deployment);
      const { widgets } = JSON.parse(body) as { widgets: readonly object[] };
      must(!body.includes('${'), 'the dashboard holds a reference that was not resolved');
      return `${MetricAlarms.length} alarms, ${widgets.length} widgets`;
    },
  },
  {
    name: 'the dashboard finds figures in the logs that it asks',
    functions: FIGURES_OF,
    advice: 'lib/metrics.ts writes them, one line an invocation; infra/dashboard.cjs names the log groups.',
    async run(deployment) {
      const asked = (await readDashboard(deployment)).matchAll(/SOURCE '([^']+)'/g);
      const groups = new Set(Array.from(asked, ([, group = '']) => group));
      const client = new CloudWatchLogsClient(clientOf(deployment));
      const counts = FIGURES_OF.map(async (name) => {
        const group = `/aws/lambda/healer-${STAGE}-${name}`;
        must(groups.has(group), `no widget asks ${group}`);
        const lines = await countLines(client, group, 'figures');
        must(lines > 0, `the log of ${name} has no line of figures`);
        return `${name} ${lines}`;
      });
      const told = await Promise.all(counts);
      client.destroy();
      return told.join(', ');
    },
  },
];
