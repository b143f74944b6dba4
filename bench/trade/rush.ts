import { setTimeout as pause } from 'node:timers/promises';
import { type ExpectedCall, expectAnswer } from '#bench/support/expected-call.ts';
import { type MeasuredShop, openMeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scale } from '#bench/support/scale.ts';
import { lineOf, quantile } from '#bench/support/service.ts';
import { addGoods, type BenchShop, saleBodyOf, takeIn } from '#bench/support/shop.ts';
import type { Person, Reply } from '#bin/cli/person.ts';

/** A completed sale, with its time in milliseconds. */
export interface TimedSale {
  readonly reply: Reply;
  readonly ms: number;
}

const DESKS = 20;

/** Sells from many desks at once. */
export async function measureRush({ isSmallest }: Scale) {
  const stage = await openMeasuredShop({ products: isSmallest ? 10 : 100, desks: DESKS });
  const figures = [
    await eightCallers(stage, isSmallest ? 1 : 25),
    await fiftyASecond(stage, isSmallest ? 10 : 500),
    await lastPieces(stage, isSmallest ? 10 : 100),
  ];
  await stage.stop();
  return figures;
}

/** Sells with eight callers, each at a desk of its own, as fast as possible, from the same ten products. */
async function eightCallers(stage: MeasuredShop, each: number) {
  const { client, shop } = stage;
  const callers = shop.desks.slice(0, 8).map(async (desk) => {
    const made: TimedSale[] = [];
    while (made.length < each) made.push(await timeSale(client, smallCart(shop, desk, 10)));
    return made;
  });
  return figureOf(stage, '1..3 of 10 products, eight callers', (await Promise.all(callers)).flat());
}

/** Starts fifty sales a second at ten desks, without waiting for earlier responses. */
async function fiftyASecond(stage: MeasuredShop, count: number) {
  const { client, shop } = stage;
  const { length } = shop.products;
  const made = await offer(50, (each) => {
    return each < count && timeSale(client, smallCart(shop, shop.desks[each % 10] ?? 0, length));
  });
  return figureOf(stage, `1..3 of ${length} products, 50 a second at ten desks`, made);
}

/**
 * Sells one product at twenty desks until its stock is exhausted. Throws unless all pieces were sold, and no
 * more.
 */
async function lastPieces(stage: MeasuredShop, pieces: number) {
  const { client, shop } = stage;
  const scarce = await addGoods(client, shop, 'Scarce');
  await takeIn(client, shop, [scarce], pieces);
  const desks = shop.desks.map(async (desk) => {
    const made: TimedSale[] = [];
    while (made.at(-1)?.reply.status !== 422) {
      made.push(await timeSale(client, saleBodyOf(shop, desk, [scarce]), { mayBe: 422 }));
    }
    return made.slice(0, -1);
  });
  const sold = (await Promise.all(desks)).flat();
  if (sold.length !== pieces)
    throw new Error(`Twenty desks sold ${sold.length} of the last ${pieces} pieces`);
  return figureOf(stage, `the last ${pieces} pieces of one product, twenty desks`, sold);
}

/** Starts this many sales a second without waiting for earlier responses, and then waits for all of them. */
export async function offer(
  rate: number,
  next: (each: number) => Promise<TimedSale> | false,
): Promise<TimedSale[]> {
  const made: Promise<TimedSale>[] = [];
  const began = performance.now();
  for (;;) {
    await pause(Math.max(0, began + (made.length * 1000) / rate - performance.now()));
    const selling = next(made.length);
    if (!selling) return Promise.all(made);
    made.push(selling);
  }
}

/** Makes a sale, and measures its time. */
export async function timeSale(
  client: Person,
  json: object,
  expected: Pick<ExpectedCall, 'mayBe'> = {},
): Promise<TimedSale> {
  const began = performance.now();
  const reply = await expectAnswer(client, { request: 'POST /company/trade/sale', json, ...expected });
  return { reply, ms: performance.now() - began };
}

function smallCart(shop: BenchShop, desk: number, among: number): object {
  const first = Math.floor(Math.random() * (among - 3));
  return saleBodyOf(shop, desk, shop.products.slice(first, first + 1 + Math.floor(Math.random() * 3)));
}

/** Returns the figures of selling at many desks at once. Times in milliseconds, over HTTP. */
async function figureOf({ service }: MeasuredShop, what: string, sold: readonly TimedSale[]) {
  const lines = await Promise.all(sold.map(({ reply }) => lineOf(service, reply)));
  const times = sold.map(({ ms }) => ms);
  return {
    what,
    sales: sold.length,
    p50_ms: quantile(times),
    p95_ms: quantile(times, 0.95),
    /** Retries after contention. */
    conflicts: lines.reduce((sum, { conflicts }) => sum + conflicts, 0),
  };
}
