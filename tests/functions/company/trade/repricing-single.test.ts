import { beforeEach, expect, test } from 'vitest';
import { card } from '#tests/support/catalog.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { historyOf, PRODUCTS } from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

let shop: Shop;

beforeEach(async () => {
  shop = await newShop();
});

test('a price changed on the card leaves a batch of type single; another change of it leaves none (Contract 9.32)', async () => {
  const water = await newGoods(shop, [], { barcode: '4780' });
  const edit = (given: object) =>
    call(`PUT ${PRODUCTS}/${water}`, {
      token: shop.director,
      json: card(shop.catalog, { barcode: '4780', ...given }),
    });
  expect((await edit({ name: 'Soda' })).status).toBe(200);
  expect(await historyOf(shop)).toMatchObject({ data: [] });
  expect((await edit({ sale_price: 7000, min_price: 10 })).status).toBe(200);
  expect((await edit({ sale_price: 7000, sale_currency: 'rub' })).status).toBe(200);
  const own = { company_id: shop.companyId, creator_id: shop.directorId };
  const single = { ...own, type: 'single', products_count: 1, skipped_products: [], markup_summary: null };
  expect(await historyOf(shop, 'with[]=products.product')).toMatchObject({
    data: [
      {
        ...single,
        products: [
          { previous_price: 7000, previous_currency: 'uzs', sale_price: 7000, sale_currency: 'rub' },
        ],
      },
      {
        ...single,
        rounding_type: null,
        currency_rate: null,
        products: [
          { ...own, product_id: water, previous_price: 5000, sale_price: 7000, min_price: 10, product: {} },
        ],
      },
    ],
  });
});

test('a completed receipt that changes prices leaves one batch of type single (Contract 9.32)', async () => {
  const ids = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  const receive = async (prices: readonly (number | null)[]) => {
    const products = ids.map((product_id, index) => ({
      product_id,
      quantity: 1,
      cost: 1,
      sale_price: prices[index],
    }));
    const json = { stock_id: shop.stockId, currency: 'uzs', products };
    const id = await make('/company/trade/purchase', shop.director, json);
    const done = await call(`PATCH /company/trade/purchase/${id}/complete`, { token: shop.director });
    expect(done.status).toBe(200);
  };
  await receive([null, 5000, null]);
  expect(await historyOf(shop)).toMatchObject({ data: [] });
  await receive([6000, 5000, 7000]);
  expect(await historyOf(shop, 'with[]=products.product')).toMatchObject({
    data: [
      {
        type: 'single',
        products_count: 2,
        products: [
          { product_id: ids[0], previous_price: 5000, sale_price: 6000 },
          { product_id: ids[2], previous_price: 5000, sale_price: 7000 },
        ],
      },
    ],
  });
});
