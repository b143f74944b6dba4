import { setTimeout as pause } from 'node:timers/promises';
import { type MeasuredShop, openMeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scale } from '#bench/support/scale.ts';
import { quantile } from '#bench/support/service.ts';
import { saleBodyOf } from '#bench/support/shop.ts';
import { offer, timeSale } from '#bench/trade/rush.ts';
import { fetchSyncPage } from './page.ts';

/** Sales a second, unless `RATE=10` asks for others: a busy machine makes no fifty. */
const USUAL_RATE = 50;
const SECONDS = 20;
const DESKS = 10;
const PRODUCTS = 100;

/** A minute allows thirty answers with nothing left. */
const REST_MS = 2_100;

/** As many entries as a page has unless it is said. */
const LIMIT = 200;

/** Longer than all of it takes. */
const PATIENCE_MS = 180_000;

/**
 * Measures how long after its answer a sale is in a copy, while many a second are made and one reader reads
 * on as often as it may. Throws if one is missed.
 */
export async function measureBeside({ isSmallest }: Scale): Promise<readonly object[]> {
  const stage = await openMeasuredShop({ products: PRODUCTS, desks: DESKS });
  const rate = Number(process.env['RATE'] ?? USUAL_RATE);
  const count = isSmallest ? 10 : rate * SECONDS;
  const begun = await readFrom(stage, undefined, () => undefined);
  const sold = new Map<number, number>();
  const read = new Map<number, number>();
  const began = performance.now();
  const selling = sell(stage, { rate, count, sold });
  await Promise.all([selling, readAll(stage, { from: begun, count, read })]);
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

/** Sales to be made, and when each was answered, by its id. */
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

/** Reads on until so many sales have come. */
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

/** Reads until nothing is left, and tells each sale that comes; answers with the cursor. */
async function readFrom(
  stage: MeasuredShop,
  from: string | undefined,
  tell: (id: number) => void,
): Promise<string> {
  for (let cursor = from; ; ) {
    const page = await fetchSyncPage(stage, cursor, LIMIT);
    for (const { id } of page.data) tell(id);
    cursor = page.cursor;
    if (!page.has_more) return cursor;
  }
}
