import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectAnswer } from '#bench/support/expected-call.ts';
import { saleBodyOf, setUpShop } from '#bench/support/shop.ts';
import { fetchToken, type Person, personOf } from '#bin/cli/person.ts';
import { startProcess } from '#bin/local/process.ts';
import { CALLERS, type Stock, type Stocked } from './calls.ts';
import { copySales } from './copy-sales.ts';

/** A checkout of the project whose service runs, with its data. */
export interface Checkout extends Stocked {
  readonly name: string;
  readonly client: Person;
  stop(): Promise<void>;
}

/**
 * Both of Java's compilers, whatever options a version starts its database with: this variable takes
 * precedence. No stream: its consumers are separate functions on AWS, and older versions have none.
 */
const ALIKE = { _JAVA_OPTIONS: '-XX:TieredStopAtLevel=4', WITHOUT_STREAM: '1' };

/** Enough new sales that a version with an index worker notifies it. */
const ENOUGH_SALES = 64;

/** Response time of a list once that worker has built its indexes. */
const FAST_MS = 250;
const MAX_LOOKS = 1000;

/** Starts the service of each checkout, and loads products and sales. */
export function startCheckouts(checkouts: readonly string[], stock: Stock): Promise<Checkout[]> {
  const paths = checkouts.map((checkout) => resolve(checkout));
  return Promise.all(
    paths.map((path, place) => {
      const isTwice = paths.indexOf(path) !== place;
      return start(path, isTwice ? `${basename(path)} ${place}` : basename(path), stock);
    }),
  );
}

async function start(checkout: string, name: string, { goods, sales }: Stock): Promise<Checkout> {
  const { address, settings, stop } = await startProcess(ALIKE, { checkout });
  const client = personOf(address, await fetchToken(address, 'director'));
  const shop = await setUpShop(client, { products: goods, desks: CALLERS });
  const sell = () => {
    const json = saleBodyOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, 1));
    return expectAnswer(client, { request: 'POST /company/trade/sale', json });
  };
  await sell();
  if (sales > 0) {
    await copySales(settings, sales, Date.now());
    for (let sold = 0; sold < ENOUGH_SALES; sold++) await sell();
  }
  return { name, client, shop, sales: await countSales(client), stop };
}

/** Waits until the list of sales is fast, and returns its total. */
async function countSales(client: Person): Promise<number> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const began = performance.now();
    const list = await client.send('GET /company/trade/sale?page=2');
    if (list.status === 200 && performance.now() - began < FAST_MS) return list.number('meta.total');
    await pause(50);
  }
  throw new Error('The list of sales does not become fast');
}
