import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, piecesOf, type Shop } from '#tests/support/shop.ts';
import { movementsSeen, receiveGoods, stockLevelsOf } from '#tests/support/stock.ts';
import { holdGoods, newTeaSet, readHold } from '#tests/support/trade.ts';

const HOLD = '/company/trade/hold';
const tooMuch = {
  status: 422,
  body: { codes: { 'products.0.quantity': ['stock.too_much'] } },
};
const WATER = [{ quantity: 10, cost: 3000 }];

test('a hold takes the goods out of free stock and answers with its fields (Part 5, 5A.6, 4)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const reply = await holdGoods(shop, { products: [{ product_id: id, quantity: 2.5 }] });
  expect(reply.status).toBe(200);
  expect(Object.keys(Object(reply.body)).sort()).toEqual(
    [
      ...['amount', 'comment', 'company_id', 'created_at', 'creator_id', 'currency', 'date'],
      ...['client_id', 'deposit_amount', 'full_name', 'id', 'stock_id', 'updated_at', 'updater_id'],
    ].sort(),
  );
  expect(reply.body).toMatchObject({
    id: expect.any(Number),
    full_name: 'Aziz',
    date: '2099-01-31',
    comment: null,
    currency: 'uzs',
    amount: 12_500,
    stock_id: shop.stockId,
    company_id: shop.companyId,
    creator_id: shop.directorId,
    updater_id: shop.directorId,
  });
  expect(await piecesOf(shop, id)).toBe(7.5);
});

test('the workbook of holds has the day until when one is held as a day (Contract 9.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  await holdGoods(shop, { products: [{ product_id: id, quantity: 2.5 }] });
  const { rows } = await downloadSheet(`${HOLD}?format=excel`, shop.director);
  const [heading = [], row = []] = rows;
  expect(row[heading.indexOf('Держать до')]).toEqual(new Date('2099-01-31T00:00:00Z'));
});

test('the full hold has its lines with their products (Contract 9.3)', async () => {
  const shop = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(shop);
  const hold = (
    await holdGoods(shop, {
      products: [{ product_id: tea, quantity: 1 }],
      bundles: [{ bundle_id, quantity: 2, price: 2000 }],
    })
  ).number('id');
  const held = await readHold(shop, hold);
  expect(held).toMatchObject({
    status: 'in_progress',
    sale_id: null,
    amount: 5000,
    products: [
      { product_id: tea, bundle_id: null, bundle_key: null, quantity: 1, price: 1000, amount: 1000 },
      { product_id: tea, bundle_id, quantity: 4, amount: 3555.56, product: { id: tea } },
      { product_id: sugar, bundle_id, quantity: 1, amount: 444.44 },
    ],
  });
  const [, first, second] = held.products;
  expect(first?.bundle_key).toBe(second?.bundle_key);
});

test('additions and updates that are sent again tell the full hold, however long its cards are', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const long = { description: 'Ж'.repeat(2000) };
  const ids = await Promise.all(Array.from({ length: 95 }, () => newGoods(shop, WATER, long)));
  const products = ids.map((product_id) => ({ product_id, quantity: 1 }));
  const hold = (await holdGoods(shop, { products: products.slice(0, 1) })).number('id');
  const added = { cashbox_id: shop.cashboxId, cheque: 1, products: products.slice(1) };
  const bodies = { 'add-products': added, 'update-products': { products, bundle_keys: [] } };
  for (const [word, json] of Object.entries(bodies)) {
    const headers = { 'Idempotency-Key': word };
    const first = await call(`PATCH ${HOLD}/${hold}/${word}`, { token, json, headers });
    expect(first).toMatchObject({ status: 200, body: { id: hold, status: 'in_progress' } });
    const again = await call(`PATCH ${HOLD}/${hold}/${word}`, { token, json, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  }
});

test('a hold clears the draft of the desk that its goods come from', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const draft = `/company/trade/cashbox/${shop.cashboxId}/cheque/2`;
  const products = [{ product_id: id, quantity: 1 }];
  await call(`PUT ${draft}`, { token: shop.director, json: { stock_id: shop.stockId, products } });
  await holdGoods(shop, { products, cheque: 2 });
  expect((await call(`GET ${draft}`, { token: shop.director })).body).toMatchObject({ products: [] });
});

