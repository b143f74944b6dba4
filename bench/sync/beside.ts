import { setTimeout as pause } from 'node:timers/promises';
import { type MeasuredShop, openMeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scale } from '#bench/support/scale.ts';
import { quantile } from '#bench/support/service.ts';
import { saleBodyOf } from '#bench/support/shop.ts';
import { offer, timeSale } from '#bench/trade/rush.ts';
import { fetchSyncPage } from './page.ts';

/** Sales per second, unless `RATE=10` overrides it: a busy machine can't do fifty. */
const USUAL_RATE = 50;
const SECONDS = 20;
const DESKS = 10;
const PRODUCTS = 100;

/** Thirty final pages a minute are allowed. */
const REST_MS = 2_100;

/** Default entries of a page. */
const LIMIT = 200;

/** Timeout of the whole measurement. */
const PATIENCE_MS = 180_000;

/**
 * Measures the delay from a sale's response to its sync, while many a second are made and one reader syncs as
 * often as allowed. Throws if one is missed.
 */
export async function measureBeside({ isSmallest }: Scale): Promise<readonly object[]> {
  const stage = await openMeasuredShop({ products: PRODUCTS, desks: DESKS });
  const rate = Number(process.env['RATE'] ?? USUAL_RATE);
  const count = isSmallest ? 10 : rate * SECONDS;
  const started = await readFrom(stage, undefined, () => undefined);
  const sold = new Map<number, number>();
  const read = new Map<number, number>();
  const began = performance.now();
  const selling = sell(stage, { rate, count, sold });
  await Promise.all([selling, readAll(stage, { from: started, count, read })]);
  const seconds = (Math.max(...sold.values()) - began) / 1000;
  await stage.stop();
  const delays = [...sold].map(([id, at]) => Math.max(0, (read.get(id) ?? Number.NaN) - at));
  return [
    {
      what: `${count} sales, ${rate} a second offered, beside a reader`,
      sales_a_second: Math.round((count / seconds) * 10) / 10,
      delay_p50_ms: quantile(delays),
      delay_p99_ms: quantile(delays, 0.99),
      delay_most_ms: Math.round(Math.max(...delays)),
    },
  ];
}

/** Sales to make, and the time of each response by id. */
interface Selling {
  readonly rate: number;
  readonly count: number;
  readonly sold: Map<number, number>;
}

async function sell({ client, shop }: MeasuredShop, { rate, count, sold }: Selling): Promise<void> {
  await offer(rate, (each) => {
    if (each >= count) return false;
    const product = shop.products[each % PRODUCTS] ?? 0;
    return timeSale(client, saleBodyOf(shop, shop.desks[each % DESKS] ?? 0, [product])).then((made) => {
      sold.set(made.reply.number('id'), performance.now());
      return made;
    });
  });
}

/** Syncs until this many sales have arrived. */
async function readAll(
  stage: MeasuredShop,
  {
    from,
    count,
    read,
  }: { readonly from: string; readonly count: number; readonly read: Map<number, number> },
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let cursor = from; read.size < count; ) {
    await pause(REST_MS);
    if (performance.now() > end) throw new Error(`${read.size} of ${count} sales have come`);
    cursor = await readFrom(stage, cursor, (id) => void (read.has(id) || read.set(id, performance.now())));
  }
}

/** Syncs until nothing is left, reporting each sale; returns the cursor. */
async function readFrom(
  stage: MeasuredShop,
  from: string | undefined,
  onSale: (id: number) => void,
): Promise<string> {
  for (let cursor = from; ; ) {
    const page = await fetchSyncPage(stage, cursor, LIMIT);
    for (const { id } of page.data) onSale(id);
    cursor = page.cursor;
    if (!page.has_more) return cursor;
  }
}
