import { expect, test } from 'vitest';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, type Shop, saleBody } from '#tests/support/shop.ts';
import { holdGoods, newTeaSet } from '#tests/support/trade.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 10, cost: 3000 }];

const BUNDLE_ONLY = translate('ru', { key: 'sale.bundle_only' });

/**
 * Creates a shop with a hold of two pieces of a product that became something else since, and of one other.
 */
async function newGone(become: typeof remove) {
  const shop = await newShop();
  const [gone, other] = [await newGoods(shop, WATER), await newGoods(shop, WATER)];
  const held = await holdGoods(shop, {
    products: [
      { product_id: gone, quantity: 2 },
      { product_id: other, quantity: 1 },
    ],
  });
  await become(shop, gone);
  return { ...shop, gone, other, hold: held.number('id') };
}

/** Deletes a product as was possible before goods prevented it: such products may exist. Contract 9.94. */
async function remove({ companyId }: Shop, id: number): Promise<void> {
  const key = recordKey('product', familyTenant(companyId), id);
  await transact([update(key, { set: { is_deleted: true } })]);
}

async function putInBundles({ director: token }: Shop, id: number): Promise<void> {
  const { body } = await call(`GET /company/product/product/${id}`, { token });
  const json = { ...Object(body), is_bundle_only: true };
  expect((await call(`PUT /company/product/product/${id}`, { token, json })).status).toBe(200);
}

/** Builds the body of a sale that closes a hold with these goods, for cash. */
function closing(shop: Shop, hold_id: number, goods: object, amount: number): object {
  return saleBody(shop, { hold_id, ...goods, transactions: [{ payment_type: 'cash', amount }] });
}

for (const [become, what, message] of [
  [remove, 'a deleted product', NOT_FOUND],
  [putInBundles, 'a product that is only in bundles now', BUNDLE_ONLY],
] as const) {
  test(`of ${what} just what is held is sold (Contract 9.1)`, async () => {
    const shop = await newGone(become);
    const { director: token, gone, other, hold } = shop;
    const goods = (sold_quantity: number) => ({ products: [{ product_id: gone, sold_quantity }] });
    const refused = { 'products.0.product_id': message };
    expect(await errorsOf(SELL, token, closing(shop, hold, goods(2.5), 12_500))).toEqual(refused);
    const { hold_id: _, ...alone } = Object(closing(shop, hold, goods(1), 5000));
    expect(await errorsOf(SELL, token, alone)).toEqual(refused);
    const sold = await call(SELL, { token, json: closing(shop, hold, goods(2), 10_000) });
    expect(sold).toMatchObject({ status: 200, body: { sold_amount: 10_000 } });
    expect([await piecesOf(shop, gone), await piecesOf(shop, other)]).toEqual([8, 10]);
  });
}

test('a hold gets no more of a product that is deleted or sold only in bundles, and may have less', async () => {
  for (const [become, message] of [
    [remove, NOT_FOUND],
    [putInBundles, BUNDLE_ONLY],
  ] as const) {
    const shop = await newGone(become);
    const { director: token, gone, other, hold } = shop;
    const to = (quantity: number) => ({
      products: [
        { product_id: other, quantity: 3 },
        { product_id: gone, quantity },
      ],
    });
    const update = `PATCH /company/trade/hold/${hold}/update-products`;
    expect(await errorsOf(update, token, to(3))).toEqual({ 'products.1.product_id': message });
    expect(await errorsOf(update, token, to(30))).toEqual({ 'products.1.product_id': message });
    for (const quantity of [2, 1]) {
      expect((await call(update, { token, json: to(quantity) })).status).toBe(200);
    }
    expect([await piecesOf(shop, gone), await piecesOf(shop, other)]).toEqual([9, 7]);
  }
});

test('a product that is held in a bundle is not sold by itself once it is deleted', async () => {
  const shop = await newShop();
  const { bundle_id, tea } = await newTeaSet(shop);
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id }] })).number('id');
  await remove(shop, tea);
  const goods = { products: [{ product_id: tea, sold_quantity: 1 }] };
  expect(await errorsOf(SELL, shop.director, closing(shop, hold, goods, 1000))).toEqual({
    'products.0.product_id': NOT_FOUND,
  });
});

test('of a deleted bundle, and of one with a deleted product, just what is held is sold (Contract 9.1)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const { bundle_id, tea } = await newTeaSet(shop);
  const sell = (id: number, quantity: number) =>
    call(SELL, {
      token,
      json: closing(shop, id, { bundles: [{ bundle_id, quantity }] }, 2000 * quantity),
    });
  const pair = (await holdGoods(shop, { bundles: [{ bundle_id, quantity: 2 }] })).number('id');
  const single = (await holdGoods(shop, { bundles: [{ bundle_id }] })).number('id');
  await remove(shop, tea);
  const refused = { status: 422, body: { errors: { 'bundles.0.bundle_id': [NOT_FOUND] } } };
  expect(await sell(pair, 3)).toMatchObject(refused);
  expect(await sell(pair, 1)).toMatchObject({ status: 200, body: { sold_amount: 2000 } });
  expect((await call(`DELETE /company/product/bundle/${bundle_id}`, { token })).status).toBe(200);
  expect(await sell(single, 2)).toMatchObject(refused);
  expect(await sell(single, 1)).toMatchObject({ status: 200, body: { sold_amount: 2000 } });
  expect(await piecesOf(shop, tea)).toBe(6);
});
