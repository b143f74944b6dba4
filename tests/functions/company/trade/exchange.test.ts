import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, make, NOT_FOUND } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sellFor, sellOnDebt, sendReturn } from '#tests/support/returns.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop, sellOne, setRate } from '#tests/support/shop.ts';
import { newTeaSet } from '#tests/support/trade.ts';

const WATER = [{ quantity: 10, cost: 3000 }];

/** A shop, and its sale, with the first of its lines. */
interface Sold extends Shop {
  readonly sale: number;
  readonly line: number;
}

/** Returns a shop with its sale. */
async function soldBy(shop: Shop, sale: number): Promise<Sold> {
  const [line] = await linesOfSale(shop, sale);
  return { ...shop, sale, line: z.int().parse(line?.id) };
}

/**
 * Builds the body of an exchange at the shop's desk: a piece of the sale's first line is returned, one of
 * another product is taken.
 */
function swap({ companyId, cashboxId, stockId, line }: Sold, product_id: number, given: object = {}): object {
  return {
    ...{ cashbox_id: cashboxId, stock_id: stockId, company_id: companyId, currency: 'uzs' },
    returned_products: [{ id: line, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id, sold_quantity: 1 }],
    ...given,
  };
}

function exchange({ director: token, sale }: Sold, json: object, headers = {}): Promise<Reply> {
  return call(`POST /company/trade/sale/${sale}/exchange`, { token, json, headers });
}

function refusalOf({ director, sale }: Sold, json: object): Promise<Record<string, string>> {
  return errorsOf(`POST /company/trade/sale/${sale}/exchange`, director, json);
}

function paid(payment_type: string, amount: number) {
  return { transactions: [{ payment_type, amount }] };
}

/**
 * Creates a shop that sold two pieces at 5000 for cash, with others at 5000, 8000 and 3000 to exchange them
 * for.
 */
async function newSold() {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const [like, dear, cheap] = await Promise.all(
    [5000, 8000, 3000].map((sale_price) => newGoods(shop, WATER, { sale_price })),
  );
  const sold = await soldBy(shop, (await sellOne(shop, id, 2, 5000)).number('id'));
  return { shop: sold, id, like: like ?? 0, dear: dear ?? 0, cheap: cheap ?? 0 };
}

/** Creates a shop that sold two pieces on debt, some sums in cash, and the debtor. */
async function newLent(product_id: number, plain: Shop, cash: number) {
  const shop = await soldBy(plain, await sellOnDebt(plain, product_id, cash));
  const { body } = await call(`GET /company/trade/sale/${shop.sale}`, { token: shop.director });
  return { shop, client: z.object({ client_id: z.int() }).parse(body).client_id };
}

async function owedBy({ companyId }: Shop, client: number): Promise<unknown> {
  return (await getItem(clientBalancesKey(familyTenant(companyId), client)))?.['debt_uzs'];
}

test('an equal exchange moves goods both ways and makes no operation', async () => {
  const { shop, id, like } = await newSold();
  const { sale } = shop;
  const exchanged = await exchange(shop, swap(shop, like));
  const [made] = await returnsOf(shop, sale);
  const source_data = { exchange_key: `exchange-${made?.id}` };
  expect(exchanged).toMatchObject({
    status: 200,
    body: {
      original_sale: {
        ...{ id: sale, status: 'partial_returned', returned_amount: 5000, paid_out_amount: 0 },
        ...{ received_amount: 10_000, source_data },
      },
      exchange_sale: {
        ...{ status: 'completed', sold_amount: 5000, received_amount: 5000, transactions: [] },
        ...{ exchange_of_sale_id: sale, source_type: 'native', source_data },
      },
    },
  });
  expect(exchanged.number('exchange_sale.id')).toBeGreaterThan(sale);
  expect([await piecesOf(shop, id), await piecesOf(shop, like), await cashOf(shop)]).toEqual([9, 9, 10_000]);
  const { body } = await call(`GET /company/cashbox/cashbox/${shop.cashboxId}/transfers`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ meta: { total: 1 } });
  expect(await refusalOf(shop, swap(shop, like, paid('cash', 0.01)))).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 0 } }),
  });
  expect(await faultsOf(shop)).toEqual([]);
});

const Surcharged = z.object({
  exchange_sale: z.object({ id: z.int(), transactions: z.array(z.object({ transfer_id: z.int() })) }),
});