test('a hold over the free quantity is 422 on the line, and changes nothing', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  expect((await holdGoods(shop, { products: [{ product_id: id, quantity: 11 }] })).body).toMatchObject({
    errors: { 'products.0.quantity': ['Недостаточно товара: доступно 10.'] },
  });
  expect(await piecesOf(shop, id)).toBe(10);
});

test('a date before today is refused, and whatever is not there on its own field', async () => {
  const shop = await newShop();
  const json = {
    ...{ cashbox_id: 99, stock_id: 99, full_name: 'Aziz', date: '2020-01-01', cheque: 1 },
    products: [{ product_id: 99, quantity: 1 }],
  };
  expect(Object.keys(await errorsOf(`POST ${HOLD}`, shop.director, json)).sort()).toEqual([
    'cashbox_id',
    'date',
    'products.0.product_id',
    'stock_id',
  ]);
});

test('what is added of a product in the hold is held at its held price (Contract 9.6)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 1 }] })).number('id');
  await reprice(shop, id, 9000);
  const json = { cashbox_id: shop.cashboxId, cheque: 1, products: [{ product_id: id, quantity: 2 }] };
  const reply = await call(`PATCH ${HOLD}/${hold}/add-products`, { token: shop.director, json });
  expect(reply).toMatchObject({
    status: 200,
    body: { amount: 15_000, products: [{ product_id: id, quantity: 3, price: 5000, amount: 15_000 }] },
  });
  expect(await piecesOf(shop, id)).toBe(7);
  const nothing = { cashbox_id: shop.cashboxId, cheque: 1 };
  expect(Object.keys(await errorsOf(`PATCH ${HOLD}/${hold}/add-products`, shop.director, nothing))).toEqual([
    'products',
  ]);
});

test('goods that are added to a line of a hold move by that line', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const products = [{ product_id: id, quantity: 1 }];
  const hold = (await holdGoods(shop, { products })).number('id');
  const json = { cashbox_id: shop.cashboxId, cheque: 1, products };
  await call(`PATCH ${HOLD}/${hold}/add-products`, { token: shop.director, json });
  const [line] = (await readHold(shop, hold)).products;
  const [row] = await stockLevelsOf(shop.director);
  expect(await movementsSeen(shop.director, row?.id ?? 0)).toMatchObject([
    { document_type: 'hold', line_id: line?.id },
    { document_type: 'hold', line_id: line?.id },
    { document_type: 'purchase' },
  ]);
});

test('a bundle that is added has a key of its own, whatever the hold has (Contract 9.3)', async () => {
  const shop = await newShop();
  const { bundle_id } = await newTeaSet(shop);
  const hold = (await holdGoods(shop, { bundles: [{ bundle_id }] })).number('id');
  const json = { cashbox_id: shop.cashboxId, cheque: 1, bundles: [{ bundle_id }] };
  await call(`PATCH ${HOLD}/${hold}/add-products`, { token: shop.director, json });
  const { products } = await readHold(shop, hold);
  expect(products.length).toBe(4);
  expect(new Set(products.map(({ bundle_key }) => bundle_key)).size).toBe(2);
});

