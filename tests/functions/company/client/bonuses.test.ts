import { expect, test } from 'vitest';
import * as z from 'zod';
import * as clients from '#lib/clients/client.ts';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { translate } from '#lib/values/message.ts';
import { type Day, startOfDay } from '#lib/values/time.ts';
import { newClientWithTariff } from '#tests/support/clients.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { back, linesOfSale } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody, setRate } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const CLIENTS = '/company/client/client';
const WATER = [{ quantity: 100, cost: 1 }];
const PRICE = 5000;

const noon = (day: Day) => startOfDay(day) + 43_200_000;

async function setPeriod({ companyId }: Shop, bonus_entry_period: number): Promise<void> {
  const place = { type: companies, tenant: PLATFORM, id: companyId };
  await editRecord(place, Date.now(), (before) => ({ ...before, bonus_entry_period }));
}

function paid(shop: Shop, client_id: number, product_id: number, payments: Record<string, number>): object {
  const total = Object.values(payments).reduce((sum, amount) => sum + amount, 0);
  return saleBody(shop, {
    client_id,
    due_date: '2099-01-31',
    products: [{ product_id, sold_quantity: total / PRICE }],
    transactions: Object.entries(payments).map(([payment_type, amount]) => ({ payment_type, amount })),
  });
}

async function shownTo(token: string, client: number): Promise<unknown> {
  return (await call(`GET ${CLIENTS}/${client}`, { token })).body;
}

test('a sale earns the percent of what is paid by cash, card and bank, at once if nothing is waited for (Contract 9.30)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, WATER);
  const client = await newClientWithTariff(shop, 2.5);
  const json = paid(shop, client, id, { cash: 4000, card: 3000, bank: 1000, debt: 2000 });
  const sale = await call(SELL, { token, json });
  expect(sale).toMatchObject({ status: 200, body: { bonus_earned: 200, bonus_taken_back: 0 } });
  const sums = { bonus_entries_amount: 0, bonus_accumulations_amount: 200 };
  expect(await shownTo(token, client)).toMatchObject(sums);
  const list = await call(`GET ${CLIENTS}?filter[id]=${client}`, { token });
  expect(list.body).toMatchObject({ data: [sums] });

  const withBonus = paid(shop, client, id, { bonus: 200, cash: 4800 });
  expect((await call(SELL, { token, json: withBonus })).status).toBe(200);
  expect(await shownTo(token, client)).toMatchObject({ bonus_accumulations_amount: 120 });
});

test('a sale to a client without a tariff, or to nobody, earns nothing', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = saleBody(shop, {
    products: [{ product_id: id, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: PRICE }],
  });
  const sale = await call(SELL, { token: shop.director, json });
  expect(sale.body).toMatchObject({ bonus_earned: 0, bonus_available_on: null });
});

test('what is earned waits for the months of the company, to the same day (Contract 9.30)', async () => {
  const shop = await newShop();
  const { directorId, companyId } = shop;
  await setPeriod(shop, 1);
  const id = await newGoods(shop, WATER);
  const client = await newClientWithTariff(shop, 10);
  const actor = directorAs(directorId, companyId);
  const sellOn = (day: Day, payments: Record<string, number>) =>
    sell(actor, SaleInput.parse(paid(shop, client, id, payments)), noon(day), { saveResponse: () => [] });
  const seenOn = async (day: Day) => {
    const seen = await clients.get(actor, client, [], noon(day));
    return [seen.bonus_entries_amount, seen.bonus_accumulations_amount];
  };

  const { sale } = await sellOn('2027-01-31', { cash: 5000 });
  expect(sale).toMatchObject({ bonus_earned: 50_000, bonus_available_on: '2027-02-28' });
  await sellOn('2027-02-10', { cash: 10_000 });
  expect(await seenOn('2027-02-27')).toEqual([150_000, 0]);
  expect(await seenOn('2027-02-28')).toEqual([100_000, 50_000]);
  expect(await seenOn('2027-03-10')).toEqual([0, 150_000]);

  const early = sellOn('2027-02-28', { bonus: 1000, cash: 4000 });
  await expect(early).rejects.toMatchObject({ status: 422 });
  await sellOn('2027-02-28', { bonus: 500, cash: 4500 });
  expect(await seenOn('2027-02-28')).toEqual([145_000, 0]);
  expect(await seenOn('2027-03-28')).toEqual([0, 145_000]);
});

test('bonuses are of the currency that was sold in, and shown in that of the caller’s company (Contract 9.30)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, WATER);
  const client = await newClientWithTariff(shop, 10);
  await call(SELL, { token, json: paid(shop, client, id, { cash: 5000 }) });
  expect(await shownTo(token, client)).toMatchObject({ bonus_accumulations_amount: 500 });
  await setRate(shop, 'usd', 5000);
  const settings = 'PATCH /company/cashbox/currency-rate/settings';
  expect((await call(settings, { token, json: { sale_currency: 'usd' } })).status).toBe(200);
  expect(await shownTo(token, client)).toMatchObject({ bonus_accumulations_amount: 0 });
  const inDollars = {
    ...saleBody(shop, {
      client_id: client,
      products: [{ product_id: id, sold_quantity: 1 }],
      transactions: [{ payment_type: 'bonus', amount: 1 }],
    }),
    currency: 'usd',
  };
  expect(await errorsOf(SELL, token, inDollars)).toEqual({
    'transactions.0.amount': translate('ru', { key: 'sale.not_enough_bonuses' }),
  });
});

test('sales to one client at the same moment each earn, and bonuses are spent once', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, WATER);
  const client = await newClientWithTariff(shop, 100);
  const json = paid(shop, client, id, { cash: 5000 });
  const sales = await Promise.all([1, 2, 3, 4].map(() => call(SELL, { token, json })));
  expect(sales.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await shownTo(token, client)).toMatchObject({ bonus_accumulations_amount: 20_000 });
  const spending = paid(shop, client, id, { bonus: 15_000 });
  const spent = await Promise.all([1, 2, 3].map(() => call(SELL, { token, json: spending })));
  expect(spent.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const { bonus_accumulations_amount } = z
    .object({ bonus_accumulations_amount: z.number() })
    .parse(await shownTo(token, client));
  expect(bonus_accumulations_amount).toBe(5000);
});

test.each([
  ['return', 0],
  ['exchange', 450],
])('a %s takes back what its cheque earned of a deleted client too (Contract 5)', async (way, left) => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, WATER);
  const client = await newClientWithTariff(shop, 10);
  const sold = await call(SELL, { token, json: paid(shop, client, id, { cash: 2 * PRICE }) });
  expect(sold.body).toMatchObject({ bonus_earned: 1000 });
  const sale = sold.number('id');
  expect((await call(`DELETE ${CLIENTS}/${client}`, { token })).status).toBe(200);
  const [line] = await linesOfSale(shop, sale);
  const json = {
    return: back({ [line?.id ?? 0]: 2 }, 2 * PRICE),
    exchange: saleBody(shop, {
      company_id: shop.companyId,
      returned_products: [{ id: line?.id, reason_type: 'defective', returned_quantity: 1.1 }],
      products: [{ product_id: id, sold_quantity: 1.1 }],
    }),
  }[way];
  expect(
    (await call(`${way === 'return' ? 'PATCH' : 'POST'} /company/trade/sale/${sale}/${way}`, { token, json }))
      .status,
  ).toBe(200);
  expect((await call(`DELETE ${CLIENTS}/${client}/restore`, { token })).status).toBe(200);
  expect(await shownTo(token, client)).toMatchObject({ bonus_accumulations_amount: left });
});
