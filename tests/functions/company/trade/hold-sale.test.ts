import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, make } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';
import { batchesOf, holdGoods, newTeaSet, readHold } from '#tests/support/trade.ts';

const SELL = 'POST /company/trade/sale';

/** Creates water of two batches, with a hold of some pieces at 5000. */
async function newHeldWater(quantity: number) {
  const shop = await newShop();
  const water = await newGoods(shop, [
    { quantity: 2, cost: 1000 },
    { quantity: 8, cost: 2000 },
  ]);
  const hold = (await holdGoods(shop, { products: [{ product_id: water, quantity }] })).number('id');
  return { ...shop, water, hold };
}

function paying(amount: number) {
  return { transactions: [{ payment_type: 'cash', amount }] };
}

test('a sale without goods of its own sells the whole hold and closes it (Contract 9.1)', async () => {
  const shop = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(shop);
  const held = await holdGoods(shop, {
    products: [{ product_id: tea, quantity: 1 }],
    bundles: [{ bundle_id, quantity: 2 }],
  });
  const hold_id = held.number('id');
  const reply = await call(SELL, {
    token: shop.director,
    json: saleBody(shop, { hold_id, ...paying(5000) }),
  });
  expect(reply).toMatchObject({ status: 200, body: { hold_id, sold_amount: 5000, products_count: 3 } });
  const sale_id = reply.number('id');
  expect(await readHold(shop, hold_id)).toMatchObject({ status: 'completed', sale_id });
  expect([await piecesOf(shop, tea), await piecesOf(shop, sugar)]).toEqual([5, 9]);
  const { body } = await call(`GET /company/trade/sale/${sale_id}`, { token: shop.director });
  expect(body).toMatchObject({
    products: [
      { product_id: tea, sold_quantity: 1, price: 1000, amount: 1000, bundle_key: null },
      { product_id: tea, sold_quantity: 4, bundle_id, amount: 3555.56, bundle_quantity: 2 },
      { product_id: sugar, sold_quantity: 1, bundle_id, amount: 444.44, bundle_quantity: 2 },
    ],
  });
});

test('held goods come out of the batches of the hold, what is above off the free stock (Contract 9.1)', async () => {
  const shop = await newHeldWater(3);
  const json = saleBody(shop, {
    hold_id: shop.hold,
    products: [{ product_id: shop.water, sold_quantity: 4 }],
    ...paying(20_000),
  });
  expect((await call(SELL, { token: shop.director, json })).body).toMatchObject({ purchased_amount: 6000 });
  expect(await batchesOf(shop, shop.water)).toEqual([{ cost: 2000, quantity: 6 }]);
});

test('a hold keeps its own batches though older goods have come back meanwhile (Contract 9.1)', async () => {
  const shop = await newHeldWater(2);
  const second = await holdGoods(shop, { products: [{ product_id: shop.water, quantity: 2 }] });
  await call(`PATCH /company/trade/hold/${shop.hold}/cancel`, { token: shop.director });
  const json = saleBody(shop, { hold_id: second.number('id'), ...paying(10_000) });
  expect((await call(SELL, { token: shop.director, json })).body).toMatchObject({ purchased_amount: 4000 });
  expect(await batchesOf(shop, shop.water)).toEqual([
    { cost: 1000, quantity: 2 },
    { cost: 2000, quantity: 6 },
  ]);
});

test('what the hold has above what is sold goes back into its batches (Contract 9.1)', async () => {
  const shop = await newHeldWater(5);
  const json = saleBody(shop, {
    hold_id: shop.hold,
    products: [{ product_id: shop.water, sold_quantity: 1 }],
    ...paying(5000),
  });
  expect((await call(SELL, { token: shop.director, json })).status).toBe(200);
  expect(await batchesOf(shop, shop.water)).toEqual([
    { cost: 1000, quantity: 1 },
    { cost: 2000, quantity: 8 },
  ]);
});

test('a held line keeps its price, without is_free_price; a price that it names is ignored (Contract 9.145)', async () => {
  const shop = await newHeldWater(1);
  const { body } = await call(`GET /company/product/product/${shop.water}`, { token: shop.director });
  const card = { ...Object(body), sale_price: 9000, min_price: 8000 };
  await call(`PUT /company/product/product/${shop.water}`, { token: shop.director, json: card });
  const line = { product_id: shop.water, sold_quantity: 1 };
  const dearer = saleBody(shop, {
    hold_id: shop.hold,
    products: [{ ...line, price: 9000 }],
    ...paying(9000),
  });
  expect(Object.keys(await errorsOf(SELL, shop.director, dearer))).toEqual(['transactions']);
  const held = saleBody(shop, { hold_id: shop.hold, products: [{ ...line, price: 9000 }], ...paying(5000) });
  expect((await call(SELL, { token: shop.director, json: held })).body).toMatchObject({ sold_amount: 5000 });
});

test('a bundle of a hold keeps the price it was held at (Contract 9.2)', async () => {
  const shop = await newShop();
  const { bundle_id } = await newTeaSet(shop);
  const held = await holdGoods(shop, { bundles: [{ bundle_id, quantity: 2, price: 1800 }] });
  const json = saleBody(shop, { hold_id: held.number('id'), bundles: [{ bundle_id }], ...paying(1800) });
  expect((await call(SELL, { token: shop.director, json })).body).toMatchObject({ sold_amount: 1800 });
});

