import { toDocumentClient } from '#lib/adapters/dynamodb/client.ts';
import { sessionStore } from '#lib/adapters/dynamodb/session-store.ts';
import { sqsQueues, toSqsClient } from '#lib/adapters/sqs/queues.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { endSession } from '#lib/app/end-session.ts';
import { startSession } from '#lib/app/start-session.ts';
import { integer, parsed, readConfig } from '#lib/config.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { parseAllowList } from '#lib/domain/session/allow-list.ts';
import type { EndStatus } from '#lib/domain/session/life.ts';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '#lib/domain/time.ts';
import { logger } from '#lib/logger.ts';
import { LOG_SOURCE, queueSetting, retentionSetting, tableSetting } from './settings.ts';

const settings = {
  sessions: tableSetting('sessions'),
  window: queueSetting('window'),
  allowed: parsed(
    'ALLOWED_REPOSITORIES',
    'a comma-separated list of "owner", "owner/*" and "owner/name"',
    parseAllowList,
  ),
  maxHours: integer('SESSION_MAX_HOURS', { min: 1, max: 720, fallback: 48 }),
  retentionDays: retentionSetting,
};

/** @throws ConfigError at cold start: Lambda logs it with all its faults and API Gateway answers 500 without them. */
export function wireSessionWrite() {
  const config = readConfig(settings);
  const clock = systemClock;
  const ports = {
    sessions: sessionStore({ client: toDocumentClient(), table: config.sessions, clock }),
    queues: sqsQueues(toSqsClient(), { window: config.window }),
    clock,
    redactor: createRedactor(),
    onLookFault: (error: unknown) => logger.warn('looks could not be asked for', { error: error as Error }),
  };
  const options = {
    source: LOG_SOURCE,
    allowed: config.allowed,
    maxAge: config.maxHours * MILLIS_PER_HOUR,
    retention: config.retentionDays * MILLIS_PER_DAY,
  };
  return {
    startSession: (declaration: SessionDeclaration) => startSession(ports, options, declaration),
    endSession: (playId: string, status: EndStatus) => endSession(ports, LOG_SOURCE, playId, status),
  };
}
