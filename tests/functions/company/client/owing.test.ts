import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { addClient, addToClient, giveBonuses, onDebt } from '#tests/support/clients.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, NOT_FOUND } from '#tests/support/records.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const CLIENTS = '/company/client/client';
const WATER = [{ quantity: 100, cost: 1 }];

test('a client who owes is not deleted, whatever the currency', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client = await addClient(shop);
  await call(SELL, { token: shop.director, json: onDebt(shop, client, id, 5000) });
  const removal = () => call(`DELETE ${CLIENTS}/${client}`, { token: shop.director });
  expect(await removal()).toMatchObject(errorWith('client.owes'));
  await addToClient(shop, client, { debt_uzs: -500_000, debt_usd: 1 });
  expect((await removal()).status).toBe(400);
  await addToClient(shop, client, { debt_usd: -1 });
  expect((await removal()).status).toBe(200);
});

test('of a sale on debt and the client’s deletion at the same moment one is refused', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  for (let round = 0; round < 8; round++) {
    const client = await addClient(shop, `99890111220${round}`);
    const [sale, removal] = await Promise.all([
      call(SELL, { token: shop.director, json: onDebt(shop, client, id, 5000) }),
      call(`DELETE ${CLIENTS}/${client}`, { token: shop.director }),
    ]);
    expect([sale.status, removal.status].sort()).toEqual(sale.status === 200 ? [200, 400] : [200, 422]);
    if (sale.status === 422) expect(sale.body).toMatchObject({ errors: { client_id: [NOT_FOUND] } });
  }
});

test('a debt that makes too much owed is 422 on its amount', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client = await addClient(shop);
  await addToClient(shop, client, { debt_uzs: 99_999_999_999_999 - 500_000 });
  expect((await call(SELL, { token: shop.director, json: onDebt(shop, client, id, 5000) })).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, onDebt(shop, client, id, 5000))).toEqual({
    'transactions.0.amount': translate('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } }),
  });
});

test('bonuses and a debt in one sale are one balance change of the client', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client = await addClient(shop);
  await giveBonuses(shop, client, 150_000);
  const json = saleBody(shop, {
    client_id: client,
    due_date: '2099-01-31',
    products: [{ product_id: id, sold_quantity: 1 }],
    transactions: [
      { payment_type: 'bonus', amount: 1000 },
      { payment_type: 'debt', amount: 4000 },
    ],
  });
  expect((await call(SELL, { token: shop.director, json })).status).toBe(200);
  expect((await call(`GET ${CLIENTS}/${client}`, { token: shop.director })).body).toMatchObject({
    bonus_accumulations_amount: 500,
  });
  expect(await errorsOf(SELL, shop.director, json)).toEqual({
    'transactions.0.amount': translate('ru', { key: 'sale.not_enough_bonuses' }),
  });
});
