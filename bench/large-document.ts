import { setTimeout as pause } from 'node:timers/promises';
import { type Client, make, signIn } from '#bin/demo/client.ts';
import { linesOf, quantile, startMeasured } from './service.ts';
import { chequeOf, type Shop, setUpShop } from './shop.ts';

/** The cost of a receipt of a thousand lines while its products are being sold. Times in milliseconds. */
export interface LargeDocumentFigure {
  readonly sales_a_second: number;
  readonly status: number;
  readonly ms: number;
  /** How often it was overtaken, and began again. */
  readonly begun_again: number;
  readonly written_units: number;
  readonly sales: number;
  readonly failed_sales: number;
  readonly p50_sale_ms: number;
  readonly worst_sale_ms: number;
}

const LINES = 1000;
const DESKS = 20;
const RATES = [0, 5, 10, 20];
const COMPLETE = 'PATCH /company/trade/purchase/{model}/complete';

/** How long is sold before the document comes, and how long after it. */
const BEFORE_MS = 3000;
const AFTER_MS = 2000;

/** Completes a receipt of a thousand lines beside some sales a second, each of one of its products. */
export async function measureLargeDocuments(): Promise<LargeDocumentFigure[]> {
  const service = await startMeasured();
  const client = await signIn(service.address, 'director');
  const shop = await setUpShop(client, LINES, DESKS, 10_000);
  const figures: LargeDocumentFigure[] = [];
  for (const rate of RATES) {
    const lines = shop.products.map((product_id) => ({ product_id, quantity: 10, cost: 3000 }));
    const id = await make(client, '/company/trade/purchase', {
      stock_id: shop.stock,
      currency: 'uzs',
      products: lines,
    });
    const selling = new AbortController();
    const sales = sellAt(rate, client, shop, selling.signal);
    await pause(BEFORE_MS);
    const began = performance.now();
    const { status } = await client(`PATCH /company/trade/purchase/${id}/complete`);
    const ms = performance.now() - began;
    await pause(AFTER_MS);
    selling.abort();
    const made = await sales;
    const told = await linesOf(service, COMPLETE, figures.length + 2);
    const line = told.at(-1);
    figures.push({
      sales_a_second: rate,
      status,
      ms: Math.round(ms),
      begun_again: line?.conflicts ?? 0,
      written_units: line?.written_units ?? 0,
      sales: made.length,
      failed_sales: made.filter((sale) => sale.status !== 200).length,
      p50_sale_ms: quantile(made.map((sale) => sale.ms)),
      worst_sale_ms: Math.round(Math.max(0, ...made.map((sale) => sale.ms))),
    });
  }
  await service.stop();
  return figures;
}

interface Sold {
  readonly status: number;
  readonly ms: number;
}

/**
 * Sells one piece of a random product `rate` times a second, whether the sales before are answered or not.
 */
async function sellAt(rate: number, client: Client, shop: Shop, signal: AbortSignal): Promise<Sold[]> {
  const made: Promise<Sold>[] = [];
  const began = performance.now();
  for (let each = 0; rate > 0 && !signal.aborted; each++) {
    await pause(Math.max(0, began + (each * 1000) / rate - performance.now()));
    made.push(sellOne(client, shop, shop.desks[each % DESKS] ?? 0));
  }
  return Promise.all(made);
}

async function sellOne(client: Client, shop: Shop, desk: number): Promise<Sold> {
  const product = shop.products[Math.floor(Math.random() * shop.products.length)] ?? 0;
  const began = performance.now();
  const { status } = await client('POST /company/trade/sale', chequeOf(shop, desk, [product]));
  return { status, ms: performance.now() - began };
}
