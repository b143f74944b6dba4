import { expect, test } from 'vitest';
import { say } from '#lib/values/say.ts';
import { mainDeskIn, newCompany } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';
import { refusalWith } from '#tests/kit/records.ts';
import { addMoney, cashOf, newGoods, newShop, sellOne } from '#tests/kit/shop.ts';

const DESKS = '/company/cashbox/cashbox';
const MOST = 99_999_999_999_999;

test('a payment that makes too much of a kind of money is 422 on its amount, and the desk stays readable', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  await addMoney(shop, { cash_uzs: MOST - 500_000 });
  expect((await sellOne(shop, id, 1, 5000)).status).toBe(200);
  expect(await cashOf(shop)).toBe(999_999_999_999.99);
  const tooMuch = say('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } });
  expect(await sellOne(shop, id, 1, 5000)).toMatchObject({
    status: 422,
    body: { errors: { 'transactions.0.amount': [tooMuch] } },
  });
});

test('a desk with money does not change its company, an empty one does', async () => {
  const shop = await newShop();
  const company_id = await newCompany(shop.companyId);
  const json = { name: 'Desk 1', type: 'sale', company_id };
  const move = () => call(`PUT ${DESKS}/${shop.cashboxId}`, { token: shop.director, json });
  await addMoney(shop, { card_usd: 1 });
  expect(await move()).toMatchObject(refusalWith('cashbox.moves_with_money'));
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
    refusalWith('cashbox.is_main'),
  );
});
