import { afterAll, describe, expect, test } from 'vitest';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { faultsOf } from '#tests/support/books.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { allCashOf, inCash } from '#tests/support/foreign.ts';
import { returnsOf } from '#tests/support/returns.ts';
import { newGoods, newShop, saleBody, setRate } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
await setRate(shop, 'usd', 12_500);
const id = await newGoods(shop, [{ quantity: 10_000, cost: 1 }]);
const actor = directorAs(shop.directorId, shop.companyId);

/** Sells pieces at 5000. */
async function sellFor(pieces: number, transactions: object[], saveResponse: () => Write[] = () => []) {
  const products = [{ product_id: id, sold_quantity: pieces }];
  const input = SaleInput.parse(saleBody(shop, { products, transactions }));
  const { sale } = await sell(actor, input, AT, { saveResponse });
  return sale;
}

// Enough for the change of all tests.
await sellFor(1000, [inCash(5_000_000)]);

/** Sells at 25 000 for three dollars: 12 500 are given back. */
const selling = {
  prepare: () => allCashOf(shop),
  run: (_: unknown, saveResponse: () => Write[]) => sellFor(5, [inCash(3, 'usd')], saveResponse),
  check: async ({ uzs = 0, usd = 0 }: Record<string, number>) => {
    expect(await allCashOf(shop)).toMatchObject({ uzs: uzs - 12_500, usd: usd + 3 });
  },
};

/** Returns two pieces at 5000 for the 0.8 dollars that they cost. */
const returning = {
  prepare: async () => {
    const sale = await sellFor(2, [inCash(0.8, 'usd')]);
    return { id: sale.id, ...(await allCashOf(shop)) };
  },
  run: (sale: { id: number }, saveResponse: () => Write[]) => {
    const input = ReturnInput.parse({ transactions: [inCash(0.8, 'usd')] });
    return returnGoods(actor, { ...input, id: sale.id }, AT, saveResponse);
  },
  check: async (sale: { id: number; uzs?: number; usd?: number }) => {
    const usd = Math.round(((sale.usd ?? 0) - 0.8) * 100) / 100;
    expect(await allCashOf(shop)).toMatchObject({ uzs: sale.uzs, usd });
    expect(await returnsOf(shop, sale.id)).toMatchObject([{ amount: 1_000_000 }]);
  },
};

describe('a sale with change', () => {
  testDisrupted(proxy, 4, async () => selling);
});

describe('a return in dollars', () => {
  testDisrupted(proxy, 4, async () => returning);
});

test('two sales at once at a desk with the change for one: one is made', async () => {
  const { uzs = 0 } = await allCashOf(shop);
  const dollars = Math.floor(uzs / 12_500) - 1;
  const both = await Promise.allSettled([1, 2].map(() => sellFor(1, [inCash(dollars, 'usd')])));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('the books of all these sales and returns are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
