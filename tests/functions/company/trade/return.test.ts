import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readBooks } from '#bin/verify/family.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { warehouseKey } from '#lib/stock/warehouse.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { addClient, giveBonuses, newClientWithTariff } from '#tests/support/clients.ts';
import { newKey, uuidsOf } from '#tests/support/external.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, make } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sellFor, sellOnDebt, sendReturn } from '#tests/support/returns.ts';
import { addMoney, cashOf, newGoods, newShop, piecesOf, type Shop, sellOne } from '#tests/support/shop.ts';
import { newCards, receiveGoods } from '#tests/support/stock.ts';
import { batchesOf, newTeaSet } from '#tests/support/trade.ts';

const WATER = [{ quantity: 10, cost: 3000 }];

/** Creates a shop that sold four pieces at 5000 for cash, from two batches. */
async function newSold() {
  const shop = await newShop();
  const id = await newGoods(shop, [
    { quantity: 3, cost: 1000 },
    { quantity: 7, cost: 2000 },
  ]);
  const sale = (await sellOne(shop, id, 4, 5000)).number('id');
  const [line] = await linesOfSale(shop, sale);
  return { shop, id, sale, line: line?.id ?? 0 };
}

function refusalOf(shop: Shop, sale: number, json: object): Promise<Record<string, string>> {
  return errorsOf(`PATCH /company/trade/sale/${sale}/return`, shop.director, json);
}

/** Sells on debt, and returns the sale, its client and the debt. */
async function lendFor(shop: Shop, product_id: number, cash: number) {
  const sale = await sellOnDebt(shop, product_id, cash);
  const sold = await call(`GET /company/trade/sale/${sale}`, { token: shop.director });
  const debt = sold.rows('transactions').find(({ body }) => Object(body).debt_id !== null);
  return { sale, client: sold.number('client_id'), debt: z.int().parse(debt?.number('debt_id')) };
}

async function debtOf({ director: token }: Shop, id: number) {
  return (await call(`GET /company/client/debt/${id}`, { token })).body;
}

async function owedIn({ companyId }: Shop, client: number): Promise<unknown> {
  return (await getItem(clientBalancesKey(familyTenant(companyId), client)))?.['debt_uzs'];
}

test('a part that is returned goes back to stock, and is paid out of the desk', async () => {
  const { shop, id, sale, line } = await newSold();
  expect(await sendReturn(shop, sale, back({ [line]: 1.5 }, 7500))).toMatchObject({
    status: 200,
    body: {
      id: sale,
      status: 'partial_returned',
      sold_amount: 20_000,
      returned_amount: 7500,
      paid_out_amount: 7500,
    },
  });
  expect(await piecesOf(shop, id)).toBe(7.5);
  expect(await cashOf(shop)).toBe(12_500);
  expect(await linesOfSale(shop, sale)).toMatchObject([{ returned_quantity: 1.5, refunded_amount: 7500 }]);
  const rest = await sendReturn(shop, sale, back({ [line]: 2.5 }, 12_500));
  expect(rest.body).toMatchObject({ status: 'full_returned', returned_amount: 20_000 });
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([10, 0]);
});

test.each([{}, { products: [] }])(
  'a return of %o returns all that remains (Contract 9.20; Contract 9.68)',
  async (products) => {
    const { shop, id, sale, line } = await newSold();
    await sendReturn(shop, sale, back({ [line]: 1 }, 5000));
    const all = { ...products, transactions: [{ payment_type: 'cash', amount: 15_000 }] };
    expect((await sendReturn(shop, sale, all)).body).toMatchObject({
      status: 'full_returned',
      returned_amount: 20_000,
    });
    expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([10, 0]);
  },
);

test('goods go back to the very batches they were taken from, the last taken first (Contract 9.21)', async () => {
  const { shop, id, sale, line } = await newSold();
  expect(await batchesOf(shop, id)).toMatchObject([{ cost: 2000, quantity: 6 }]);
  await sendReturn(shop, sale, back({ [line]: 2 }, 10_000));
  expect(await batchesOf(shop, id)).toMatchObject([
    { cost: 1000, quantity: 1 },
    { cost: 2000, quantity: 7 },
  ]);
  await sendReturn(shop, sale, back({ [line]: 2 }, 10_000));
  expect(await batchesOf(shop, id)).toMatchObject([
    { cost: 1000, quantity: 3 },
    { cost: 2000, quantity: 7 },
  ]);
  const returns = await returnsOf(shop, sale);
  expect(returns.map(({ products }) => products[0]?.cost)).toEqual([300_000, 200_000]);
});

