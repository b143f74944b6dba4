import { beforeEach, expect, test } from 'vitest';
import { startRepricings } from '#lib/trade/repricing/start.ts';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import {
  addToDraft,
  cardOf,
  minuteFromNow,
  PRODUCTS,
  REPRICINGS,
  reprice,
  repricingRow,
  sendBatch,
} from '#tests/support/repricing.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

const TYPES = '/company/product/price-type';

let shop: Shop;
let token: string;
let wholesale: number;
let vip: number;

beforeEach(async () => {
  shop = await newShop();
  token = shop.director;
  wholesale = await make(TYPES, token, { name: 'Опт' });
  vip = await make(TYPES, token, { name: 'VIP' });
});

/** Returns a row that sets a price by a type. */
function typed(product_id: number, price_type_id: number, sale_price: number, given: object = {}) {
  return repricingRow(product_id, { price_type_id, sale_price, ...given });
}

const inDollars = { sale_currency: 'usd' };

test('rows of one product with different types set its price of each, and the history has them (Part 5, 5A.14 (2))', async () => {
  const tea = await newGoods(shop, [], { sale_price: 5000 });
  const rows = [
    typed(tea, wholesale, 4500, { markup_percent: 10 }),
    repricingRow(tea, { price_type_id: null, min_price: 4000 }),
    typed(tea, vip, 2, inDollars),
  ];
  const batch = await reprice(shop, rows);
  const lines = [
    { price_type_id: wholesale, previous_price: 5000, sale_price: 4500, markup_percent: 10 },
    { price_type_id: null, previous_price: 5000, sale_price: 6000, min_price: 4000 },
    { price_type_id: vip, previous_price: 5000, previous_currency: 'uzs', sale_price: 2, ...inDollars },
  ];
  expect(batch).toMatchObject({ products_count: 3, products: lines, skipped_products: [] });
  expect((await call(`GET ${REPRICINGS}/${batch.id}`, { token })).body).toMatchObject({ products: lines });
  expect(await cardOf(shop, tea)).toMatchObject({
    sale_price: 6000,
    min_price: 4000,
    prices: [
      { price_type_id: wholesale, price: 4500, currency: 'uzs' },
      { price_type_id: vip, price: 2, currency: 'usd' },
    ],
  });
  const { body } = await call(`GET ${PRODUCTS}/${tea}/prices`, { token });
  const made = { cause: 'repricing', document_id: batch.id };
  expect(body).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ ...made, price_type_id: wholesale, previous_price: null, price: 4500 }),
      expect.objectContaining({ ...made, price_type_id: null, previous_price: 5000, price: 6000 }),
      expect.objectContaining({ ...made, price_type_id: vip, price: 2, currency: 'usd' }),
    ]),
    meta: { total: 4 },
  });
  const again = await reprice(shop, [typed(tea, wholesale, 4600)]);
  expect(again.products).toMatchObject([{ previous_price: 4500, sale_price: 4600 }]);
  expect(await cardOf(shop, tea)).toMatchObject({
    sale_price: 6000,
    prices: [
      { price_type_id: wholesale, price: 4600 },
      { price_type_id: vip, price: 2 },
    ],
  });
});

test('an unknown or deleted type, a second row of a type and a minimum by type are 422, all at once (Part 5, 5A.14 (2))', async () => {
  const [tea, milk] = [await newGoods(shop, [], { barcode: `7${shop.companyId}` }), await newGoods(shop, [])];
  await call(`DELETE ${TYPES}/${vip}`, { token });
  const rows = [
    typed(tea, 999_999_999, 1),
    typed(tea, vip, 2),
    repricingRow(tea),
    typed(tea, wholesale, 3),
    { ...typed(0, wholesale, 4), product_id: null, barcode: `7${shop.companyId}` },
    typed(999_999_999, vip, 5),
  ];
  expect(await sendBatch(shop, rows)).toMatchObject({
    status: 422,
    body: {
      codes: {
        'products.0.price_type_id': ['validation.not_found'],
        'products.1.price_type_id': ['validation.not_found'],
        'products.4.barcode': ['validation.duplicate'],
        'products.5.price_type_id': ['validation.not_found'],
        'products.5.product_id': ['validation.not_found'],
      },
    },
  });
  const wrong = [
    typed(milk, wholesale, 1, { min_price: 1, min_price_percent: 1 }),
    typed(milk, wholesale, 2),
    repricingRow(milk),
    repricingRow(milk, { price_type_id: null }),
  ];
  const { status, body } = await sendBatch(shop, wrong);
  expect(status).toBe(422);
  expect(body).toMatchObject({
    codes: {
      'products.0.min_price': ['repricing.minimum_of_type'],
      'products.0.min_price_percent': ['repricing.minimum_of_type'],
      'products.1.product_id': ['validation.duplicate'],
      'products.3.product_id': ['validation.duplicate'],
    },
    errors: { 'products.0.min_price': [translate('ru', { key: 'repricing.minimum_of_type' })] },
  });
  expect(await cardOf(shop, tea)).toMatchObject({ prices: [] });
});

