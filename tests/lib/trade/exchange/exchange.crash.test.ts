import { afterAll, describe, expect, test } from 'vitest';
import * as clients from '#lib/clients/client.ts';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newClientWithTariff } from '#tests/support/clients.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { linesOfSale, readReturnList, returnsOf } from '#tests/support/returns.ts';
import { cashInDesk, newGoods, newShop, piecesOf, saleBody } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
const client_id = await newClientWithTariff(shop, 10);
const taken = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
const cheap = await newGoods(shop, [{ quantity: 1000, cost: 1 }], { sale_price: 2000 });
const actor = directorAs(shop.directorId, shop.companyId);

const bonuses = async () => {
  const { bonus_accumulations_amount = 0 } = await clients.get(actor, client_id, [], AT);
  return bonus_accumulations_amount;
};

/**
 * Two pieces at 5000, 1000 of it on debt, which earn 900; one comes back for another at 2000, so 2000 are
 * paid out, and their 200 taken back. Those of the 2000 that go on stay.
 */
const exchanging = {
  prepare: async () => {
    const products = [{ product_id: taken, sold_quantity: 2 }];
    const transactions = [
      { payment_type: 'cash', amount: 9000 },
      { payment_type: 'debt', amount: 1000 },
    ];
    const json = saleBody(shop, { client_id, due_date: '2099-01-31', products, transactions });
    const { sale } = await sell(actor, SaleInput.parse(json), AT, { saveResponse: () => [] });
    const { id } = sale;
    const [line] = await linesOfSale(shop, id);
    const before = [await cashInDesk(shop), await piecesOf(shop, taken), await piecesOf(shop, cheap)];
    return { id, line: line?.id ?? 0, before, had: await bonuses() };
  },
  run: ({ id, line }: { id: number; line: number }, saveResponse: () => Write[]) => {
    const input = {
      ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
      client_id,
      returned_products: [{ id: line, reason_type: 'not_match', returned_quantity: 1 }],
      products: [{ product_id: cheap, sold_quantity: 1 }],
      transactions: [{ payment_type: 'cash', amount: 2000 }],
    };
    return exchange(actor, { id, ...ExchangeInput.parse(input) }, AT, saveResponse);
  },
  check: async ({ id, before, had }: { id: number; before: number[]; had: number }) => {
    const [cash = 0, back = 0, gone = 0] = before;
    const now = [await cashInDesk(shop), await piecesOf(shop, taken), await piecesOf(shop, cheap)];
    expect(now).toEqual([cash - 2000, back + 1, gone - 1]);
    const bonus = { passed_on_bonus_amount: 20_000, bonus_amount: 20_000 };
    const value = { exchanged_amount: 200_000, debt_amount: 100_000 };
    expect(await returnsOf(shop, id)).toMatchObject([{ ...value, ...bonus }]);
    expect(await readReturnList(shop, id)).toMatchObject([{ amount: 5000, cost: 1 }]);
    expect(await bonuses()).toBe(had - 20_000);
  },
};

describe('an exchange, bonuses too (Contract 9.79)', () => {
  testDisrupted(proxy, 4, async () => exchanging);
});

test('the books of all these exchanges are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