test('a return that nothing is left for is 400, too much of a line is 422 on it (Contract 9.22)', async () => {
  const { shop, id, sale, line } = await newSold();
  await sendReturn(shop, sale, back({ [line]: 1 }, 5000));
  expect(await refusalOf(shop, sale, back({ [line]: 3.00000001 }, 15_000))).toEqual({
    'products.0.returned_quantity': translate('ru', { key: 'return.too_much', with: { available: 3 } }),
  });
  expect(await piecesOf(shop, id)).toBe(7);
  await sendReturn(shop, sale, { transactions: [{ payment_type: 'cash', amount: 15_000 }] });
  for (const json of [{}, back({ [line]: 1 }, 5000)]) {
    expect(await sendReturn(shop, sale, json)).toMatchObject(errorWith('return.nothing_left'));
  }
});

test('payment_type_id is stored, and the history tells lines, reason, comment, batches, who and when (Contract 9.23; Contract 9.28)', async () => {
  const { shop, id, sale, line } = await newSold();
  await addMoney(shop, { card_uzs: 500_000 });
  const product = { id: line, reason_type: 'size_not_fit', returned_quantity: 2, comment: ' Tight ' };
  const transactions = [
    { payment_type: 'cash', payment_type_id: 7, amount: 6000 },
    { payment_type: 'card', amount: 4000 },
  ];
  const { status } = await sendReturn(shop, sale, { products: [product], transactions });
  expect(status).toBe(200);
  const returns = await returnsOf(shop, sale);
  expect(returns).toMatchObject([
    {
      id: expect.any(Number),
      sale_id: sale,
      kind: 'return',
      amount: 1_000_000,
      products: [
        {
          id: line,
          product_id: id,
          returned_quantity: 200_000_000,
          reason_type: 'size_not_fit',
          comment: 'Tight',
          amount: 1_000_000,
          batches: [{ quantity: 100_000_000 }, { quantity: 100_000_000 }],
        },
      ],
      transactions: [
        { payment_type: 'cash', payment_type_id: 7, amount: 600_000, transfer_id: expect.any(Number) },
        { payment_type: 'card', payment_type_id: null, amount: 400_000, transfer_id: expect.any(Number) },
      ],
      debt_amount: 0,
      creator_id: shop.directorId,
    },
  ]);
  const [made] = returns;
  const transferId = z.int().parse(made?.transactions[0]?.transfer_id);
  const posting = await getItem(recordKey('posting', familyTenant(shop.companyId), transferId));
  expect(posting).toMatchObject({
    type: 'outcome',
    source_type: 'sale_return',
    source_id: made?.id,
    amount: 600_000,
    cashbox_id: shop.cashboxId,
    additional: { balances_after: { cash: { uzs: '14000.00' } } },
  });
});

test('a bundle comes back whole, in whole numbers of it (Contract 9.24)', async () => {
  const shop = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(shop);
  const transactions = [{ payment_type: 'cash', amount: 6000 }];
  const sale = await sellFor(shop, { bundles: [{ bundle_id, quantity: 3 }], transactions });
  const [first, second] = (await linesOfSale(shop, sale)).map(({ id }) => id);
  const both = (packs: number, kilograms: number) => ({ [first ?? 0]: packs, [second ?? 0]: kilograms });
  expect(await sendReturn(shop, sale, back(both(2, 0.5), 2000))).toMatchObject({ status: 200 });
  expect([await piecesOf(shop, tea), await piecesOf(shop, sugar)]).toEqual([6, 9]);
  expect(await sendReturn(shop, sale, back(both(4, 1), 4000))).toMatchObject({
    body: { status: 'full_returned', returned_amount: 6000 },
  });
});

