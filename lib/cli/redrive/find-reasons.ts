import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { Millis } from '#lib/domain/time.ts';
import { answerOf } from '../stage/aws-advice.ts';
import { toClientConfig } from '../stage/aws-client.ts';
import { type Stage, stackOf } from '../stage/stage.ts';
import type { DeadLetter } from './dead-letters.ts';

/** The last error that a function logged about a message. */
export interface Reason {
  readonly at: Millis;
  /** One line. */
  readonly error: string;
}

/** Pages of the log that are read; the rest is not looked at. */
const MOST_PAGES = 25;
const MOST_CHARACTERS = 240;

/**
 * The last error about each dead letter, by the message's id, or by the incident's where the message itself left none. Read
 * from the log of the function, from the oldest letter on.
 * @throws ConfigError in an operator's words when the log may not be read
 */
export async function findReasons(
  stage: Stage,
  functionName: string,
  letters: readonly DeadLetter[],
): Promise<ReadonlyMap<string, Reason>> {
  const logs = new CloudWatchLogsClient(toClientConfig(stage));
  const group = `/aws/lambda/${stackOf(stage)}-${functionName}`;
  const since = Math.min(...letters.map(({ sentAt }) => sentAt));
  const request = { thing: `the log ${group}`, place: stage.region, rights: `logs:FilterLogEvents on ${group}` };
  const told = await answerOf(readFailures(logs, group, since), request);
  return new Map(
    letters.flatMap((letter) => {
      const reason = told.get(letter.messageId) ?? told.get(incidentOf(letter));
      return reason === undefined ? [] : [[letter.messageId, reason] as const];
    }),
  );
}

const incidentOf = ({ about }: DeadLetter): string => (about !== null && 'incident' in about ? about.incident : '');

/** The latest failure by message id and by incident id. */
async function readFailures(logs: CloudWatchLogsClient, logGroupName: string, startTime: Millis) {
  const told = new Map<string, Reason>();
  let nextToken: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const input = { logGroupName, startTime, filterPattern: '"record failed"', nextToken };
    const { events = [], nextToken: next } = await logs.send(new FilterLogEventsCommand(input));
    for (const { message = '', timestamp = 0 } of events) note(told, message, timestamp);
    if (next === undefined) break;
    nextToken = next;
  }
  return told;
}

function note(told: Map<string, Reason>, text: string, at: Millis): void {
  const { message_id: message, incident, error } = parseLine(text);
  if (error === undefined) return;
  for (const id of [message, incident]) {
    if (id !== undefined && at >= (told.get(id)?.at ?? 0)) told.set(id, { at, error });
  }
}

/** A line of the function's log: one JSON object, perhaps with something of Lambda before it. */
function parseLine(text: string): { message_id?: string; incident?: string; error?: string } {
  try {
    const line = JSON.parse(text.slice(text.indexOf('{'))) as Record<string, unknown>;
    const { message_id: messageId, incident, error } = line;
    const { name, message } = (error ?? {}) as Record<string, unknown>;
    return {
      ...(typeof messageId === 'string' && { message_id: messageId }),
      ...(typeof incident === 'string' && { incident }),
      ...(typeof message === 'string' && { error: toLine(`${String(name)}: ${message}`) }),
    };
  } catch {
    return {};
  }
}

/** Control characters could move the terminal's cursor. */
const toLine = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
