/** The table of prices as it is stored. */
export interface PriceTable {
  readonly dated: string;
  readonly prices: Readonly<Record<string, PriceEntry>>;
}

interface PriceEntry {
  readonly unit: string;
  readonly usd: Readonly<Record<string, { readonly amount: number; readonly checked: string | null }>>;
  readonly source: string;
  /** Where AWS's price list has it; null: it has to be read by hand. */
  readonly offer: { readonly service: string; readonly usageType: string } | null;
}

/** What is used of one service's price list in one region (AWS: Price List Bulk API). */
export interface Offer {
  readonly products: Readonly<Record<string, { readonly attributes: { readonly usagetype?: string } }>>;
  readonly terms: {
    readonly OnDemand?: Readonly<
      Record<string, Readonly<Record<string, { readonly priceDimensions: Readonly<Record<string, Dimension>> }>>>
    >;
  };
}

interface Dimension {
  readonly beginRange?: string;
  readonly pricePerUnit: { readonly USD?: string };
}

export type FetchOffer = (service: string, region: string) => Promise<Offer>;

/**
 * The table with what the price lists say. A price that no list has, or that is not one number, stays as it is and is named
 * in `unread` as `price region`.
 */
export async function refreshPrices(
  table: PriceTable,
  fetchOffer: FetchOffer,
  today: string,
): Promise<{ table: PriceTable; unread: readonly string[] }> {
  const unread: string[] = [];
  const offers = new Map<string, Promise<Offer>>();
  const offerOf = (service: string, region: string) => {
    const key = `${service} ${region}`;
    const offer = offers.get(key) ?? fetchOffer(service, region);
    offers.set(key, offer);
    return offer;
  };
  const prices: Record<string, PriceEntry> = {};
  for (const [name, entry] of Object.entries(table.prices)) {
    const usd: Record<string, PriceEntry['usd'][string]> = {};
    for (const [region, old] of Object.entries(entry.usd)) {
      const { offer } = entry;
      const amount = offer === null ? undefined : findPrice(await offerOf(offer.service, region), offer.usageType);
      if (amount === undefined) unread.push(`${name} ${region}`);
      usd[region] = amount === undefined ? old : { amount, checked: today.slice(0, 7) };
    }
    prices[name] = { ...entry, usd };
  }
  return { table: { dated: today, prices }, unread };
}

/** The first price that is not free, of the one product with that usage type; a region's prefix (`EUC1-`) does not count. */
export function findPrice({ products, terms }: Offer, usageType: string): number | undefined {
  const isIt = new RegExp(`^(?:[A-Z]{2,4}\\d?-)?${usageType.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  const skus = Object.entries(products).flatMap(([sku, { attributes }]) =>
    isIt.test(attributes.usagetype ?? '') ? [sku] : [],
  );
  const found = skus.flatMap((sku) => {
    const dimensions = Object.values(terms.OnDemand?.[sku] ?? {}).flatMap((term) =>
      Object.values(term.priceDimensions),
    );
    const [first] = dimensions
      .map(({ beginRange = '0', pricePerUnit }) => ({ from: Number(beginRange), usd: Number(pricePerUnit.USD) }))
      .filter(({ usd }) => usd > 0)
      .toSorted((a, b) => a.from - b.from);
    return first === undefined ? [] : [first.usd];
  });
  return new Set(found).size === 1 ? found[0] : undefined;
}