test('the value first closes the debt, and only the rest is paid out', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const { sale, client, debt } = await lendFor(shop, id, 4000);
  const [line] = await linesOfSale(shop, sale);
  const one = back({ [line?.id ?? 0]: 1 });
  expect((await sendReturn(shop, sale, one)).body).toMatchObject({
    returned_amount: 5000,
    paid_out_amount: 0,
  });
  expect(await debtOf(shop, debt)).toMatchObject({
    returned_amount: 5000,
    remaining_amount: 1000,
    status: 'not_repaid',
  });
  expect(await owedIn(shop, client)).toBe(100_000);
  const rest = await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 4000));
  expect(rest.body).toMatchObject({ status: 'full_returned', paid_out_amount: 4000 });
  expect(await debtOf(shop, debt)).toMatchObject({ returned_amount: 6000, remaining_amount: 0 });
  expect([await owedIn(shop, client), await cashOf(shop)]).toEqual([0, 0]);
});

test('a debt that a return closed is repaid (Contract 9.53)', async () => {
  const shop = await newShop();
  const { sale, client, debt } = await lendFor(shop, await newGoods(shop, WATER), 0);
  expect((await sendReturn(shop, sale, {})).status).toBe(200);
  expect(await debtOf(shop, debt)).toMatchObject({ status: 'repaid', returned_amount: 10_000 });
  expect(await owedIn(shop, client)).toBe(0);
});

test('what was paid with bonuses is not paid out', async () => {
  const shop = await newShop();
  const product_id = await newGoods(shop, WATER);
  const client_id = await addClient(shop);
  await giveBonuses(shop, client_id, 600_000);
  const sale = await sellFor(shop, {
    client_id,
    products: [{ product_id, sold_quantity: 2 }],
    transactions: [
      { payment_type: 'bonus', amount: 6000 },
      { payment_type: 'cash', amount: 4000 },
    ],
  });
  expect(await refusalOf(shop, sale, { transactions: [{ payment_type: 'cash', amount: 10_000 }] })).toEqual({
    transactions: translate('ru', { key: 'return.payments_differ', with: { total: 4000 } }),
  });
  const [line] = await linesOfSale(shop, sale);
  const first = await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 4000));
  expect(first.body).toMatchObject({ returned_amount: 5000, paid_out_amount: 4000 });
  expect((await sendReturn(shop, sale, {})).body).toMatchObject({
    status: 'full_returned',
    paid_out_amount: 4000,
  });
});

test('a return takes back its share of the bonuses, never below zero (Contract 9.30)', async () => {
  const shop = await newShop();
  const product_id = await newGoods(shop, WATER);
  const client_id = await newClientWithTariff(shop, 10);
  const products = [{ product_id, sold_quantity: 4 }];
  const sale = await sellFor(shop, {
    client_id,
    products,
    transactions: [{ payment_type: 'cash', amount: 20_000 }],
  });
  const [line] = await linesOfSale(shop, sale);
  const bonusesOf = async () => {
    const { body } = await call(`GET /company/client/client/${client_id}`, { token: shop.director });
    const { bonus_entries_amount, bonus_accumulations_amount } = Object(body);
    return bonus_entries_amount + bonus_accumulations_amount;
  };
  expect(await bonusesOf()).toBe(2000);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000));
  expect(await bonusesOf()).toBe(1500);
  await giveBonuses(shop, client_id, 10_000);
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 3 }, 15_000))).status).toBe(200);
  expect(await bonusesOf()).toBe(0);
  const returns = await returnsOf(shop, sale);
  expect(returns.map(({ bonus_amount }) => bonus_amount)).toEqual([50_000, 10_000]);
});

test('what was repaid of the debt since is paid out too', async () => {
  const shop = await newShop();
  const { sale, debt } = await lendFor(shop, await newGoods(shop, WATER), 4000);
  const key = recordKey(debts.type, familyTenant(shop.companyId), debt);
  await transact([update(key, { set: { repaid_amount: 100_000 }, add: { version: 1 } })]);
  await addMoney(shop, { cash_uzs: 100_000 });
  const paid = (amount: number) => ({ transactions: [{ payment_type: 'cash', amount }] });
  expect(Object.keys(await refusalOf(shop, sale, paid(4000)))).toEqual(['transactions']);
  expect((await sendReturn(shop, sale, paid(5000))).status).toBe(200);
});