test('a surcharge is income of the new sale, and must be exact', async () => {
  const { shop, dear } = await newSold();
  for (const amount of [2999.99, 3000.01]) {
    expect(await refusalOf(shop, swap(shop, dear, paid('card', amount)))).toEqual({
      transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 3000 } }),
    });
  }
  const { body } = await exchange(shop, swap(shop, dear, paid('card', 3000)));
  expect(body).toMatchObject({
    exchange_sale: {
      sold_amount: 8000,
      received_amount: 8000,
      transactions: [{ payment_type: 'card', amount: 3000 }],
    },
  });
  const { id, transactions } = Surcharged.parse(body).exchange_sale;
  expect([await cashOf(shop), await cashOf(shop, 'card')]).toEqual([10_000, 3000]);
  const postingId = transactions[0]?.transfer_id ?? 0;
  const posting = await getItem(recordKey('posting', familyTenant(shop.companyId), postingId));
  expect(posting).toMatchObject({ type: 'income', source_type: 'sale', source_id: id });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a surcharge may be placed on debt, with a client and a due_date', async () => {
  const { shop, dear } = await newSold();
  const debt = paid('debt', 3000);
  expect(Object.keys(await refusalOf(shop, swap(shop, dear, debt))).sort()).toEqual([
    'client_id',
    'due_date',
  ]);
  const client_id = await addClient(shop);
  expect(Object.keys(await refusalOf(shop, swap(shop, dear, { ...debt, client_id })))).toEqual(['due_date']);
  const past = { ...debt, client_id, due_date: '2020-01-01' };
  expect(Object.keys(await refusalOf(shop, swap(shop, dear, past)))).toEqual(['due_date']);
  const { status } = await exchange(shop, swap(shop, dear, { ...past, due_date: '2099-01-31' }));
  expect([status, await owedBy(shop, client_id)]).toEqual([200, 300_000]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('an excess is paid out by the exchange’s desk, in the name of the original sale (Contract 9.65)', async () => {
  const { shop, cheap } = await newSold();
  const cashbox_id = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const other = { ...shop, cashboxId: cashbox_id };
  await sellOne(other, cheap, 1, 3000);
  for (const amount of [1999.99, 2000.01]) {
    expect(await refusalOf(shop, swap(other, cheap, paid('cash', amount)))).toEqual({
      transactions: translate('ru', { key: 'return.payments_differ', with: { total: 2000 } }),
    });
  }
  expect((await exchange(shop, swap(other, cheap, paid('cash', 2000)))).body).toMatchObject({
    original_sale: { paid_out_amount: 2000, returned_amount: 5000 },
    exchange_sale: { cashbox_id, received_amount: 3000, transactions: [] },
  });
  expect([await cashOf(shop), await cashOf(other)]).toEqual([10_000, 1000]);
  const [made] = await returnsOf(shop, shop.sale);
  const id = made?.transactions[0]?.transfer_id ?? 0;
  const posting = await getItem(recordKey('posting', familyTenant(shop.companyId), id));
  expect(posting).toMatchObject({
    type: 'outcome',
    source_type: 'sale_return',
    source_id: shop.sale,
    cashbox_id,
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('the returned value pays for the new goods first, and only the excess closes the debt (Contract 9.25)', async () => {
  const plain = await newShop();
  const [id, cheap] = [await newGoods(plain, WATER), await newGoods(plain, WATER, { sale_price: 3000 })];
  const { shop, client } = await newLent(id, plain, 9000);
  const exchanged = await exchange(shop, swap(shop, cheap, paid('cash', 1000)));
  expect(exchanged.body).toMatchObject({
    original_sale: { returned_amount: 5000, paid_out_amount: 1000 },
    exchange_sale: { received_amount: 3000, client_id: null },
  });
  expect(await owedBy(shop, client)).toBe(0);
  const exchange_sale_id = exchanged.number('exchange_sale.id');
  expect(await returnsOf(shop, shop.sale)).toMatchObject([
    { kind: 'exchange', exchange_sale_id, exchanged_amount: 300_000, debt_amount: 100_000 },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('the new sale inherits the money that the value stands for, and the original’s limit falls by it (Contract 9.25)', async () => {
  const plain = await newShop();
  const [id, like] = [await newGoods(plain, WATER), await newGoods(plain, WATER)];
  const { shop, client } = await newLent(id, plain, 6000);
  const exchanged = await exchange(shop, swap(shop, like, { client_id: client }));
  expect(exchanged.body).toMatchObject({
    original_sale: { received_amount: 6000, paid_out_amount: 0 },
    exchange_sale: { received_amount: 5000 },
  });
  expect(await owedBy(shop, client)).toBe(400_000);
  // The new sale's value closes the debt first, as the original's would.
  const whole = { body: { status: 'full_returned' } };
  const second = exchanged.number('exchange_sale.id');
  expect(await sendReturn(shop, second, paid('cash', 1000))).toMatchObject(whole);
  expect(await sendReturn(shop, shop.sale, paid('cash', 5000))).toMatchObject(whole);
  expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('neither products nor bundles is 422 on products; desk, warehouse and company are the original’s (Contract 9.26)', async () => {
  const { shop, like } = await newSold();
  expect(await refusalOf(shop, swap(shop, like, { products: [] }))).toMatchObject({
    products: translate('ru', { key: 'sale.no_lines' }),
  });
  const branch = await newCompany(shop.companyId);
  const elsewhere = { company_id: branch };
  expect(await refusalOf(shop, swap(shop, like, elsewhere))).toEqual({
    company_id: translate('ru', { key: 'exchange.not_cashbox_company' }),
  });
  const desk = { name: 'Branch', type: 'sale', ...elsewhere };
  const cashbox_id = await make('/company/cashbox/cashbox', shop.director, desk);
  const stock_id = await make('/company/stock/stock', shop.director, { name: 'Branch', ...elsewhere });
  const there = await refusalOf(shop, swap(shop, like, { ...elsewhere, cashbox_id, stock_id }));
  expect(there).toMatchObject({ cashbox_id: expect.any(String), stock_id: expect.any(String) });
  expect(await refusalOf(shop, swap(shop, like, { cashbox_id: 99, stock_id: 98 }))).toEqual({
    cashbox_id: NOT_FOUND,
    stock_id: NOT_FOUND,
  });
});

test('goods of another warehouse may be taken; the returned ones go back to their own', async () => {
  const { shop, id } = await newSold();
  const stockId = await make('/company/stock/stock', shop.director, { name: 'Second' });
  const there = { ...shop, stockId };
  const like = await newGoods(there, WATER);
  expect((await exchange(shop, swap(there, like))).status).toBe(200);
  expect([await piecesOf(shop, id), await piecesOf(there, like)]).toEqual([9, 9]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('what came back can be sold again at once', async () => {
  const plain = await newShop();
  const id = await newGoods(plain, [{ quantity: 2, cost: 3000 }]);
  const shop = await soldBy(plain, (await sellOne(plain, id, 2, 5000)).number('id'));
  expect((await exchange(shop, swap(shop, id))).status).toBe(200);
  expect(await piecesOf(shop, id)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});

test('bundles are exchanged whole, for goods and for bundles', async () => {
  const plain = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(plain);
  const sale = await sellFor(plain, { bundles: [{ bundle_id, quantity: 2 }], ...paid('cash', 4000) });
  const shop = await soldBy(plain, sale);
  const [first, second] = (await linesOfSale(shop, sale)).map(({ id }) => id);
  const why = { reason_type: 'defective' };
  const part = [{ id: first, returned_quantity: 2, ...why }];
  const given = { products: [], bundles: [{ bundle_id, quantity: 1 }] };
  expect(await refusalOf(shop, swap(shop, tea, { ...given, returned_products: part }))).toEqual({
    'returned_products.0.returned_quantity': translate('ru', { key: 'return.bundle_part' }),
  });
  const returned_products = [...part, { id: second, returned_quantity: 0.5, ...why }];
  expect((await exchange(shop, swap(shop, tea, { ...given, returned_products }))).status).toBe(200);
  expect([await piecesOf(shop, tea), await piecesOf(shop, sugar)]).toEqual([6, 9]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('all failing fields are reported at once, each by itself', async () => {
  const { shop, like } = await newSold();
  const returned_products = [
    { id: shop.line, reason_type: 'defective', returned_quantity: 3 },
    { id: 99, reason_type: 'defective', returned_quantity: 1 },
  ];
  const products = [
    { product_id: like, sold_quantity: 11 },
    { product_id: 99, sold_quantity: 1 },
  ];
  const json = swap(shop, like, { returned_products, products, client_id: 77, currency: 'usd' });
  expect(Object.keys(await refusalOf(shop, json)).sort()).toEqual([
    'client_id',
    'currency',
    'products.1.product_id',
    'returned_products.0.returned_quantity',
    'returned_products.1.id',
  ]);
  expect(Object.keys(await refusalOf(shop, swap(shop, like, { returned_products: [] })))).toEqual([
    'returned_products',
  ]);
});

test('an exchange goes in its sale’s currency, new goods at today’s rates, for any sale currency (Contract 9.115)', async () => {
  const { shop, like } = await newSold();
  const { director: token } = shop;
  const json = { sale_currency: 'usd' };
  await call('PATCH /company/cashbox/currency-rate/settings', { token, json });
  const dollars = await newGoods(shop, WATER, { sale_price: 1, sale_currency: 'usd' });
  expect(await refusalOf(shop, swap(shop, dollars, { currency: 'usd' }))).toMatchObject({
    currency: translate('ru', { key: 'sale.other_currency', with: { currency: 'uzs' } }),
  });
  const made = await exchange(shop, swap(shop, dollars, paid('cash', 7650)));
  expect(made.body).toMatchObject({ exchange_sale: { currency: 'uzs', sold_amount: 12_650 } });
  const bundle = { name: 'Set', price: 2, products: [{ product_id: like, quantity: 1 }] };
  const bundle_id = await make('/company/product/bundle', token, bundle);
  const goods = { products: [], bundles: [{ bundle_id, quantity: 1 }] };
  const set = await exchange(shop, swap(shop, like, { ...goods, ...paid('cash', 20_300) }));
  expect(set.body).toMatchObject({ exchange_sale: { currency: 'uzs', sold_amount: 25_300 } });
});

test('an exchange and a return of the same goods at once: one is done', async () => {
  const { shop, id, like } = await newSold();
  const returned_products = [{ id: shop.line, reason_type: 'defective', returned_quantity: 2 }];
  const products = [{ product_id: like, sold_quantity: 2 }];
  const replies = await Promise.all([
    exchange(shop, swap(shop, like, { returned_products, products })),
    sendReturn(shop, shop.sale, back({ [shop.line]: 2 }, 10_000)),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await piecesOf(shop, id)).toBe(10);
  expect(await faultsOf(shop)).toEqual([]);
});

test('the same Idempotency-Key exchanges once', async () => {
  const { shop, id, like } = await newSold();
  const headers = { 'Idempotency-Key': randomUUID() };
  await Promise.all([1, 2].map(() => exchange(shop, swap(shop, like), headers)));
  const again = await exchange(shop, swap(shop, like), headers);
  expect(again.body).toMatchObject({
    original_sale: { returned_amount: 5000 },
    exchange_sale: { id: expect.any(Number) },
  });
  expect([await piecesOf(shop, id), await piecesOf(shop, like)]).toEqual([9, 9]);
});

test('nothing left to exchange is 400', async () => {
  const { shop, like } = await newSold();
  await sendReturn(shop, shop.sale, paid('cash', 10_000));
  expect(await exchange(shop, swap(shop, like))).toMatchObject(errorWith('return.nothing_left'));
});

test('a card of a sale shows its returns, and the sale that an exchange made (Contract 9.69)', async () => {
  const { shop, like } = await newSold();
  const { sale, line } = shop;
  await sendReturn(shop, sale, back({ [line]: 1 }, 5000));
  const second = (await exchange(shop, swap(shop, like))).number('exchange_sale.id');
  const cardOf = (id: number) => call(`GET /company/trade/sale/${id}/check-detail`, { token: shop.director });
  expect((await cardOf(sale)).body).toMatchObject({
    status: 'full_returned',
    returns: [
      { kind: 'return', amount: 5000, transactions: [{ payment_type: 'cash', amount: 5000 }] },
      {
        kind: 'exchange',
        amount: 5000,
        exchange_sale_id: second,
        products: [{ id: line, reason_type: 'not_match' }],
      },
    ],
    exchanges: [{ id: second }],
  });
  expect((await cardOf(second)).body).toMatchObject({ returns: [], exchange_of_sale: { id: sale } });
});

test('a payout below a foreign coin is a posting of its own, and what follows is no conflict (Part 4, 4.6, 1)', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 11_000);
  const tea = await newGoods(shop, WATER, { sale_price: 5000 });
  const dollars = (amount: number) => ({ payment_type: 'cash', currency: 'usd', amount });
  const products = [{ product_id: tea, sold_quantity: 2.78 }];
  await sellOne(shop, tea, 1, 5000);
  const transactions = [dollars(1.26), { payment_type: 'cash', amount: 40 }];
  const sold = await soldBy(shop, await sellFor(shop, { products, transactions }));
  const returned_products = [{ id: sold.line, reason_type: 'not_match', returned_quantity: 1.03 }];
  // 150 are given back: a cent of 110, and 40 beside it.
  const exchanged = await exchange(
    sold,
    swap(sold, tea, { returned_products, transactions: [dollars(0.01)] }),
  );
  expect(exchanged).toMatchObject({ status: 200 });
  const payouts = { transactions: [dollars(0.45)] };
  expect(await sendReturn(shop, exchanged.number('exchange_sale.id'), payouts)).toMatchObject({
    status: 200,
  });
  expect(await faultsOf(shop)).toEqual([]);
});
