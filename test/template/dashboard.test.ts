import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { FLOW, QUEUES } from '#lib/flow.ts';
import { ENDINGS, METRICS, PEAKS, SUMS, toStageEnding } from '#lib/metrics.ts';
import { packageService, type ServicePackage } from '#test/support/template/package-service.ts';
import { at, ofType, property } from '#test/support/template/template.ts';

const STAGE = 'dev';
const OWN = { service: 'healer', stage: STAGE };

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly region?: string;
    readonly view?: string;
    readonly stacked?: boolean;
    readonly markdown?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly (readonly unknown[])[];
    readonly query?: string;
  };
}

let service: ServicePackage;
let widgets: readonly Widget[];
beforeAll(async () => {
  service = await packageService();
  const [entry] = ofType(service.template, 'AWS::CloudWatch::Dashboard');
  expect(property(entry?.[1], 'DashboardName')).toBe(`healer-${STAGE}`);
  const body = at(property(entry?.[1], 'DashboardBody'), 'Fn::Sub');
  ({ widgets } = JSON.parse(String(body)) as { widgets: readonly Widget[] });
});

describe('the dashboard', () => {
  it('shows the state of every alarm', () => {
    const ids = ofType(service.template, 'AWS::CloudWatch::Alarm').map(([id]) => `\${${id}.Arn}`);
    expect(widgets[0]?.properties.alarms).toEqual(ids);
  });

  it('has a row for each stage, in the order of the flow', () => {
    const headings = widgets.flatMap(({ properties: { markdown } }) => /^### (\w+):/.exec(markdown ?? '')?.[1] ?? []);
    expect(headings).toEqual([...new Set(FLOW.map(({ stage }) => stage))]);
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

describe('its metrics', () => {
  const graphs = () =>
    widgets.flatMap(({ type, properties }) => (type === 'metric' ? properties.metrics : undefined) ?? []);

  it('are of every function, queue and metric of Healer, and of none that does not exist', () => {
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

  it('have the dimensions of Healer', () => {
    for (const [namespace, , ...rest] of graphs()) {
      if (namespace === 'Healer') expect(rest.slice(0, -1)).toEqual(Object.entries(OWN).flat());
    }
  });
});

describe('its figures', () => {
  const logs = () => widgets.filter(({ type }) => type === 'log').map(({ properties }) => properties);
  const columnsOf = (query = ''): readonly (readonly [aggregate: string, figure: string])[] =>
    [...query.matchAll(/(\w+)\(figures\.(\w+)\) as \2\b/g)].map(([, aggregate = '', figure = '']) => [
      aggregate,
      figure,
    ]);
  const sourcesOf = (query = ''): readonly string[] =>
    [...query.matchAll(/SOURCE '([^']+)'/g)].map(([, source = '']) => source);

  it('are asked in the words of CloudWatch Logs Insights', () => {
    expect(logs().find(({ title }) => title === 'Refusals')).toEqual({
      title: 'Refusals',
      query: [
        "SOURCE '/aws/lambda/healer-dev-session-write'",
        "SOURCE '/aws/lambda/healer-dev-authorize'",
        'filter ispresent(figures.SessionConflict) or ispresent(figures.RepositoryRefused) or ispresent(figures.TokenRefused)',
        'stats sum(figures.SessionConflict) as SessionConflict, sum(figures.RepositoryRefused) as RepositoryRefused, sum(figures.TokenRefused) as TokenRefused by bin(5m)',
      ].join(' | '),
      view: 'timeSeries',
      stacked: false,
      region: '${AWS::Region}',
    });
  });

  it('are all that Healer writes, each added up or, of a state, the greatest', () => {
    const columns = logs().flatMap(({ query }) =>
      columnsOf(query).map(([aggregate, figure]) => `${aggregate} ${figure}`),
    );
    const expected = [
      ...Object.keys(SUMS).map((figure) => `sum ${figure}`),
      ...Object.keys(PEAKS).map((figure) => `max ${figure}`),
    ];
    expect(columns.toSorted()).toEqual(expected.toSorted());
  });

  it('are read from the logs of exactly the functions that write them', () => {
    const writers = readWriters(service.dir);
    const groups = ofType(service.template, 'AWS::Logs::LogGroup').map(([, group]) => property(group, 'LogGroupName'));
    for (const { title, query } of logs()) {
      const functions = new Set(columnsOf(query).flatMap(([, figure]) => writers(figure)));
      const expected = new Set([...functions].map((name) => `/aws/lambda/healer-${STAGE}-${name}`));
      expect(new Set(sourcesOf(query)), title).toEqual(expected);
      expect(groups, title).toEqual(expect.arrayContaining([...expected]));
    }
  });
});

/**
 * The functions that may write a figure: a bundle without the code that measures it does not hold its name as a text (the
 * list of all figures has the names as keys). Names of endings are put together from the queue that a function consumes.
 */
function readWriters(folder: string): (figure: string) => readonly string[] {
  const endings = new Map<string, string>(
    FLOW.flatMap(({ function: name, consumes }) =>
      QUEUES.filter((queue) => queue === consumes).flatMap((queue) =>
        ENDINGS.map((ending) => [toStageEnding(queue, ending), name] as const),
      ),
    ),
  );
  const bundles = FLOW.map(({ function: name }) => ({ name, code: readBundle(join(folder, `${name}.zip`)) }));
  return (figure) => {
    const consumer = endings.get(figure);
    if (consumer !== undefined) return [consumer];
    return bundles.filter(({ code }) => new RegExp(`(["'\`])${figure}\\1`).test(code)).map(({ name }) => name);
  };
}

function readBundle(zip: string): string {
  const files = Object.entries(unzipSync(readFileSync(zip), { filter: ({ name }) => name.endsWith('.js') }));
  expect(files).toHaveLength(1);
  return Buffer.from(files[0]?.[1] ?? []).toString('utf8');
}
