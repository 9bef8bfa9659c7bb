import { readFileSync, writeFileSync } from 'node:fs';
import { type Offer, type PriceTable, refreshPrices } from './refresh-prices/refresh-prices.ts';

/**
 * `node scripts/run.mjs scripts/refresh-prices.ts`: reads AWS's public price lists (no credentials; some tens of MB), writes
 * what they say into lib/domain/cost/prices.json with this month as `checked`, and names what has to be read by hand. Look
 * at the difference before you commit it.
 */
const TABLE = new URL('../lib/domain/cost/prices.json', import.meta.url);
const LISTS = 'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws';

async function fetchOffer(service: string, region: string): Promise<Offer> {
  const url = `${LISTS}/${service}/current/${region}/index.json`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as Offer;
}

const table = JSON.parse(readFileSync(TABLE, 'utf8')) as PriceTable;
const today = new Date().toISOString().slice(0, 10);
const { table: refreshed, unread } = await refreshPrices(table, fetchOffer, today);
writeFileSync(TABLE, `${JSON.stringify(refreshed, null, 2)}\n`);
console.log(`prices of ${today} written; read these by hand: ${unread.join(', ') || 'none'}`);
