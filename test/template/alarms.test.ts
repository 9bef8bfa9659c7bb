import { beforeAll, describe, expect, it } from 'vitest';
import { FLOW, QUEUES } from '#lib/flow.ts';
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

  it('watch metrics that Healer writes, with its own dimensions', () => {
    const own = alarms.filter(([, alarm]) => property(alarm, 'Namespace') === 'Healer');
    expect(own.length).toBeGreaterThanOrEqual(6);
    for (const alarm of own) {
      expect(Object.keys(METRICS)).toContain(property(alarm[1], 'MetricName'));
      expect(dimensionsOf(alarm)).toEqual(OWN);
    }
  });
});

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly markdown?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly (readonly unknown[])[];
  };
}

describe('the dashboard', () => {
  let widgets: readonly Widget[];
  beforeAll(() => {
    const [entry] = ofType(template, 'AWS::CloudWatch::Dashboard');
    expect(property(entry?.[1], 'DashboardName')).toBe(`healer-${STAGE}`);
    const body = at(property(entry?.[1], 'DashboardBody'), 'Fn::Sub');
    ({ widgets } = JSON.parse(String(body)) as { widgets: readonly Widget[] });
  });

  const graphs = () => widgets.flatMap(({ properties }) => properties.metrics ?? []);

  it('shows the state of every alarm', () => {
    const ids = ofType(template, 'AWS::CloudWatch::Alarm').map(([id]) => `\${${id}.Arn}`);
    expect(widgets[0]?.properties.alarms).toEqual(ids);
  });

  it('has a row for each stage, in the order of the flow', () => {
    const headings = widgets.flatMap(({ properties: { markdown } }) => /^### (\w+):/.exec(markdown ?? '')?.[1] ?? []);
    expect(headings).toEqual([...new Set(FLOW.map(({ stage }) => stage))]);
  });

  it('shows every function, queue and metric of Healer, and none that does not exist', () => {
    const shown = (namespace: string, position: number): readonly string[] => [
      ...new Set(graphs().flatMap((metric) => (metric[0] === namespace ? [String(metric[position])] : []))),
    ];
    expect(shown('AWS/Lambda', 3).toSorted()).toEqual(
      FLOW.map((stage) => `healer-${STAGE}-${stage.function}`).toSorted(),
    );
    const queues = QUEUES.flatMap((queue) => [queue, `${queue}-dead-letters`]).map((name) => `healer-${STAGE}-${name}`);
    expect(shown('AWS/SQS', 3).toSorted()).toEqual(queues.toSorted());
    expect(shown('Healer', 1).toSorted()).toEqual(Object.keys(METRICS).toSorted());
  });

  it('gives the metrics of Healer their dimensions', () => {
    for (const [namespace, , ...rest] of graphs()) {
      if (namespace === 'Healer') expect(rest.slice(0, -1)).toEqual(Object.entries(OWN).flat());
    }
  });

  it('lets no widget lie on another one, nor outside', () => {
    const cells = new Set<string>();
    for (const { x, y, width, height } of widgets) {
      expect(x + width).toBeLessThanOrEqual(24);
      for (let column = x; column < x + width; column += 1) {
        for (let row = y; row < y + height; row += 1) {
          expect(cells.has(`${column},${row}`)).toBe(false);
          cells.add(`${column},${row}`);
        }
      }
    }
  });
});
