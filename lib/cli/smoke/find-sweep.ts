import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { Millis } from '#lib/domain/time.ts';
import { answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import { type Stage, stackOf } from '../stage/stage.ts';

/** A run of the sweep; `told` is what its own line says, where the log level shows it. */
export interface SweepSign {
  readonly at: Millis;
  readonly told: string;
}

/** The first sign in the log that the sweep has run since that moment. @throws ConfigError in an operator's words */
export async function findSweep(stage: Stage, since: Millis): Promise<SweepSign | undefined> {
  const logs = new CloudWatchLogsClient(toClientConfig(stage));
  const logGroupName = `/aws/lambda/${stackOf(stage)}-sweep`;
  const asked = logs.send(new FilterLogEventsCommand({ logGroupName, startTime: since }));
  const request = { thing: `the log ${logGroupName}`, place: stage.region, rights: `logs:FilterLogEvents on it` };
  const { events = [] } = await answerOf(asked, request);
  const [first] = events;
  if (first === undefined) return undefined;
  const pass = events.find(({ message }) => message?.includes('"pass finished"'));
  const active = /"active":(\d+)/.exec(pass?.message ?? '')?.[1];
  return { at: first.timestamp ?? since, told: active === undefined ? '' : `; it saw ${active} active` };
}