test('a hold of another warehouse, one that is over and one there is none of are 422 on hold_id (Contract 9.1)', async () => {
  const shop = await newHeldWater(1);
  const stockId = await make('/company/stock/stock', shop.director, { name: 'Second' });
  const sell = (at: Shop, hold_id: number) =>
    errorsOf(SELL, shop.director, saleBody(at, { hold_id, ...paying(5000) }));
  expect(Object.keys(await sell({ ...shop, stockId }, shop.hold))).toEqual(['hold_id']);
  expect(Object.keys(await sell(shop, shop.hold + 1))).toEqual(['hold_id']);
  await call(`PATCH /company/trade/hold/${shop.hold}/cancel`, { token: shop.director });
  expect(await sell(shop, shop.hold)).toEqual({ hold_id: 'Резерв уже закрыт или отменён.' });
});

/** Creates a desk of a branch of the shop's company, and gives its id. */
async function newBranchDesk({ director, companyId }: Shop): Promise<number> {
  const desk = { name: 'Branch desk', type: 'sale', company_id: await newCompany(companyId) };
  return make('/company/cashbox/cashbox', director, desk);
}

test('at a desk of another company a hold is neither sold nor added to (Contract 9.1)', async () => {
  const shop = await newHeldWater(1);
  const theirs = { ...shop, cashboxId: await newBranchDesk(shop) };
  const otherCompany = translate('ru', { key: 'sale.other_company' });
  const sold = saleBody(theirs, { hold_id: shop.hold, ...paying(5000) });
  expect(await errorsOf(SELL, shop.director, sold)).toEqual({
    stock_id: otherCompany,
    hold_id: translate('ru', { key: 'hold.other_place' }),
  });
  const products = [{ product_id: shop.water, quantity: 1 }];
  const added = { cashbox_id: theirs.cashboxId, cheque: 1, products };
  expect(await errorsOf(`PATCH /company/trade/hold/${shop.hold}/add-products`, shop.director, added)).toEqual(
    {
      cashbox_id: otherCompany,
    },
  );
});

test('a hold is sold and added to in its own currency, whatever the sale currency is; another is 422 on currency (Contract 9.115)', async () => {
  const shop = await newHeldWater(1);
  const { director: token, cashboxId: cashbox_id, water: product_id } = shop;
  const settings = { token, json: { sale_currency: 'usd' } };
  expect((await call('PATCH /company/cashbox/currency-rate/settings', settings)).status).toBe(200);
  const json = { cashbox_id, cheque: 1, products: [{ product_id, quantity: 1 }] };
  expect(
    (await call(`PATCH /company/trade/hold/${shop.hold}/add-products`, { token, json })).body,
  ).toMatchObject({ currency: 'uzs', amount: 10_000 });
  const whole = saleBody(shop, { hold_id: shop.hold, ...paying(10_000) });
  expect(await errorsOf(SELL, token, { ...whole, currency: 'usd' })).toMatchObject({
    currency: translate('ru', { key: 'sale.other_currency', with: { currency: 'uzs' } }),
  });
  const sold = await call(SELL, { token, json: whole });
  expect(sold).toMatchObject({ status: 200, body: { currency: 'uzs', sold_amount: 10_000 } });
  expect(await readHold(shop, shop.hold)).toMatchObject({ status: 'completed' });
});

test('of a sale and a cancel of one hold at the same moment, and of two sales, one is made', async () => {
  for (const other of ['cancel', 'sell']) {
    const shop = await newHeldWater(3);
    const cancel = `PATCH /company/trade/hold/${shop.hold}/cancel`;
    const json = saleBody(shop, { hold_id: shop.hold, ...paying(15_000) });
    const replies = await Promise.all([
      call(SELL, { token: shop.director, json }),
      call(other === 'sell' ? SELL : cancel, { token: shop.director, json }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400 || status === 422)).toHaveLength(1);
    const isSold = (await readHold(shop, shop.hold)).status === 'completed';
    expect(await piecesOf(shop, shop.water)).toBe(isSold ? 7 : 10);
  }
});

test('a hold is sold though the stock level has become full, and canceled once there is room', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const product_id = await newGoods(shop, [{ quantity: 66_000_000, cost: 0 }], { sale_price: 0.01 });
  const hold = async (quantity: number) =>
    (await holdGoods(shop, { products: [{ product_id, quantity }] })).number('id');
  const [first, second] = [await hold(1_000_000), await hold(2_000_000)];
  await receiveGoods(token, { stock_id, products: [{ product_id, quantity: 4_000_000, cost: 1 }] });
  expect(await piecesOf(shop, product_id)).toBe(67_000_000);
  const cancel = () => call(`PATCH /company/trade/hold/${second}/cancel`, { token });
  expect(await cancel()).toMatchObject(errorWith('stock.too_much'));
  const whole = saleBody(shop, { hold_id: first, ...paying(10_000) });
  expect((await call(SELL, { token, json: whole })).body).toMatchObject({ sold_amount: 10_000 });
  expect(await piecesOf(shop, product_id)).toBe(67_000_000);
  const half = { products: [{ product_id, sold_quantity: 1_000_000 }], ...paying(10_000) };
  const closing = saleBody(shop, { hold_id: second, ...half });
  expect(await call(SELL, { token, json: closing })).toMatchObject(errorWith('stock.too_much'));
  await sellOne(shop, product_id, 2_000_000, 0.01);
  expect((await cancel()).status).toBe(200);
  expect(await piecesOf(shop, product_id)).toBe(67_000_000);
});

test('a warehouse that keeps held goods is neither deleted nor moved, though nothing is free in it', async () => {
  const shop = await newHeldWater(10);
  const reply = await call(`DELETE /company/stock/stock/${shop.stockId}`, { token: shop.director });
  expect(reply.status).toBe(400);
});
