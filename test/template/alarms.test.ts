import { beforeAll, describe, expect, it } from 'vitest';
import { QUEUES } from '#lib/flow.ts';
import { METRICS } from '#lib/metrics.ts';
import { packageService } from '#test/support/template/package-service.ts';
import { at, type Entry, list, ofType, property, type Template } from '#test/support/template/template.ts';

const STAGE = 'dev';
const OWN = { service: 'healer', stage: STAGE };

let template: Template;
beforeAll(async () => {
  ({ template } = await packageService());
});

const nameOf = ([, alarm]: Entry): string => String(property(alarm, 'AlarmName')).replace(`healer-${STAGE}-`, '');

const dimensionsOf = ([, alarm]: Entry): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list(property(alarm, 'Dimensions')).map((one) => [at(one, 'Name'), at(one, 'Value')]));

describe('the alarms', () => {
  let alarms: readonly Entry[];
  beforeAll(() => {
    alarms = ofType(template, 'AWS::CloudWatch::Alarm');
  });

  it('cover what an operator must hear of', () => {
    expect(alarms.map(nameOf)).toEqual([
      ...QUEUES.map((queue) => `${queue}-dead-letters`),
      ...QUEUES.slice(1).map((queue) => `${queue}-waiting`),
      'sweep-silent',
      'sweep-errors',
      'api-errors',
      'blind-sources',
      'detection-lag',
      'publish-failures',
      'incidents-escalated',
      'budget-used',
      'broker-denials',
    ]);
  });

  it('tell the topic, and say what to do in words that fit', () => {
    for (const alarm of alarms) {
      const text = String(property(alarm[1], 'AlarmDescription'));
      expect(property(alarm[1], 'AlarmActions'), nameOf(alarm)).toEqual([{ Ref: 'AlarmTopic' }]);
      expect(text, nameOf(alarm)).toMatch(new RegExp(`docs/operate\\.md#${nameOf(alarm)}$`));
      expect(text.length, nameOf(alarm)).toBeLessThanOrEqual(1024);
    }
  });

  it('watch each metric that Healer writes, with its dimensions: one that nobody watches is paid in vain', () => {
    const own = alarms.filter(([, alarm]) => property(alarm, 'Namespace') === 'Healer');
    const watched = new Set(own.map(([, alarm]) => property(alarm, 'MetricName')));
    expect(watched).toEqual(new Set(Object.keys(METRICS)));
    for (const alarm of own) expect(dimensionsOf(alarm), nameOf(alarm)).toEqual(OWN);
  });
});
