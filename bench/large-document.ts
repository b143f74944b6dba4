import { setTimeout as pause } from 'node:timers/promises';
import { expectAnswer } from './support/expected-call.ts';
import { type MeasuredShop, openMeasuredShop } from './support/measured-shop.ts';
import { type Scale, sizesOf } from './support/scale.ts';
import { lineOf, quantile } from './support/service.ts';
import { saleBodyOf } from './support/shop.ts';
import { offer, type TimedSale, timeSale } from './trade/rush.ts';

const LINES = 1000;
const DESKS = 20;

/** Sales per second, that of the smallest run first. */
const RATES = [5, 0, 10, 20];

/** Duration of sales before the document starts, and after it. */
const BEFORE_MS = 3000;
const AFTER_MS = 2000;

/** Completes a goods receipt of a thousand lines beside concurrent sales, each of one of its products. */
export async function measureLargeDocuments(scale: Scale): Promise<object[]> {
  const products = scale.isSmallest ? 101 : LINES;
  const stage = await openMeasuredShop({ products, desks: DESKS, pieces: 10_000 });
  const figures: object[] = [];
  for (const rate of sizesOf(scale, RATES)) figures.push(await besideSales(stage, rate));
  await stage.stop();
  return figures;
}

/** Completes one beside this many sales a second. Times in milliseconds. */
async function besideSales({ service, client, shop }: MeasuredShop, rate: number) {
  const products = shop.products.map((product_id) => ({ product_id, quantity: 10, cost: 3000 }));
  const receipt = { stock_id: shop.stock, currency: 'uzs', products };
  const id = await client.make('/company/trade/purchase', receipt);
  let isOver = false;
  const sellOne = (each: number): Promise<TimedSale> => {
    const product = shop.products[Math.floor(Math.random() * shop.products.length)] ?? 0;
    return timeSale(client, saleBodyOf(shop, shop.desks[each % DESKS] ?? 0, [product]));
  };
  const selling = rate > 0 ? offer(rate, (each) => !isOver && sellOne(each)) : [];
  await pause(BEFORE_MS);
  const began = performance.now();
  const reply = await expectAnswer(client, { request: `PATCH /company/trade/purchase/${id}/complete` });
  const ms = Math.round(performance.now() - began);
  await pause(AFTER_MS);
  isOver = true;
  const times = (await selling).map((sold) => sold.ms);
  const { conflicts } = await lineOf(service, reply);
  return {
    sales_a_second: rate,
    ms,
    /** Restarts after contention. */
    begun_again: conflicts,
    sales: times.length,
    p50_sale_ms: quantile(times),
    worst_sale_ms: Math.round(Math.max(0, ...times)),
  };
}
