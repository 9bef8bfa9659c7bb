import { integer, required, type Setting } from '#lib/config.ts';
import type { QueueName } from '#lib/flow.ts';

/** Settings that several functions share; each function's wiring names the ones that it needs. */
export const tableSetting = (name: string): Setting<string> =>
  required(`${name.toUpperCase()}_TABLE`, `the name of the ${name} table`);

export const queueSetting = (queue: QueueName): Setting<string> =>
  required(`${queue.toUpperCase()}_QUEUE_URL`, `the URL of the ${queue} queue`);

/** Days for which ended sessions and their traces are kept. */
export const retentionSetting = integer('SESSION_RETENTION_DAYS', { min: 1, max: 3650, fallback: 30 });

export const secretsPrefixSetting = required(
  'SECRETS_PREFIX',
  'the path of the secrets in the SSM Parameter Store, e.g. /healer/prod',
);

/** The one log source of a deployment; a name, so that cursors of several can stand side by side. */
export const LOG_SOURCE = 'loki';
