import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { WritePacer } from '#lib/app/ports.ts';
import { updateIf } from './conditional.ts';

/**
 * GitHub allows about 80 content writes a minute and 500 an hour for an account; Healer keeps below both. One counter item
 * an installation and period, counted by a conditional update before each write.
 */
const PERIODS = [
  { name: 'minute', ms: 60_000, most: 60 },
  { name: 'hour', ms: 3_600_000, most: 450 },
] as const;

/** Counters outlive their period by this, then TTL removes them. */
const KEEP_S = 7_200;

export function dynamoWritePacer(client: DynamoDBDocumentClient, table: string): WritePacer {
  const count = async (installation: string, period: (typeof PERIODS)[number], start: number): Promise<boolean> => {
    const item = await updateIf(client, {
      TableName: table,
      Key: { pk: `pace#${installation}`, sk: `${period.name}#${start}` },
      UpdateExpression: 'SET #ttl = :ttl ADD writes :one',
      ConditionExpression: 'attribute_not_exists(writes) OR writes < :most',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':one': 1, ':most': period.most, ':ttl': Math.floor(start / 1000) + KEEP_S },
    });
    return item !== undefined;
  };
  return {
    take: async (installation, now) => {
      for (const period of PERIODS) {
        const start = now - (now % period.ms);
        if (!(await count(installation, period, start))) return { granted: false, until: start + period.ms };
      }
      return { granted: true };
    },
  };
}