test('an update brings the hold to what is sent: more is taken, less and what is left out goes back', async () => {
  const shop = await newShop();
  const { bundle_id, tea, sugar } = await newTeaSet(shop);
  const water = await newGoods(shop, WATER);
  const hold = (
    await holdGoods(shop, {
      products: [
        { product_id: tea, quantity: 2 },
        { product_id: water, quantity: 4 },
      ],
      bundles: [{ bundle_id }, { bundle_id }],
    })
  ).number('id');
  const [, , first] = (await readHold(shop, hold)).products;
  const json = { products: [{ product_id: tea, quantity: 3 }], bundle_keys: [first?.bundle_key] };
  const reply = await call(`PATCH ${HOLD}/${hold}/update-products`, { token: shop.director, json });
  expect(reply).toMatchObject({ status: 200, body: { amount: 5000 } });
  expect(
    (await readHold(shop, hold)).products.map(({ product_id, quantity }) => [product_id, quantity]),
  ).toEqual([
    [tea, 3],
    [tea, 2],
    [sugar, 0.5],
  ]);
  expect([await piecesOf(shop, tea), await piecesOf(shop, sugar), await piecesOf(shop, water)]).toEqual([
    5, 9.5, 10,
  ]);
});

test('an update is limited by what the hold has and what is free, and to what it has (Contract 9.4)', async () => {
  const shop = await newShop();
  const [water, other] = [await newGoods(shop, WATER), await newGoods(shop, WATER)];
  const hold = (await holdGoods(shop, { products: [{ product_id: water, quantity: 4 }] })).number('id');
  const update = (json: object) => errorsOf(`PATCH ${HOLD}/${hold}/update-products`, shop.director, json);
  expect(
    await update({
      products: [
        { product_id: water, quantity: 10.5 },
        { product_id: other, quantity: 1 },
      ],
      bundle_keys: ['none'],
    }),
  ).toEqual({
    'products.0.quantity': 'Недостаточно товара: доступно 10.',
    'products.1.product_id': expect.any(String),
    'bundle_keys.0': expect.any(String),
  });
  expect(Object.keys(await update({}))).toEqual(['products']);
});

test('a canceled hold gives its goods back into their very batches, and is over', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [
    { quantity: 2, cost: 1000 },
    { quantity: 5, cost: 2000 },
  ]);
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 3 }] })).number('id');
  const cancel = () => call(`PATCH ${HOLD}/${hold}/cancel`, { token: shop.director });
  expect(await cancel()).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  const { body } = await call(`GET /company/stock/product?filter[product_id]=${id}`, {
    token: shop.director,
  });
  expect(body).toMatchObject({
    data: [
      {
        quantity: 7,
        batches: [
          { quantity: 2, cost: 1000 },
          { quantity: 5, cost: 2000 },
        ],
      },
    ],
  });
  expect((await readHold(shop, hold)).status).toBe('canceled');
  const goods = { cashbox_id: shop.cashboxId, cheque: 1, products: [{ product_id: id, quantity: 1 }] };
  expect((await cancel()).status).toBe(400);
  for (const [path, json] of [
    ['add-products', goods],
    ['update-products', { products: goods.products }],
  ] as const) {
    expect((await call(`PATCH ${HOLD}/${hold}/${path}`, { token: shop.director, json })).status).toBe(400);
  }
});

test('overdue holds are found by their date, and customers by a part of their name (Contract 9.5)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const products = [{ product_id: id, quantity: 1 }];
  await holdGoods(shop, { products, full_name: 'Karim', date: '2098-05-01' });
  await holdGoods(shop, { products, full_name: 'Nodira', date: '2098-06-01' });
  await holdGoods(shop, { products, full_name: 'Anvar', date: null });
  const found = async (query: string) => {
    const { body } = await call(`GET ${HOLD}?${query}`, { token: shop.director });
    return Object(body).data.map(({ full_name }: { full_name: string }) => full_name);
  };
  expect(await found('filter[date][1]=2098-05-31')).toEqual(['Karim']);
  expect(await found('filter[date][0]=2098-05-31&filter[date][1]=2098-06-01')).toEqual(['Nodira']);
  expect(await found('filter[full_name]=NOD')).toEqual(['Nodira']);
  expect(await found('filter[status]=in_progress')).toEqual(['Anvar', 'Nodira', 'Karim']);
  const { body } = await call(`GET ${HOLD}?with[]=updater.profile&with[]=stock`, { token: shop.director });
  expect(body).toMatchObject({
    data: [{ updater: { id: shop.directorId }, stock: { id: shop.stockId } }, {}, {}],
  });
});

