import { describe, expect, it } from 'vitest';
import { type CostedStage, type Estimate, estimate } from '#lib/domain/cost/estimate.ts';
import { type LoadTexts, parseLoad } from '#lib/domain/cost/load.ts';
import { priceList } from '#lib/domain/cost/prices.ts';
import { FACTS } from './some-facts.ts';

const STAGE: CostedStage = {
  models: { evaluation: false, remediation: false },
  vpcZones: 0,
  logDays: 30,
  sessionDays: 30,
  lineFilter: 'on',
  alarmMail: true,
};

const of = (texts: LoadTexts, stage: Partial<CostedStage> = {}, region = 'us-east-1'): Estimate =>
  estimate(parseLoad(texts), FACTS, { ...STAGE, ...stage }, priceList(region));
const usd = (sessions: number): number => of({ sessions: String(sessions) }).usd;
const serviceUsd = ({ lines }: Estimate, service: string): number =>
  lines.filter((line) => line.service === service).reduce((sum, line) => sum + line.usd, 0);

/** What a session costs at most that is active all month, from a thousand of them on and without the model, in USD. */
const AIM_USD = 0.02;
/** The same where a session lasts an hour, so that four times as many start: a ceiling that falls and never rises. */
const AN_HOUR_USD = 0.036;
const A_DAY = { sessionMinutes: '1440' };
const AN_HOUR = { sessionMinutes: '60' };

describe('the slope', () => {
  it('is the same from a thousand to ten thousand sessions', () => {
    const slopes = [1_000, 2_000, 4_000, 6_000, 8_000].map((from) => (usd(from + 2_000) - usd(from)) / 2_000);
    const mean = slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length;
    for (const slope of slopes) expect(Math.abs(slope / mean - 1)).toBeLessThan(0.05);
  });

  it.each([10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000])('%i sessions, doubled, cost at most double', (sessions) => {
    expect(usd(sessions * 2)).toBeLessThanOrEqual(usd(sessions) * 2);
    // A fuller namespace is looked at less often after a start, which can save a little more than the sessions cost.
    expect(usd(sessions * 2)).toBeGreaterThan(usd(sessions) * 0.95);
  });

  it.each([1_000, 2_000, 5_000, 10_000, 100_000])('%i sessions cost no more than the aim', (sessions) => {
    for (const region of ['us-east-1', 'eu-central-1'])
      expect(of({ sessions: String(sessions) }, {}, region).usdPerSession).toBeLessThanOrEqual(AIM_USD);
    expect(of({ sessions: String(sessions), ...A_DAY }).usdPerSession).toBeLessThanOrEqual(AIM_USD);
    expect(of({ sessions: String(sessions), ...AN_HOUR }).usdPerSession).toBeLessThanOrEqual(AN_HOUR_USD);
  });

  it("a further session costs no more than the aim, and a day's no more than half of it", () => {
    const slope = (texts: LoadTexts) => {
      const [few, many] = ['1000', '10000'].map((sessions) => of({ sessions, ...texts }).usd);
      return ((many ?? 0) - (few ?? 0)) / 9_000;
    };
    expect(slope({})).toBeLessThanOrEqual(AIM_USD);
    expect(slope(A_DAY)).toBeLessThanOrEqual(AIM_USD / 2);
  });
});

describe('what a cost depends on', () => {
  it('is the sum of its lines, and each line is quantity times price', () => {
    const { lines, usd: total } = of({ sessions: '1000' });
    const { prices } = priceList('us-east-1');
    for (const line of lines) expect(line.usd).toBeCloseTo(line.quantity * prices[line.price].usd, 10);
    expect(lines.reduce((sum, line) => sum + line.usd, 0)).toBeCloseTo(total, 8);
  });

  it('a stage without a session in sight costs what stands: sweep, pollers, metrics and alarms', () => {
    expect(usd(1)).toBeGreaterThan(3);
    expect(usd(1)).toBeLessThan(20);
  });

  it('shorter sessions, more namespaces and more incidents cost more', () => {
    const base = of({ sessions: '1000' }).usd;
    expect(of({ sessions: '1000', sessionMinutes: '60' }).usd).toBeGreaterThan(base);
    expect(of({ sessions: '1000', namespaces: '100' }).usd).toBeGreaterThan(base);
    expect(of({ sessions: '1000', incidentsPerDay: '500' }).usd).toBeGreaterThan(base);
  });

  it('requests that look at sessions cost, none costs nothing', () => {
    const [none, some] = ['0', '10'].map((readsPerSession) => of({ sessions: '1000', readsPerSession })) as [
      Estimate,
      Estimate,
    ];
    expect(none.lines.find(({ item }) => item === 'session-read: invocations')?.quantity).toBe(0);
    expect(serviceUsd(some, 'API Gateway')).toBeGreaterThan(4 * serviceUsd(none, 'API Gateway'));
  });

  it('lines cost where they pass a NAT gateway, and as transfer', () => {
    const vpc = { vpcZones: 2 };
    const [few, many] = ['60', '6000'].map((linesPerMinute) => of({ sessions: '100', linesPerMinute }, vpc));
    expect(serviceUsd(of({}), 'NAT')).toBe(0);
    expect(serviceUsd(few as Estimate, 'NAT')).toBeGreaterThan(65);
    expect(serviceUsd(many as Estimate, 'NAT')).toBeGreaterThan(serviceUsd(few as Estimate, 'NAT'));
    expect((many as Estimate).transfer[0]?.usd).toBeCloseTo(((few as Estimate).transfer[0]?.usd ?? 0) * 100, 6);
  });

  it('without the line filter a hundred times as much is read', () => {
    const [on, off] = (['on', 'off'] as const).map((lineFilter) => of({}, { lineFilter }).transfer[0]?.quantity ?? 0);
    expect(off).toBeCloseTo((on ?? 0) * 100, 6);
  });

  it('a model lets its function wait and writes the metric of its budget, and nothing else costs more', () => {
    const [without, withModel] = [false, true].map((evaluation) =>
      of({ sessions: '1000' }, { models: { evaluation, remediation: false } }),
    ) as [Estimate, Estimate];
    expect(serviceUsd(withModel, 'Lambda')).toBeGreaterThan(serviceUsd(without, 'Lambda'));
    expect(serviceUsd(withModel, 'DynamoDB')).toBe(serviceUsd(without, 'DynamoDB'));
    expect(serviceUsd(withModel, 'CloudWatch') - serviceUsd(without, 'CloudWatch')).toBeCloseTo(0.3, 6);
  });

  it('Frankfurt is dearer than Virginia', () => {
    expect(of({}, {}, 'eu-central-1').usd).toBeGreaterThan(of({}).usd);
  });
});

describe('looks', () => {
  it('are as many as the sweep asks for where nothing starts, and bounded by the gap where much does', () => {
    expect(of({ sessions: '1', sessionMinutes: '10080' }).rates.looks).toBeLessThan(62);
    const busy = of({ sessions: '300', namespaces: '1', sessionMinutes: '10' }).rates;
    expect(busy.looks).toBeLessThanOrEqual(3_600 / 30);
    expect(busy.asked).toBeGreaterThan(busy.looks * 10);
  });
});
