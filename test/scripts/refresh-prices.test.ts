import { describe, expect, it } from 'vitest';
import stored from '#lib/domain/cost/prices.json' with { type: 'json' };
import { findPrice, type Offer, refreshPrices } from '../../scripts/refresh-prices/refresh-prices.ts';

/** Shaped as AWS publishes it: a free tier first, then prices by range. */
const offerOf = (usagetype: string, ...prices: readonly (readonly [from: string, usd: string])[]): Offer => ({
  products: { SKU: { attributes: { usagetype } }, OTHER: { attributes: { usagetype: `${usagetype}-Other` } } },
  terms: {
    OnDemand: {
      SKU: {
        TERM: {
          priceDimensions: Object.fromEntries(
            prices.map(([beginRange, USD], at) => [`D${at}`, { beginRange, pricePerUnit: { USD } }]),
          ),
        },
      },
      OTHER: { TERM: { priceDimensions: { D: { beginRange: '0', pricePerUnit: { USD: '9' } } } } },
    },
  },
});

describe('findPrice', () => {
  it.each([
    ['with the prefix of a region', offerOf('EUC1-WriteRequestUnits', ['0', '0.0000007625']), 7.625e-7],
    ['without one', offerOf('WriteRequestUnits', ['0', '0.000000625']), 6.25e-7],
    ['behind a free tier', offerOf('WriteRequestUnits', ['0', '0'], ['25', '0.25']), 0.25],
    ['of the first range', offerOf('WriteRequestUnits', ['300', '0.9'], ['0', '1']), 1],
  ])('finds a price %s', (_, offer, expected) => {
    expect(findPrice(offer, 'WriteRequestUnits')).toBe(expected);
  });

  it('takes no other product, and none of two that differ', () => {
    expect(findPrice(offerOf('EUC1-ReplicatedWriteRequestUnits', ['0', '1']), 'WriteRequestUnits')).toBeUndefined();
    const one = offerOf('WriteRequestUnits', ['0', '1']);
    const two = { ...one, products: { ...one.products, OTHER: { attributes: { usagetype: 'WriteRequestUnits' } } } };
    expect(findPrice(two, 'WriteRequestUnits')).toBeUndefined();
  });
});

describe('refreshPrices', () => {
  it('writes what the lists say, with its month, and names what it did not find', async () => {
    const asked: string[] = [];
    const { table, unread } = await refreshPrices(
      stored,
      async (service, region) => {
        asked.push(`${service} ${region}`);
        return offerOf('WriteRequestUnits', ['0', '0.5']);
      },
      '2027-02-03',
    );
    expect(table.dated).toBe('2027-02-03');
    expect(table.prices['dynamoWrite']?.usd['us-east-1']).toEqual({ amount: 0.5, checked: '2027-02' });
    expect(table.prices['natHour']).toEqual(stored.prices.natHour);
    expect(unread).toContain('natHour eu-central-1');
    expect(unread).not.toContain('dynamoWrite us-east-1');
    expect(new Set(asked).size).toBe(asked.length);
  });
});
