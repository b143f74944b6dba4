import { randomUUID } from 'node:crypto';
import type { ExpectedCall } from '#bench/support/expected-call.ts';
import { type MeasuredShop, openMeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scale } from '#bench/support/scale.ts';
import { saleBodyOf } from '#bench/support/shop.ts';
import { dollarsFor, dollarsToKeep, gigabytes, priceRow, together } from './dollars.ts';
import { idleMonth } from './idle.ts';
import { ASSUMED, PRICES } from './prices.ts';
import { useOfStocktake } from './stocktake.ts';
import { synthesizeAll } from './templates.ts';
import { useOf, useOfStoring } from './use.ts';
import { warmMonth } from './warm.ts';

const MILLION = 1_000_000;

/** Size of a sample: the units of a sale vary with its stock levels. */
interface Sample {
  readonly lines: readonly number[];
  readonly times: number;
  readonly positions: number;
}

const SAMPLE: Sample = { lines: [1, 3, 10, 100], times: 20, positions: 1000 };
const SMALLEST: Sample = { lines: [1], times: 1, positions: 10 };

/** A shop's month: a thousand sales a day, its stocktakes, and the reads of its screens. */
const MONTH = { sales: 30_000, lines: 3, counts: 3, reads: 200_000 };

/** Metrics that trade logs: five of its own, retries, and recoveries. */
const TRADE_METRICS = 7;

/**
 * Prices a million sales of several sizes, a shop's month, a month without requests, and one in which the
 * functions of a till's first minute are stored warm.
 */
export async function measureCost({ isSmallest }: Scale): Promise<readonly object[]> {
  // With a stage, log lines contain the figures of the metrics.
  process.env['STAGE'] = 'bench';
  const sample = isSmallest ? SMALLEST : SAMPLE;
  const stage = await openMeasuredShop({ products: sample.positions, desks: 1, pieces: 10_000 });
  const rows: object[] = [];
  for (const lines of sample.lines) {
    const use = await useOfStoring(stage, sample.times, () => saleOf(stage, lines));
    const row = priceRow(`a million sales of ${lines}`, dollarsFor(MILLION, use));
    const stored = MILLION * use.stored_bytes;
    rows.push({ ...row, kept_gb: gigabytes(stored), each_later_month: dollarsToKeep(stored) });
  }
  rows.push(priceRow("a shop's month", await monthOf(stage, sample)));
  await stage.stop();
  const resources = synthesizeAll('WARM=1', 'CONCURRENCY=1000');
  rows.push(priceRow('an idle month', idleMonth(resources)));
  rows.push(priceRow('a month of WARM=1, beside that', warmMonth(resources)));
  return rows;
}

async function monthOf(stage: MeasuredShop, { times, positions }: Sample) {
  const sale = await useOfStoring(stage, times, () => saleOf(stage, MONTH.lines));
  const prices = [
    dollarsFor(MONTH.sales, sale),
    dollarsFor(MONTH.counts, await useOfStocktake(stage, positions)),
  ];
  for (const request of READS) {
    const use = await useOf(stage, times, () => ({ request }));
    prices.push(dollarsFor(MONTH.reads / READS.length, use));
  }
  const metrics = (TRADE_METRICS + ASSUMED.refusal_codes) * PRICES.month.metric;
  return { ...together(prices), fixed: metrics };
}

/** Reads of a shop's screens. */
const READS = [
  'GET /company/product/product',
  'GET /company/stock/product',
  'GET /company/trade/sale',
  'GET /company/client/client',
];

/** Builds a sale with a key of its own: a repeated key would not sell again. */
function saleOf({ shop }: MeasuredShop, lines: number): ExpectedCall {
  const json = saleBodyOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, lines));
  return { request: 'POST /company/trade/sale', json, headers: { 'idempotency-key': randomUUID() } };
}
