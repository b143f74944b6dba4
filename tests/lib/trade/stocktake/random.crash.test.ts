import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOf } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, type Shop, sellOne } from '#tests/support/shop.ts';
import { PURCHASES } from '#tests/support/stock.ts';
import {
  count,
  countSeen,
  endStocktake,
  INVENTORIES,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';

const PRODUCTS = 3;

/** A sale or a goods receipt of pieces of a product. */
interface Movement {
  readonly kind: 'sale' | 'receipt';
  readonly product: number;
  readonly pieces: number;
}

/** A stocktake with the movements before it, and at the moments of its steps. */
interface Day {
  readonly before: readonly Movement[];
  readonly starting: readonly Movement[];
  readonly counting: readonly Movement[];
  readonly ending: readonly Movement[];
  /** Rounds of counting: a quantity of each product, or null if it is not counted. */
  readonly rounds: readonly (readonly (number | null)[])[];
  readonly end: 'complete' | 'cancel';
}

const movements: fc.Arbitrary<Movement[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('sale', 'sale', 'receipt'),
    product: fc.integer({ min: 0, max: PRODUCTS - 1 }),
    pieces: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 5 },
);

const round = fc.array(fc.option(fc.integer({ min: 0, max: 12 })), {
  minLength: PRODUCTS,
  maxLength: PRODUCTS,
});

const day: fc.Arbitrary<Day> = fc.record({
  before: movements,
  starting: movements,
  counting: movements,
  ending: movements,
  rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom('complete', 'complete', 'cancel'),
});

/** A shop with its expected books. */
class Store {
  readonly shop: Shop;
  readonly ids: readonly number[];
  readonly books = Array.from({ length: PRODUCTS }, () => 8);

  private constructor(shop: Shop, ids: readonly number[]) {
    this.shop = shop;
    this.ids = ids;
  }

  static async open(): Promise<Store> {
    const shop = await newShop();
    const ids: number[] = [];
    while (ids.length < PRODUCTS) ids.push(await newGoods(shop, [{ quantity: 8, cost: 1 }]));
    return new Store(shop, ids);
  }

  /** Makes all movements at once; returns the moved quantities by product. */
  async move(wanted: readonly Movement[]): Promise<number[]> {
    const moved = this.ids.map(() => 0);
    await Promise.all(
      wanted.map(async ({ kind, product, pieces }) => {
        const id = this.ids[product] ?? 0;
        const status = kind === 'sale' ? await this.sell(id, pieces) : await this.receive(id, pieces);
        expect([200, 400, 409, 422]).toContain(status);
        const way = kind === 'sale' ? -1 : 1;
        if (status === 200) moved[product] = (moved[product] ?? 0) + way * pieces;
      }),
    );
    return moved;
  }

  book(moved: readonly number[]): void {
    for (const [index, pieces] of moved.entries()) this.books[index] = (this.books[index] ?? 0) + pieces;
  }

  /** Counts some products; returns the accepted counts. */
  async countRound(
    id: number,
    pieces: readonly (number | null)[],
    counted: Map<number, number>,
  ): Promise<void> {
    for (const [index, actual] of pieces.entries()) {
      if (actual === null) continue;
      const { status } = await count(this.shop, id, [[this.ids[index] ?? 0, actual]]);
      if (status === 200) counted.set(index, actual);
      else expect([status, actual, this.books[index]]).toEqual([422, 0, 0]);
    }
  }

  /** Drops uncounted positions, so that the stocktake can be completed. */
  async dropUnchecked(id: number): Promise<void> {
    const { products } = await countSeen(this.shop.director, id);
    const open = products.filter(({ is_checked }) => !is_checked).map((line) => line.id);
    if (open.length === 0) return;
    const request = `PATCH ${INVENTORIES}/${id}/remove-products`;
    const json = { products_tmp: open };
    expect((await call(request, { token: this.shop.director, json })).status).toBe(200);
  }

  async expectBooks(): Promise<void> {
    expect(await Promise.all(this.ids.map((id) => piecesOf(this.shop, id)))).toEqual(this.books);
    expect(this.books.every((pieces) => pieces >= 0)).toBe(true);
  }

  private async sell(id: number, pieces: number): Promise<number> {
    return (await sellOne(this.shop, id, pieces, 5000)).status;
  }

  private async receive(product_id: number, quantity: number): Promise<number> {
    const { director: token, stockId: stock_id } = this.shop;
    const products = [{ product_id, quantity, cost: 3 }];
    const draft = await make(PURCHASES, token, { stock_id, currency: 'uzs', products });
    return (await call(`PATCH ${PURCHASES}/${draft}/complete`, { token })).status;
  }
}

async function live(store: Store, { before, starting, counting, ending, rounds, end }: Day): Promise<void> {
  store.book(await store.move(before));
  const [id, meanwhile] = await Promise.all([startStocktake(store.shop), store.move(starting)]);
  store.book(meanwhile);
  const refused = store.move(counting);
  const counted = new Map<number, number>();
  for (const pieces of rounds) await store.countRound(id, pieces, counted);
  expect(await refused).toEqual(store.ids.map(() => 0));
  await store.dropUnchecked(id);
  const [reply, later] = await Promise.all([endStocktake(store.shop, id, end), store.move(ending)]);
  expect(reply.status).toBe(200);
  if (end === 'complete') for (const [index, actual] of counted) store.books[index] = actual;
  store.book(later);
  await store.expectBooks();
}

test('with any sales and receipts beside a stocktake, books add up, and stock is the count less later movements', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 2 }), async (days) => {
      const store = await Store.open();
      for (const each of days) await live(store, each);
      await waitUntilFinished(store.shop, store.ids);
      await store.expectBooks();
      expect(await faultsOf(store.shop)).toEqual([]);
    }),
    { numRuns: 10 },
  );
});
