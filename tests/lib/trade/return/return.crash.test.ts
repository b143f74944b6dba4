import { afterAll, describe, expect, test } from 'vitest';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { linesOfSale, readReturnList, returnsOf } from '#tests/support/returns.ts';
import { cashInDesk, newGoods, newShop, piecesOf, saleBody } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
const client_id = await addClient(shop);
const ids = await Promise.all([1, 2].map(() => newGoods(shop, [{ quantity: 1000, cost: 1 }])));
const actor = directorAs(shop.directorId, shop.companyId);

/** Sells a piece of each of two products, 4000 in cash and the rest on debt; half of it comes back. */
const returning = {
  prepare: async () => {
    const products = ids.map((product_id) => ({ product_id, sold_quantity: 2 }));
    const transactions = [
      { payment_type: 'cash', amount: 14_000 },
      { payment_type: 'debt', amount: 6000 },
    ];
    const json = saleBody(shop, { client_id, due_date: '2099-01-31', products, transactions });
    const { sale } = await sell(actor, SaleInput.parse(json), AT, { saveResponse: () => [] });
    const { id } = sale;
    const lines = await linesOfSale(shop, id);
    return { id, lines, cash: await cashInDesk(shop), pieces: await piecesOf(shop, ids[0] ?? 0) };
  },
  run: ({ id, lines }: { id: number; lines: { id: number }[] }, saveResponse: () => Write[]) => {
    const products = lines.map((line) => ({ id: line.id, reason_type: 'defective', returned_quantity: 1 }));
    const transactions = [{ payment_type: 'cash', amount: 4000 }];
    return returnGoods(actor, { id, ...ReturnInput.parse({ products, transactions }) }, AT, saveResponse);
  },
  check: async ({ id, cash, pieces }: { id: number; cash: number; pieces: number }) => {
    expect([await cashInDesk(shop), await piecesOf(shop, ids[0] ?? 0)]).toEqual([cash - 4000, pieces + 1]);
    expect(await linesOfSale(shop, id)).toMatchObject([{ returned_quantity: 1 }, { returned_quantity: 1 }]);
    expect(await returnsOf(shop, id)).toMatchObject([{ amount: 1_000_000, debt_amount: 600_000 }]);
    expect(await readReturnList(shop, id)).toMatchObject([{ amount: 10_000, cost: 2 }]);
  },
};

describe('a return', () => {
  testDisrupted(proxy, 4, async () => returning);
});

test('the books of all these returns are right', async () => {
  const { violations, counts } = await readBooksOf(shop.companyId);
  expect(violations.map(({ subject, what }) => `${subject} ${what}`)).toEqual([]);
  expect(counts.get('returns')).toBeGreaterThan(8);
});