test('one payment_type comes once in the transactions of a return too (Contract 9.92)', async () => {
  const { shop, sale, line } = await newSold();
  const cash = (amount: number) => ({ payment_type: 'cash', amount });
  const json = { ...back({ [line]: 1 }), transactions: [cash(2000), cash(3000)] };
  expect(await refusalOf(shop, sale, json)).toEqual({
    'transactions.1.payment_type': translate('ru', { key: 'validation.duplicate' }),
  });
});

test('money is returned neither as bonus nor as debt, and the form holds the limits of the contract', async () => {
  const { shop, sale, line } = await newSold();
  for (const payment_type of ['bonus', 'debt']) {
    const json = { ...back({ [line]: 1 }), transactions: [{ payment_type, amount: 5000 }] };
    expect(Object.keys(await refusalOf(shop, sale, json))).toEqual(['transactions.0.payment_type']);
  }
  const product = { id: line, reason_type: 'defective', returned_quantity: 1 };
  expect(Object.keys(await refusalOf(shop, sale, { products: [product, product] }))).toEqual([
    'products.1.id',
  ]);
  const wrong = {
    products: [
      product,
      { ...product, reason_type: 'bored', returned_quantity: 0, comment: 'x'.repeat(1001) },
    ],
    transactions: Array.from({ length: 11 }, () => ({ payment_type: 'cash', amount: 0.001 })),
  };
  expect(Object.keys(await refusalOf(shop, sale, wrong))).toEqual(
    expect.arrayContaining([
      'products.1.reason_type',
      'products.1.returned_quantity',
      'products.1.comment',
      'transactions',
    ]),
  );
});

test('a credit sale pays back by bank up to what came by bank, the rest in cash (Contract 9.27)', async () => {
  const shop = await newShop();
  const product_id = await newGoods(shop, WATER);
  const { key } = await newKey({ kind: 'external', company_ids: [shop.companyId] });
  const { primary_uuid } = await uuidsOf(shop.companyId);
  const sold = await call('POST /external/credit/trade-sale/create', {
    headers: { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid },
    json: {
      ...{ external_id: randomUUID(), agreement_number: 'K-1', agreement_date: '2026-10-01', months: 12 },
      ...{ initial_payment: 2000, stock_id: shop.stockId, cashbox_id: shop.cashboxId, currency: 'uzs' },
      client: { full_name: 'Алишер Каримов', phone: '998901112233', pinfl: null },
      products: [{ product_id, quantity: 3, price: 4000 }],
    },
  });
  expect(sold.status).toBe(200);
  const sale = sold.number('id');
  const [line] = await linesOfSale(shop, sale);
  const two = (transactions: object[]) => ({ ...back({ [line?.id ?? 0]: 2 }), transactions });
  expect(await refusalOf(shop, sale, two([{ payment_type: 'cash', amount: 8000 }]))).toEqual({
    transactions: translate('ru', { key: 'return.credit_payments_differ', with: { bank: 8000, cash: 0 } }),
  });
  expect((await sendReturn(shop, sale, two([{ payment_type: 'bank', amount: 8000 }]))).status).toBe(200);
  const rest = { bank: 2000, cash: 2000 };
  const transactions = Object.entries(rest).map(([payment_type, amount]) => ({ payment_type, amount }));
  expect(await refusalOf(shop, sale, { transactions: [{ payment_type: 'bank', amount: 4000 }] })).toEqual({
    transactions: translate('ru', { key: 'return.credit_payments_differ', with: rest }),
  });
  expect((await sendReturn(shop, sale, { transactions })).body).toMatchObject({ status: 'full_returned' });
});

test('a warehouse that is being counted takes nothing back: 400', async () => {
  const { shop, id, sale } = await newSold();
  const key = warehouseKey(familyTenant(shop.companyId), shop.stockId);
  await transact([update(key, { set: { inventory_id: 1 } })]);
  expect(
    await sendReturn(shop, sale, { transactions: [{ payment_type: 'cash', amount: 20_000 }] }),
  ).toMatchObject(errorWith('stock.being_counted'));
  expect(await piecesOf(shop, id)).toBe(6);
});

