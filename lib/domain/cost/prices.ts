import table from './prices.json' with { type: 'json' };

/** What a price is for, as the table names it. */
export type PriceName = keyof typeof table.prices;

/** Regions whose prices the table holds. */
export type PricedRegion = 'us-east-1' | 'eu-central-1';

/** One unit price. */
export interface Price {
  readonly name: PriceName;
  readonly unit: string;
  readonly usd: number;
  /** Month in which somebody read it at its source; null: from memory. */
  readonly checked: string | null;
  readonly source: string;
}

/** The unit prices of a region. */
export interface PriceList {
  /** When the table was last gone through. */
  readonly dated: string;
  /** The region that was asked for. */
  readonly region: string;
  /** Whose prices these are: the region's own, or those of a region that the table holds in its place. */
  readonly pricesOf: PricedRegion;
  readonly prices: Readonly<Record<PriceName, Price>>;
}

/** Dearer than us-east-1 in each service that Healer uses, and so the one that stands in for a region without prices. */
const STAND_IN: PricedRegion = 'eu-central-1';

const isPriced = (region: string): region is PricedRegion => region === 'us-east-1' || region === 'eu-central-1';

/** Prices of a region; those of Frankfurt, and said so, where the table has none of its own. */
export function priceList(region: string): PriceList {
  const pricesOf = isPriced(region) ? region : STAND_IN;
  const names = Object.keys(table.prices) as PriceName[];
  const prices = names.map((name): [PriceName, Price] => {
    const { unit, usd, source } = table.prices[name];
    const { amount, checked } = usd[pricesOf];
    return [name, { name, unit, usd: amount, checked, source }];
  });
  return { dated: table.dated, region, pricesOf, prices: Object.fromEntries(prices) as PriceList['prices'] };
}
