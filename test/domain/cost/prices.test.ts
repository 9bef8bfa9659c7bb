import { expect, it } from 'vitest';
import { priceList } from '#lib/domain/cost/prices.ts';

it.each(['us-east-1', 'eu-central-1'])(
  'the prices of %s are its own, each with a source and a month or none',
  (region) => {
    const { pricesOf, prices, dated } = priceList(region);
    expect(pricesOf).toBe(region);
    expect(dated).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { usd, source, checked } of Object.values(prices)) {
      expect(usd).toBeGreaterThan(0);
      expect(source).toMatch(/^https:\/\/aws\.amazon\.com\//);
      expect(checked ?? '2026-01').toMatch(/^\d{4}(?:-\d\d)?$/);
    }
  },
);

it('a region that the table does not hold has the dearer prices, and says so', () => {
  const there = priceList('ap-south-1');
  expect(there).toMatchObject({ region: 'ap-south-1', pricesOf: 'eu-central-1' });
  expect(there.prices).toEqual(priceList('eu-central-1').prices);
});