test('a caller without the desk finds no sale, and one without the warehouse returns nothing into it', async () => {
  const { shop, sale } = await newSold();
  const right = ['company.trade.sale.return'];
  const json = { transactions: [{ payment_type: 'cash', amount: 20_000 }] };
  const statusFor = async (open: object) => {
    const token = await newEmployee(shop, right, open);
    return (await call(`PATCH /company/trade/sale/${sale}/return`, { token, json })).status;
  };
  expect(await statusFor({ cashbox_ids: [], stock_ids: [shop.stockId] })).toBe(404);
  expect(await statusFor({ cashbox_ids: [shop.cashboxId], stock_ids: [] })).toBe(422);
  expect(await statusFor({ cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] })).toBe(200);
});

test('two returns of the same goods at once: one is done', async () => {
  const { shop, id, sale, line } = await newSold();
  const json = back({ [line]: 3 }, 15_000);
  const replies = await Promise.all([sendReturn(shop, sale, json), sendReturn(shop, sale, json)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([9, 5000]);
});

test('two returns of different parts at once are both done, and pay out no more than came', async () => {
  const { shop, id, sale, line } = await newSold();
  const json = back({ [line]: 2 }, 10_000);
  const replies = await Promise.all([sendReturn(shop, sale, json), sendReturn(shop, sale, json)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([10, 0]);
  expect(await returnsOf(shop, sale)).toHaveLength(2);
});

test('the same Idempotency-Key returns once, at once or later', async () => {
  const { shop, id, sale, line } = await newSold();
  const headers = { 'Idempotency-Key': randomUUID() };
  const json = back({ [line]: 1 }, 5000);
  const replies = await Promise.all([
    sendReturn(shop, sale, json, headers),
    sendReturn(shop, sale, json, headers),
  ]);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect((await sendReturn(shop, sale, json, headers)).body).toMatchObject({ returned_amount: 5000 });
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([7, 15_000]);
});

test('a sale of two hundred lines comes back whole', async () => {
  const shop = await newShop();
  const ids = await Promise.all(
    Array.from({ length: 4 }, () => newGoods(shop, [{ quantity: 1000, cost: 1 }])),
  );
  const json = { name: 'Set', price: 4000, products: ids.map((product_id) => ({ product_id, quantity: 1 })) };
  const bundle_id = await make('/company/product/bundle', shop.director, json);
  const transactions = [{ payment_type: 'cash', amount: 200_000 }];
  const sale = await sellFor(shop, {
    bundles: Array.from({ length: 50 }, () => ({ bundle_id })),
    transactions,
  });
  expect(await sendReturn(shop, sale, { transactions })).toMatchObject({ body: { status: 'full_returned' } });
  const [made] = await returnsOf(shop, sale);
  expect(made?.products).toHaveLength(200);
  for (const id of ids) expect(await piecesOf(shop, id)).toBe(1000);
});

test('a sale of a hundred products, over more writes than one native transaction takes, comes back whole', async () => {
  const shop = await newShop();
  const ids = await newCards(shop, 100);
  const goods = ids.map((product_id) => ({ product_id, quantity: 2, cost: 10 }));
  await receiveGoods(shop.director, { stock_id: shop.stockId, products: goods });
  const transactions = [{ payment_type: 'cash', amount: 500_000 }];
  const products = ids.map((product_id) => ({ product_id, sold_quantity: 1 }));
  const sale = await sellFor(shop, { products, transactions });
  const headers = { 'Idempotency-Key': randomUUID() };
  expect(await sendReturn(shop, sale, { transactions }, headers)).toMatchObject({
    status: 200,
    body: { status: 'full_returned', returned_amount: 500_000 },
  });
  const { violations } = await readBooks(shop.companyId);
  expect(violations.map(({ subject, what }) => `${subject}: ${what}`)).toEqual([]);
});

test('books that do not agree with the returns are reported', async () => {
  const { shop, sale, line } = await newSold();
  await sendReturn(shop, sale, back({ [line]: 1 }, 5000));
  const tenant = familyTenant(shop.companyId);
  const faultsAfter = async (set: object) => {
    await transact([update(recordKey('sale', tenant, sale), { set: { ...set } })]);
    const { violations } = await readBooks(shop.companyId);
    return violations.map(({ what }) => what);
  };
  expect(await faultsAfter({ returned_amount: 1 })).toContain(
    'says returned_amount 1, its returns come to 500000',
  );
  expect(await faultsAfter({ status: 'completed' })).toContain(
    'is completed, its lines are partial_returned',
  );
  expect(await faultsAfter({ received_amount: 1 })).toContain('has paid out more than came for it');
});
