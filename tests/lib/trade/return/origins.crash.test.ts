import { afterAll, describe, expect, test } from 'vitest';
import { debts } from '#lib/clients/debt/record.ts';
import { readLines } from '#lib/records/lines.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { SaleLine } from '#lib/trade/sale/record.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, newClientWithTariff } from '#tests/support/clients.ts';
import { newWater } from '#tests/support/debts.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { cashInDesk, newShop, saleBody } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
const tenant = familyTenant(shop.companyId);
const actor = directorAs(shop.directorId, shop.companyId);
const [client_id, other, water] = await Promise.all([
  newClientWithTariff(shop, 10),
  addClient(shop, '998905550011'),
  newWater(shop),
]);

/** Returns the input for returning pieces of a sale's one line. */
async function lineBack(id: number, returned_quantity: number) {
  const [line] = await readLines(SaleLine, { type: 'sale', tenant, id }, 1);
  return [{ id: line?.id, reason_type: 'not_match' as const, returned_quantity }];
}

/** Exchanges all goods of a sale for as many others, and returns the new sale. */
async function swap(id: number, pieces: number, given: object): Promise<number> {
  const { companyId: company_id, cashboxId: cashbox_id, stockId: stock_id } = shop;
  const input = ExchangeInput.parse({
    ...{ company_id, cashbox_id, stock_id, currency: 'uzs', due_date: '2099-01-31' },
    returned_products: await lineBack(id, pieces),
    ...given,
  });
  return (await exchange(actor, { id, ...input }, AT, nothing)).exchange_sale.id;
}

const taking = (sold_quantity: number) => ({ products: [{ product_id: water, sold_quantity }] });

/**
 * Creates two exchanges in a row. Of the first sale 60 were paid and 40 are on debt; for the second, another
 * client owes 30 more; the third has no client.
 */
async function newChain() {
  const paid = [
    { payment_type: 'cash', amount: 60 },
    { payment_type: 'debt', amount: 40 },
  ];
  const lent = { client_id, due_date: '2099-01-31', ...taking(100), transactions: paid };
  const { sale } = await sell(actor, SaleInput.parse(saleBody(shop, lent)), AT, { saveResponse: nothing });
  const first = sale.id;
  const transactions = [{ payment_type: 'debt', amount: 30 }];
  const second = await swap(first, 100, { ...taking(130), transactions, client_id: other });
  const third = await swap(second, 130, taking(130));
  return { first, second, third };
}

type Chain = Awaited<ReturnType<typeof newChain>>;

async function leftOf({ first, second }: Chain): Promise<number[]> {
  const cheques = await Promise.all([first, second].map((id) => getItem(recordKey('sale', tenant, id))));
  const ids = cheques.map((sale) => Object(sale).transactions.at(-1).debt_id);
  const owed = await Promise.all(ids.map((id) => getItem(recordKey(debts.type, tenant, id))));
  return owed.map((item) => {
    const { amount, repaid_amount, returned_amount } = parseRecord(debts.schema, item);
    return (amount - repaid_amount - returned_amount) / 100;
  });
}

/** The goods of the third sale close 30 of the second's debt, then of the first's; the rest is cash. */
const RETURNS: readonly [string, number, { readonly left: number[]; readonly cash: number }][] = [
  ['a return that closes a part of two debts', 50, { left: [20, 0], cash: 0 }],
  ['a return that closes two debts and pays out the rest', 130, { left: [0, 0], cash: 60 }],
];

describe.each(RETURNS)('%s', (_, pieces, { left, cash }) => {
  testDisrupted(proxy, 4, async () => ({
    prepare: async () => {
      const chain = await newChain();
      return { chain, products: await lineBack(chain.third, pieces), before: await cashInDesk(shop) };
    },
    run: ({ chain: { third: id }, products }, saveResponse: AnswerWrites) => {
      const transactions = cash === 0 ? [] : [{ payment_type: 'cash', amount: cash }];
      return returnGoods(actor, { id, ...ReturnInput.parse({ products, transactions }) }, AT, saveResponse);
    },
    undone: async ({ chain, before }) => {
      expect([await leftOf(chain), await cashInDesk(shop)]).toEqual([[40, 30], before]);
    },
    check: async ({ chain, before }) => {
      expect([await leftOf(chain), await cashInDesk(shop)]).toEqual([left, before - cash]);
    },
  }));
});

test('the books of all these returns are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
