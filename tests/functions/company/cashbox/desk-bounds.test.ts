import { expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { dayOf } from '#lib/values/time.ts';
import { addClient } from '#tests/support/clients.ts';
import { mainDeskIn, newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, make } from '#tests/support/records.ts';
import { beginShift, newShiftShop } from '#tests/support/shifts.ts';
import { addMoney, cashOf, newGoods, newShop, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';

const DESKS = '/company/cashbox/cashbox';
const SELL = 'POST /company/trade/sale';
const STATS = 'GET /company/cashbox/operation/stats';
const MOST = 99_999_999_999_999;
const TOO_MUCH = translate('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } });

test('a payment that makes too much of a kind of money is 422 on its amount, and the desk stays readable', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  await addMoney(shop, { cash_uzs: MOST - 500_000 });
  expect((await sellOne(shop, id, 1, 5000)).status).toBe(200);
  expect(await cashOf(shop)).toBe(999_999_999_999.99);
  expect(await sellOne(shop, id, 1, 5000)).toMatchObject({
    status: 422,
    body: { errors: { 'transactions.0.amount': [TOO_MUCH] } },
  });
});

test('a desk with money does not change its company, an empty one does', async () => {
  const shop = await newShop();
  const company_id = await newCompany(shop.companyId);
  const json = { name: 'Desk 1', type: 'sale', company_id };
  const move = () => call(`PUT ${DESKS}/${shop.cashboxId}`, { token: shop.director, json });
  await addMoney(shop, { card_usd: 1 });
  expect(await move()).toMatchObject(errorWith('cashbox.moves_with_money'));
  const renamed = { ...json, name: 'Desk 2', company_id: shop.companyId };
  const edit = await call(`PUT ${DESKS}/${shop.cashboxId}`, { token: shop.director, json: renamed });
  expect(edit.status).toBe(200);
  await addMoney(shop, { card_usd: -1 });
  expect(await move()).toMatchObject({ status: 200, body: { company_id } });
});

test('of a sale and the move of its desk at the same moment, no money ends up in another company', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await newShop();
    const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
    const company_id = await newCompany(shop.companyId);
    const json = { name: 'Desk 1', type: 'sale', company_id };
    const [sale, move] = await Promise.all([
      sellOne(shop, id, 1, 5000),
      call(`PUT ${DESKS}/${shop.cashboxId}`, { token: shop.director, json }),
    ]);
    expect([sale.status, move.status].sort()).toEqual(sale.status === 200 ? [200, 400] : [200, 422]);
  }
});

test('a company’s main desk is not deleted', async () => {
  const shop = await newShop();
  expect(await call(`DELETE ${DESKS}/${await mainDeskIn(shop)}`, { token: shop.director })).toMatchObject(
    errorWith('cashbox.is_main'),
  );
});

/** Sets the sums accumulated beside a desk's money. */
async function setSums(
  { companyId, cashboxId }: Shop,
  change: (money: DeskMoney) => Partial<DeskMoney>,
): Promise<void> {
  const key = deskMoneyKey(familyTenant(companyId), cashboxId);
  const money = DeskMoney.parse(await getItem(key));
  await transact([update(key, { set: change(money) })]);
}

const today = (sums: object) => ({ date: dayOf(Date.now()), opening: {}, income: {}, outcome: {}, ...sums });

test('what would pass the bound of a desk’s day is 422 on the payment’s amount, and the day stays readable (Contract 9.117)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  await setSums(shop, () => ({ day: today({ income: { cash_uzs: MOST - 500_000 } }) }));
  expect((await sellOne(shop, id, 1, 5000)).status).toBe(200);
  expect(await sellOne(shop, id, 1, 5000)).toMatchObject({
    status: 422,
    body: { errors: { 'transactions.0.amount': [TOO_MUCH] } },
  });
  const stats = await call(STATS, { token: shop.director });
  expect(stats).toMatchObject({ status: 200, body: { income: { cash: { uzs: 999_999_999_999.99 } } } });
});

test('what would pass the bound of money on its way is 422 on the item’s amount (Contract 9.117)', async () => {
  const shop = await newShop();
  await setSums(shop, () => ({ cash_uzs: 1000, on_hold: { cash_uzs: MOST - 500 } }));
  const json = (amount: number) => ({
    cashbox_id: shop.cashboxId,
    items: [{ payment_type: 'cash', currency: 'uzs', amount }],
  });
  const path = 'POST /company/cashbox/operation/collection';
  expect(await errorsOf(path, shop.director, json(5.01))).toEqual({ 'items.0.amount': TOO_MUCH });
  expect((await call(path, { token: shop.director, json: json(5) })).status).toBe(200);
});

test('what would pass the bound of a shift’s sums is 422 on the payment’s amount, of a debt too (Contract 9.117)', async () => {
  const shop = await newShiftShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  await beginShift(shop);
  const client_id = await addClient(shop);
  await setSums(shop, ({ shift }) => ({
    shift: shift && {
      ...shift,
      tallies: { 'sale income card_uzs': [91, MOST] },
      debts: { uzs: { given: MOST } },
    },
  }));
  const pay = (payment_type: string) => {
    const transactions = [{ payment_type, amount: 5000 }];
    const products = [{ product_id: id, sold_quantity: 1 }];
    return saleBody(shop, { products, transactions, client_id, due_date: '2099-01-31' });
  };
  for (const payment_type of ['card', 'debt']) {
    expect(await errorsOf(SELL, shop.director, pay(payment_type))).toEqual({
      'transactions.0.amount': TOO_MUCH,
    });
  }
  expect((await call(SELL, { token: shop.director, json: pay('cash') })).status).toBe(200);
});

test('the discounts of a sale make a sum that it can keep: 422 on the line that passes it (Contract 9.117)', async () => {
  const shop = await newShop();
  const price = 999_999_999_999.99;
  const ids = [1, 2].map(() => newGoods(shop, [{ quantity: 5, cost: 1 }], { sale_price: price }));
  const products = (await Promise.all(ids)).map((product_id) => {
    return { product_id, sold_quantity: 1, discount: 999_999_999_000 };
  });
  const transactions = [{ payment_type: 'cash', amount: 1999.98 }];
  expect(await errorsOf(SELL, shop.director, saleBody(shop, { products, transactions }))).toEqual({
    'products.1.sold_quantity': translate('ru', { key: 'sale.amount_too_large' }),
  });
});

test('sums over many desks that are only shown have any size, exactly (Contract 9.117)', async () => {
  const shop = await newShop();
  const { director: token, companyId } = shop;
  const names = Array.from({ length: 46 }, (_, index) => `Desk of many ${index}`);
  const desks = await Promise.all(names.map((name) => make(DESKS, token, { name, type: 'sale' })));
  const sums = { card_uzs: MOST, bank_uzs: MOST };
  const set = { ...sums, day: today({ income: sums, outcome: sums }) };
  await transact(desks.map((id) => update(deskMoneyKey(familyTenant(companyId), id), { set })));
  const non_cash = { uzs: 91_999_999_999_999.08 };
  expect(await call(STATS, { token })).toMatchObject({
    status: 200,
    body: { income: { non_cash }, outcome: { non_cash }, balance: { non_cash } },
  });
});
