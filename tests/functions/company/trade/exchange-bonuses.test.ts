import { expect, test } from 'vitest';
import * as z from 'zod';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { familyTenant, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { dayOf, monthsAfter } from '#lib/values/time.ts';
import { faultsOf, plantInTest } from '#tests/support/books.ts';
import { giveBonuses, newClientWithTariff } from '#tests/support/clients.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

const Both = z.object({ exchange_sale: z.looseObject({ id: z.int() }), original_sale: z.looseObject({}) });

const cash = (amount: number) => ({ transactions: amount > 0 ? [{ payment_type: 'cash', amount }] : [] });

/** Creates a shop that sold two pieces at 5000 to a client who earns a tenth. */
async function newEarned(payments: object = cash(10_000)) {
  const shop = await newShop();
  const [id, dear, cheap] = await Promise.all(
    [5000, 8000, 3000].map((sale_price) => newGoods(shop, [{ quantity: 10, cost: 1 }], { sale_price })),
  );
  const client_id = await newClientWithTariff(shop, 10);
  const products = [{ product_id: id, sold_quantity: 2 }];
  const sale = await sellFor(shop, { client_id, products, ...payments });
  return { shop, client_id, sale, id: id ?? 0, dear: dear ?? 0, cheap: cheap ?? 0 };
}

/** Exchanges pieces of a sale's one line for as many of another product. */
async function swap(
  shop: Shop,
  of: number,
  pieces: number,
  given: { product_id: number; [field: string]: unknown },
) {
  const { companyId: company_id, cashboxId: cashbox_id, stockId: stock_id, director: token } = shop;
  const { product_id, ...others } = given;
  const [line] = await linesOfSale(shop, of);
  const returned_products = [{ id: line?.id, reason_type: 'size_not_fit', returned_quantity: pieces }];
  const products = [{ product_id, sold_quantity: pieces }];
  const places = { company_id, cashbox_id, stock_id, currency: 'uzs' };
  const json = { ...places, returned_products, products, ...others };
  const { status, body } = await call(`POST /company/trade/sale/${of}/exchange`, { token, json });
  expect(status).toBe(200);
  return Both.parse(body);
}

async function giveAllBack(shop: Shop, id: number, cash = 0): Promise<void> {
  const [line] = await linesOfSale(shop, id);
  const left = (line?.sold_quantity ?? 0) - (line?.returned_quantity ?? 0);
  expect((await sendReturn(shop, id, back({ [line?.id ?? 0]: left }, cash))).status).toBe(200);
}

/** Returns a client's bonuses: the waiting and the spendable ones. */
async function bonusesOf({ director: token }: Shop, client: number): Promise<unknown> {
  const { body } = await call(`GET /company/client/client/${client}`, { token });
  return [Object(body).bonus_entries_amount, Object(body).bonus_accumulations_amount];
}

test('an equal exchange changes no bonuses, and a return takes them back from the sale that has them (Contract 9.79)', async () => {
  const { shop, client_id, sale, id } = await newEarned();
  const { original_sale, exchange_sale } = await swap(shop, sale, 1, { product_id: id, client_id });
  expect(original_sale).toMatchObject({ bonus_earned: 1000, bonus_taken_back: 0 });
  expect(exchange_sale).toMatchObject({ bonus_earned: 0, bonus_shares: [{ amount: 500, gone_amount: 0 }] });
  expect(await bonusesOf(shop, client_id)).toEqual([0, 1000]);
  await giveAllBack(shop, exchange_sale.id, 5000);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 500]);
  await giveAllBack(shop, sale, 5000);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('what is paid on top earns as any money, and what is paid out loses what it earned (Contract 9.79)', async () => {
  const { shop, client_id, sale, dear, cheap } = await newEarned();
  const up = await swap(shop, sale, 1, { product_id: dear, client_id, ...cash(3000) });
  expect(up.exchange_sale).toMatchObject({ bonus_earned: 300, bonus_shares: [{ amount: 800 }] });
  expect(await bonusesOf(shop, client_id)).toEqual([0, 1300]);
  const down = await swap(shop, up.exchange_sale.id, 1, { product_id: cheap, client_id, ...cash(5000) });
  expect(down.original_sale).toMatchObject({ bonus_taken_back: 500 });
  expect(down.exchange_sale).toMatchObject({ bonus_earned: 0, bonus_shares: [{ amount: 300 }] });
  expect(await bonusesOf(shop, client_id)).toEqual([0, 800]);
  await giveAllBack(shop, down.exchange_sale.id, 3000);
  await giveAllBack(shop, sale, 5000);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('what waits keeps its day through an exchange (Contract 9.79)', async () => {
  const { shop, client_id, sale, id, dear } = await newEarned();
  const company = { type: companies, tenant: PLATFORM, id: shop.companyId };
  await editRecord(company, Date.now(), (before) => ({ ...before, bonus_entry_period: 1 }));
  const later = monthsAfter(dayOf(Date.now()), 1);
  const { exchange_sale } = await swap(shop, sale, 1, { product_id: dear, client_id, ...cash(3000) });
  expect(exchange_sale['bonus_shares']).toMatchObject([
    { available_on: later, amount: 300 },
    { available_on: dayOf(Date.now()), amount: 500 },
  ]);
  expect(await bonusesOf(shop, client_id)).toEqual([300, 1000]);
  await swap(shop, exchange_sale.id, 1, { product_id: id, client_id, ...cash(3000) });
  expect(await bonusesOf(shop, client_id)).toEqual([0, 1000]);
});

test('of a sale that is partly on debt, bonuses go with the money, and back with it (Contract 9.79)', async () => {
  const { shop, client_id, sale, id } = await newEarned({
    due_date: '2099-01-31',
    transactions: [...cash(5000).transactions, { payment_type: 'debt', amount: 5000 }],
  });
  const { exchange_sale } = await swap(shop, sale, 1, { product_id: id, client_id });
  expect(exchange_sale).toMatchObject({ received_amount: 5000, bonus_shares: [{ amount: 500 }] });
  await giveAllBack(shop, exchange_sale.id);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 500]);
  await giveAllBack(shop, sale, 5000);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a sale on debt that is all returned keeps bonuses with the money that waits there for another exchange of it (Contract 9.79)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 100, cost: 1 }], { sale_price: 5000 });
  const client_id = await newClientWithTariff(shop, 10);
  const piece = { product_id: id, sold_quantity: 3 };
  const debt = [{ payment_type: 'debt', amount: 15_000 }];
  const due_date = '2099-01-31';
  const sale = await sellFor(shop, { client_id, products: [piece], due_date, transactions: debt });
  const swapOne = async (sold_quantity: number) => {
    const products = [{ product_id: id, sold_quantity }];
    const paid = cash((sold_quantity - 1) * 5000);
    return (await swap(shop, sale, 1, { product_id: id, client_id, products, ...paid })).exchange_sale.id;
  };
  const [large, small] = [await swapOne(8), await swapOne(2)];
  await giveAllBack(shop, sale);
  const [line] = await linesOfSale(shop, large);
  expect((await sendReturn(shop, large, back({ [line?.id ?? 0]: 3 }, 5000))).status).toBe(200);
  const key = recordKey('sale', familyTenant(shop.companyId), sale);
  expect(await getItem(key)).toMatchObject({
    ...{ status: 'full_returned', received_amount: 500_000 },
    bonus_shares: [{ amount: 50_000, gone_amount: 0 }],
  });
  expect(await faultsOf(shop)).toEqual([]);
  await giveAllBack(shop, small, 10_000);
  await giveAllBack(shop, large, 25_000);
  expect(await faultsOf(shop)).toEqual([]);
  const share = { available_on: dayOf(Date.now()), amount: 50_000, gone_amount: 0 };
  await plantInTest(key, { bonus_shares: [share] });
  expect((await faultsOf(shop)).join()).toContain('keeps bonuses, and nothing that earned them');
});

test('to a sale of another client bonuses do not go along: they are taken back', async () => {
  const { shop, client_id, sale, id } = await newEarned();
  const client = { full_name: 'Aziza', main_phone: '998907654321' };
  const other = await make('/company/client/client', shop.director, client);
  const { exchange_sale } = await swap(shop, sale, 1, { product_id: id, client_id: other });
  expect(exchange_sale).toMatchObject({ bonus_shares: [] });
  expect([await bonusesOf(shop, client_id), await bonusesOf(shop, other)]).toEqual([
    [0, 500],
    [0, 0],
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('bonuses that were spent since go along too, and a return takes no more than there is', async () => {
  const { shop, client_id, sale, id } = await newEarned();
  await giveBonuses(shop, client_id, 10_000);
  const { exchange_sale } = await swap(shop, sale, 2, { product_id: id, client_id });
  expect(exchange_sale).toMatchObject({ bonus_shares: [{ amount: 1000 }] });
  await giveAllBack(shop, exchange_sale.id, 10_000);
  expect(await returnsOf(shop, exchange_sale.id)).toMatchObject([{ bonus_amount: 10_000 }]);
  expect(await bonusesOf(shop, client_id)).toEqual([0, 0]);
});