test('a hold of more than a thousand lines is refused', async () => {
  const shop = await newShop();
  const { bundle_id } = await newTeaSet(shop, 100_000);
  const hold = (
    await holdGoods(shop, { bundles: Array.from({ length: 100 }, () => ({ bundle_id })) })
  ).number('id');
  const json = { cashbox_id: shop.cashboxId, cheque: 1 };
  const bundles = Array.from({ length: 100 }, () => ({ bundle_id }));
  const statuses: number[] = [];
  for (let time = 0; time < 5; time++) {
    const reply = await call(`PATCH ${HOLD}/${hold}/add-products`, {
      token: shop.director,
      json: { ...json, bundles },
    });
    statuses.push(reply.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 422]);
});

test('a hold is not made longer than it is shown: over a thousand lines it is refused', async () => {
  const shop = await newShop();
  const { stockId: stock_id, director: token } = shop;
  const parts = await Promise.all(
    Array.from({ length: 11 }, () => newGoods(shop, [{ quantity: 1000, cost: 1 }])),
  );
  const products = parts.map((product_id) => ({ product_id, quantity: 1 }));
  const bundle_id = await make('/company/product/bundle', token, { name: 'Eleven', price: 100, products });
  const holding = (count: number, quantity: number) => ({
    ...{ cashbox_id: shop.cashboxId, stock_id, full_name: 'Aziz', cheque: 1 },
    bundles: Array.from({ length: count }, () => ({ bundle_id })),
    products: [{ product_id: parts[0], quantity }],
  });
  expect(await errorsOf(`POST ${HOLD}`, token, holding(91, 2000))).toEqual({
    products: translate('ru', { key: 'hold.too_many_lines', with: { max: 1000 } }),
    'products.0.quantity': expect.any(String),
  });
  const id = await make(HOLD, token, holding(90, 1));
  expect((await readHold(shop, id)).products).toHaveLength(991);
});

function reprice({ director: token }: Shop, id: number, sale_price: number) {
  return call(`GET /company/product/product/${id}`, { token }).then(({ body }) =>
    call(`PUT /company/product/product/${id}`, { token, json: { ...Object(body), sale_price } }),
  );
}

test('a hold needs no open shift, as no money moves (Contract 9.7)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = { cashbox_shift_settings: { is_enabled: true } };
  const settings = await call('PUT /company/company/settings', { token: shop.director, json });
  expect(settings.body).toMatchObject(json);
  expect((await holdGoods(shop, { products: [{ product_id: id, quantity: 1 }] })).status).toBe(200);
});

test('another family does not see the hold', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 1 }] })).number('id');
  const stranger = await newShop();
  expect((await call(`GET ${HOLD}/${hold}`, { token: stranger.director })).status).toBe(404);
});

test('goods are set aside as long as they and what is free are no more than a balance takes', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 60_000_000, cost: 0 }], { sale_price: 0.01 });
  const held = (quantity: number) => ({ products: [{ product_id: id, quantity }] });
  const first = await holdGoods(shop, held(1));
  expect(first.status).toBe(200);
  const hold = first.number('id');
  for (const quantity of [9_999_999, 1e7, 1e7, 1e7, 1e7, 1e7]) {
    expect((await holdGoods(shop, held(quantity))).status).toBe(200);
  }
  const more = { stock_id: shop.stockId, products: [{ product_id: id, quantity: 7_000_001, cost: 1 }] };
  await receiveGoods(shop.director, more);
  expect(await holdGoods(shop, held(1))).toMatchObject(tooMuch);
  expect(
    await call(`PATCH ${HOLD}/${hold}/update-products`, { token: shop.director, json: held(2) }),
  ).toMatchObject(tooMuch);
  expect((await call(`PATCH ${HOLD}/${hold}/cancel`, { token: shop.director })).status).toBe(200);
});