test('a price by type under the floor that its product then has is skipped (Contract 9.107; Part 5, 5A.14 (2))', async () => {
  const cost = [{ quantity: 1, cost: 3000 }];
  const percent = await newGoods(shop, cost, { sale_price: 5000, min_price_percent: 10 });
  const minimum = await newGoods(shop, cost, { name: 'Сок', sale_price: 5000, min_price: 4000 });
  const raised = await newGoods(shop, [], { name: 'Чай', sale_price: 5000 });
  const kept = await newGoods(shop, [], { name: 'Кофе', sale_price: 5000, min_price: 4000 });
  const rows = [
    typed(percent, wholesale, 3299.99),
    typed(percent, vip, 3300),
    typed(minimum, wholesale, 3999.99),
    typed(minimum, vip, 4000),
    typed(raised, wholesale, 4500),
    repricingRow(raised, { min_price: 5500 }),
    typed(raised, vip, 5500),
    typed(kept, wholesale, 4000),
    repricingRow(kept, { sale_price: 6000, min_price: 7000 }),
  ];
  const reason = 'below_min_price';
  const text = translate('ru', { key: 'repricing.below_min_price' });
  expect(await reprice(shop, rows)).toMatchObject({
    products: [
      { product_id: percent, price_type_id: vip },
      { product_id: minimum, price_type_id: vip },
      { product_id: raised, price_type_id: null },
      { product_id: raised, price_type_id: vip, min_price: 5500 },
      { product_id: kept, price_type_id: wholesale, min_price: 4000 },
    ],
    skipped_products: [
      { product_id: percent, price_type_id: wholesale, reason, text },
      { product_id: minimum, price_type_id: wholesale, reason },
      { product_id: raised, price_type_id: wholesale, reason },
      { product_id: kept, price_type_id: null, reason },
    ],
  });
  expect(await cardOf(shop, raised)).toMatchObject({
    ...{ sale_price: 6000, min_price: 5500 },
    prices: [{ price_type_id: vip, price: 5500 }],
  });
  expect(await cardOf(shop, kept)).toMatchObject({ sale_price: 5000, prices: [{ price: 4000 }] });
});

test('a planned one sets prices by type, and skips those of a type deleted by then (Part 5, 5A.14 (2), (3))', async () => {
  const tea = await newGoods(shop, [], { sale_price: 5000 });
  const milk = await newGoods(shop, [], { name: 'Сут', sale_price: 5000 });
  const at = minuteFromNow(2);
  const rows = [
    typed(tea, wholesale, 4500),
    repricingRow(tea),
    typed(tea, vip, 4400),
    typed(milk, wholesale, 1),
  ];
  const planned = await reprice(shop, rows, { starts_at: renderInstant(at) });
  const lines = [
    { product_id: tea, price_type_id: wholesale, previous_price: 5000, sale_price: 4500 },
    { product_id: tea, price_type_id: null, previous_price: 5000, sale_price: 6000 },
  ];
  const late = { product_id: tea, price_type_id: vip, previous_price: 5000, sale_price: 4400 };
  expect(planned).toMatchObject({ status: 'planned', products: [...lines, late, { product_id: milk }] });
  expect(await cardOf(shop, tea)).toMatchObject({ sale_price: 5000, prices: [] });
  await call(`DELETE ${TYPES}/${vip}`, { token });
  await addToDraft(shop, milk);
  await startRepricings(at);
  expect((await call(`GET ${REPRICINGS}/${planned.id}`, { token })).body).toMatchObject({
    ...{ status: 'completed', products_count: 2, products: lines },
    skipped_products: [
      { product_id: tea, price_type_id: vip, reason: 'price_type_not_found' },
      { product_id: milk, price_type_id: wholesale, reason: 'in_active_sale' },
    ],
  });
  expect(await cardOf(shop, tea)).toMatchObject({
    ...{ sale_price: 6000, prices: [{ price_type_id: wholesale, price: 4500 }] },
  });
});

test('a card with ten prices takes one of a further type in place of those of deleted types', async () => {
  const all = [wholesale, vip];
  for (let index = 2; index < 10; index += 1) all.push(await make(TYPES, token, { name: `Type ${index}` }));
  const tea = await newGoods(shop, []);
  await reprice(
    shop,
    all.map((id) => typed(tea, id, id)),
  );
  await call(`DELETE ${TYPES}/${vip}`, { token });
  const further = await make(TYPES, token, { name: 'Further' });
  await reprice(shop, [typed(tea, further, 1)]);
  const types = [...all.filter((id) => id !== vip), further];
  expect(await cardOf(shop, tea)).toMatchObject({
    prices: types.map((price_type_id) => ({ price_type_id })),
  });
});
