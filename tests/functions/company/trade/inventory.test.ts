import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, sellOne } from '#tests/support/shop.ts';
import { movementsSeen, newWarehouse, PURCHASES, receiveGoods, stockLevelsOf } from '#tests/support/stock.ts';
import {
  count,
  countSeen,
  endStocktake,
  INVENTORIES,
  newStoreForStocktake,
  rowIds,
  startStocktake,
  waitUntilFinished,
} from '#tests/support/stocktakes.ts';
import { insertUser } from '#tests/support/users.ts';

const WRITE_OFFS = '/company/trade/writeoff';
const text = (key: 'stock.being_counted' | 'inventory.already_started' | 'inventory.not_in_progress') =>
  translate('ru', { key });

/** A line shows these and no card. */
const LINE_FIELDS = [
  'actual_quantity',
  'counted_at',
  'counted_by_id',
  'difference',
  'held_quantity',
  'id',
  'is_checked',
  'product_id',
  'stock_product_id',
  'stock_quantity',
];

test('a count goes from its start to its completion: books are what was counted (Contract 9.9)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const [first, second, third] = products;
  const started = await call(`POST ${INVENTORIES}`, {
    token,
    json: { stock_id: shop.stockId, type: 'full', comment: 'Yearly', responsible_id: shop.directorId },
  });
  expect(started).toMatchObject({
    status: 200,
    body: {
      stock_id: shop.stockId,
      company_id: shop.companyId,
      creator_id: shop.directorId,
      responsible_id: shop.directorId,
      type: 'full',
      status: 'in_progress',
      comment: 'Yearly',
      stock_quantity: 0,
      amounts_diff_above: { uzs: 0, usd: 0, eur: 0, rub: 0 },
      products_count: 3,
      checked_products_count: 0,
      completed_at: null,
    },
  });
  const { id } = Object(started.body);
  const rows = await rowIds(shop);
  expect((await countSeen(token, id)).products).toMatchObject([
    { product_id: first, stock_product_id: rows.get(first), stock_quantity: 10, is_checked: false },
    { product_id: second, stock_quantity: 20, actual_quantity: null, difference: null, held_quantity: 0 },
    { product_id: third, stock_quantity: 30, counted_by_id: null, counted_at: null },
  ]);
  expect((await countSeen(token, id)).products.map((line: object) => Object.keys(line).sort())).toEqual(
    Array.from({ length: 3 }, () => LINE_FIELDS),
  );
  const unchecked = await endStocktake(shop, id, 'complete');
  expect(unchecked).toMatchObject(errorWith('inventory.positions_unchecked', { count: 3 }));
  expect(
    (
      await count(shop, id, [
        [first, 12.5],
        [second, 3],
      ])
    ).body,
  ).toEqual({ message: 'Успешно' });
  expect((await count(shop, id, [[third, 30]])).status).toBe(200);
  expect(await countSeen(token, id)).toMatchObject({
    stock_quantity: 60,
    actual_quantity: 45.5,
    quantity_diff_above: 2.5,
    quantity_diff_below: 17,
    amounts_diff_above: { uzs: 250, usd: 0 },
    amounts_diff_below: { uzs: 50, usd: 24 },
    products_count: 3,
    checked_products_count: 3,
    matched_products_count: 1,
    products: [
      { difference: 2.5, is_checked: true, counted_by_id: shop.directorId },
      { difference: -17 },
      { difference: 0 },
    ],
  });
  expect(await piecesOf(shop, first)).toBe(10);
  expect((await endStocktake(shop, id, 'complete')).body).toEqual({ message: 'Успешно' });
  expect(await countSeen(token, id)).toMatchObject({ status: 'completed', actual_quantity: 45.5 });
  const pieces = await Promise.all(products.map((product) => piecesOf(shop, product)));
  expect(pieces).toEqual([12.5, 3, 30]);
  await waitUntilFinished(shop, products);
  expect(await Promise.all(products.map((product) => piecesOf(shop, product)))).toEqual(pieces);
  const [receipt] = await idsOf(PURCHASES, token);
  expect((await call(`GET ${PURCHASES}/${receipt}`, { token })).body).toMatchObject({
    status: 'completed',
    supplier_id: null,
    inventory_id: id,
    currency: 'uzs',
    amount: 250,
    products: [{ product_id: first, quantity: 2.5, cost: 100, amount: 250 }],
  });
  const [writeOff] = await idsOf(WRITE_OFFS, token);
  expect((await call(`GET ${WRITE_OFFS}/${writeOff}`, { token })).body).toMatchObject({
    source_type: 'inventory',
    source_id: id,
    status: 'completed',
    name: `Инвентаризация № ${id}`,
    amounts: { uzs: 50, usd: 24 },
    products: [
      {
        product_id: second,
        quantity: 17,
        reason: 'common_loss',
        batches: [
          { quantity: 5, amount: 50 },
          { quantity: 12, amount: 24, currency: 'usd' },
        ],
      },
    ],
  });
  const balances = await stockLevelsOf(token);
  expect(balances.map(({ quantity }) => quantity)).toEqual([12.5, 3, 30]);
  const moves = await Promise.all(balances.map((balance) => movementsSeen(token, balance.id)));
  expect(moves.map(([latest]) => latest)).toMatchObject([
    {
      document_type: 'inventory',
      document_id: id,
      line_id: rows.get(first),
      quantity: 2.5,
      quantity_after: 12.5,
    },
    { document_type: 'inventory', document_id: id, quantity: -17, quantity_before: 20, quantity_after: 3 },
    { document_type: 'purchase', quantity_after: 30 },
  ]);
  expect((await sellOne(shop, first, 12.5, 5000)).status).toBe(200);
  expect((await sellOne(shop, second, 4, 5000)).status).toBe(422);
});

test('a warehouse is closed from the answer of the start to the end of the count', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const draft = await make(PURCHASES, token, {
    stock_id: shop.stockId,
    currency: 'uzs',
    products: [{ product_id: products[0], quantity: 1, cost: 1 }],
  });
  const id = await startStocktake(shop);
  const refused = [
    await sellOne(shop, products[0], 1, 5000),
    await call(`PATCH ${PURCHASES}/${draft}/complete`, { token }),
  ];
  for (const reply of refused) {
    expect(reply).toMatchObject({ status: 400, body: { message: text('stock.being_counted') } });
  }
  await endStocktake(shop, id, 'cancel');
  expect((await sellOne(shop, products[0], 1, 5000)).status).toBe(200);
  expect((await call(`PATCH ${PURCHASES}/${draft}/complete`, { token })).status).toBe(200);
});

test('while counting, drafts of receipts are made and edited, and completed ones are not (Contract 9.13)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  await startStocktake(shop);
  const json = {
    stock_id: shop.stockId,
    currency: 'uzs',
    products: [{ product_id: products[0], quantity: 1, cost: 1 }],
  };
  const draft = await make(PURCHASES, token, json);
  expect((await call(`PUT ${PURCHASES}/${draft}`, { token, json })).status).toBe(200);
  expect((await call(`PATCH ${PURCHASES}/${draft}/complete`, { token })).status).toBe(400);
  expect((await call(`PATCH ${PURCHASES}/${draft}/cancel`, { token })).status).toBe(200);
});

test('a second start on a warehouse is 400 (Contract 9.15)', async () => {
  const { shop, token } = await newStoreForStocktake();
  const json = { stock_id: shop.stockId, type: 'full' };
  const id = await startStocktake(shop);
  expect(await call(`POST ${INVENTORIES}`, { token, json })).toMatchObject({
    status: 400,
    body: { message: text('inventory.already_started') },
  });
  await endStocktake(shop, id, 'cancel');
  expect((await call(`POST ${INVENTORIES}`, { token, json })).status).toBe(200);
});

test('who is responsible is a user of the family (Contract 9.15)', async () => {
  const { shop, token } = await newStoreForStocktake();
  const stranger = await newFamily();
  const json = { stock_id: shop.stockId, type: 'full', responsible_id: stranger.directorId };
  expect(await errorsOf(`POST ${INVENTORIES}`, token, json)).toEqual({ responsible_id: NOT_FOUND });
  const own = await insertUser({ type: 'employee', company_id: shop.companyId, family_id: shop.companyId });
  const id = await startStocktake(shop, { responsible_id: own.id });
  const { body } = await call(
    `GET ${INVENTORIES}/${id}?with[]=responsible.profile&with[]=updater.profile&with[]=stock`,
    { token },
  );
  expect(body).toMatchObject({
    responsible: { id: own.id, profile: { full_name: 'Test' } },
    updater: { id: shop.directorId, profile: { full_name: 'Test' } },
    stock: { id: shop.stockId, inventory_id: id },
  });
});

test('one count has its warehouse, who is responsible, and its counters and sums, whatever is asked for', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop, { responsible_id: shop.directorId });
  await count(shop, id, [[products[1], 24]]);
  const seen = await countSeen(token, id);
  expect(seen).toMatchObject({
    stock: { id: shop.stockId, company_id: shop.companyId, inventory_id: id },
    responsible: { id: shop.directorId, profile: { full_name: 'Test' } },
    type: 'full',
    status: 'in_progress',
    products_count: 3,
    checked_products_count: 1,
    matched_products_count: 0,
    amounts_diff_above: { usd: 8, uzs: 0, eur: 0, rub: 0 },
    amounts_diff_below: { usd: 0, uzs: 0, eur: 0, rub: 0 },
  });
  expect(Object.keys(seen)).not.toContain('creator');
  await endStocktake(shop, id, 'cancel');
  const nobody = await startStocktake(shop);
  expect(await countSeen(token, nobody)).toMatchObject({ stock: { id: shop.stockId }, responsible: null });
});

test('a start names every field that is wrong', async () => {
  const { shop, token } = await newStoreForStocktake();
  const json = {
    stock_id: 999,
    type: 'partial',
    category_ids: [shop.catalog.category_id, 77],
    product_ids: [88],
    responsible_id: 9_999_999,
  };
  expect(await errorsOf(`POST ${INVENTORIES}`, token, json)).toEqual({
    stock_id: NOT_FOUND,
    'category_ids.1': NOT_FOUND,
    'product_ids.0': NOT_FOUND,
    responsible_id: NOT_FOUND,
  });
  const bare = { stock_id: shop.stockId, type: 'partial' };
  expect(await errorsOf(`POST ${INVENTORIES}`, token, bare)).toEqual({ category_ids: REQUIRED });
});

test('a partial count lists chosen categories with those under them, and chosen products; others may be added by hand (Contract 9.15)', async () => {
  const shop = await newShop();
  const { director: token, catalog } = shop;
  const name = (word: string) => ({ ru: word, uz: word, oz: word });
  const { category_id: drinks } = catalog;
  const under = await make('/company/product/category', token, { name: name('Соки'), parent_id: drinks });
  const other = await make('/company/product/category', token, { name: name('Хлеб') });
  const goods = [{ quantity: 1, cost: 1 }];
  const drink = await newGoods(shop, goods);
  const juice = await newGoods(shop, goods, { category_id: under });
  const bread = await newGoods(shop, goods, { category_id: other });
  const cake = await newGoods(shop, goods, { category_id: other });
  await newGoods(shop, goods, { category_id: other });
  await newGoods(shop, [], {});
  const id = await startStocktake(shop, { type: 'partial', category_ids: [drinks], product_ids: [bread] });
  const listed = (await countSeen(token, id)).products.map(({ product_id }) => product_id);
  expect(listed).toEqual([drink, juice, bread]);
  expect((await count(shop, id, [[cake, 4]])).status).toBe(200);
  const after = (await countSeen(token, id)).products.map(({ product_id }) => product_id);
  expect(after).toEqual([drink, juice, bread, cake]);
  expect((await call(`GET ${INVENTORIES}/${id}`, { token })).body).toMatchObject({
    type: 'partial',
    products_count: 4,
  });
});

test('what is in no book is a line if it is counted above zero, and 422 if it is not (Contract 9.14)', async () => {
  const { shop, token } = await newStoreForStocktake();
  const gone = await newGoods(shop, [{ quantity: 1, cost: 40 }]);
  await sellOne(shop, gone, 1, 5000);
  const id = await startStocktake(shop);
  expect((await countSeen(token, id)).products).toHaveLength(3);
  const rows = await rowIds(shop);
  const json = (actual_quantity: number) => ({
    products_tmp: [{ stock_product_id: rows.get(gone), actual_quantity }],
  });
  expect(await errorsOf(`PATCH ${INVENTORIES}/${id}/add-products`, token, json(0))).toEqual({
    'products_tmp.0.stock_product_id': translate('ru', { key: 'inventory.nothing_there' }),
  });
  expect((await call(`PATCH ${INVENTORIES}/${id}/add-products`, { token, json: json(2) })).status).toBe(200);
  expect((await countSeen(token, id)).products.at(-1)).toMatchObject({
    product_id: gone,
    stock_quantity: 0,
    difference: 2,
  });
  expect(await call(`GET ${INVENTORIES}/${id}`, { token })).toMatchObject({
    body: { amounts_diff_above: { uzs: 80 } },
  });
});

test('a surplus costs as the newest goods ever received in the family, wherever (Contract 9.11)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const other = await newWarehouse(token, 'Второй');
  await receiveGoods(token, {
    stock_id: other,
    currency: 'usd',
    products: [{ product_id: products[0], quantity: 1, cost: 3 }],
  });
  const id = await startStocktake(shop, { type: 'partial', product_ids: [products[0]] });
  await count(shop, id, [[products[0], 14]]);
  await endStocktake(shop, id, 'complete');
  expect(
    (await call(`GET ${PURCHASES}?filter[currency]=usd&filter[stock_id]=${shop.stockId}`, { token })).body,
  ).toMatchObject({
    data: [{ amount: 12, inventory_id: id }],
  });
  const [balance] = await stockLevelsOf(
    token,
    `filter[stock_id]=${shop.stockId}&filter[product_id]=${products[0]}`,
  );
  expect(balance?.batches).toMatchObject([
    { quantity: 10, cost: 100 },
    { quantity: 4, cost: 3 },
  ]);
});

test('surpluses in two currencies are two receipts', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(shop, id, [
    [products[0], 11],
    [products[1], 21],
    [products[2], 31],
  ]);
  await endStocktake(shop, id, 'complete');
  const { body } = await call(`GET ${PURCHASES}?sort[]=id`, { token });
  expect(body).toMatchObject({ meta: { total: 2 } });
  expect(await idsOf(PURCHASES, token, 'filter[currency]=uzs')).toHaveLength(1);
  expect(await idsOf(WRITE_OFFS, token)).toEqual([]);
});

test('neither the receipt nor the write-off of a count can be canceled (Contract 9.12)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(shop, id, [
    [products[0], 11],
    [products[1], 1],
    [products[2], 30],
  ]);
  await endStocktake(shop, id, 'complete');
  const [receipt] = await idsOf(PURCHASES, token);
  const [writeOff] = await idsOf(WRITE_OFFS, token);
  const made = [
    [`${PURCHASES}/${receipt}`, 'purchase.of_inventory'],
    [`${WRITE_OFFS}/${writeOff}`, 'writeoff.of_inventory'],
  ] as const;
  for (const [path, key] of made) {
    expect(await call(`PATCH ${path}/cancel`, { token })).toMatchObject(errorWith(key));
    expect((await call(`GET ${path}`, { token })).body).toMatchObject({ status: 'completed' });
  }
  expect(
    (
      await call(`PUT ${PURCHASES}/${receipt}`, {
        token,
        json: {
          stock_id: shop.stockId,
          currency: 'uzs',
          products: [{ product_id: products[0], quantity: 1, cost: 1 }],
        },
      })
    ).status,
  ).toBe(400);
});

test('adding a position again replaces its count; removing it takes it out, and totals follow', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const [first, second] = products;
  const id = await startStocktake(shop);
  await count(shop, id, [
    [first, 12],
    [second, 1],
  ]);
  await count(shop, id, [[first, 9]]);
  expect(await countSeen(token, id)).toMatchObject({
    stock_quantity: 30,
    actual_quantity: 10,
    quantity_diff_above: 0,
    quantity_diff_below: 20,
    amounts_diff_above: { uzs: 0 },
    amounts_diff_below: { uzs: 150, usd: 28 },
    checked_products_count: 2,
  });
  const rows = await rowIds(shop);
  const removing = (ids: unknown[]) =>
    call(`PATCH ${INVENTORIES}/${id}/remove-products`, { token, json: { products_tmp: ids } });
  expect((await removing([rows.get(second), rows.get(products[2])])).body).toEqual({ message: 'Успешно' });
  expect(await countSeen(token, id)).toMatchObject({
    stock_quantity: 10,
    products_count: 1,
    checked_products_count: 1,
    amounts_diff_below: { uzs: 100, usd: 0 },
    products: [{ product_id: first, difference: -1 }],
  });
  expect(
    await errorsOf(`PATCH ${INVENTORIES}/${id}/remove-products`, token, {
      products_tmp: [rows.get(first), rows.get(second), 999],
    }),
  ).toEqual({ 'products_tmp.2': NOT_FOUND });
  expect((await removing([rows.get(second)])).status).toBe(200);
  expect(await countSeen(token, id)).toMatchObject({ products_count: 1, checked_products_count: 1 });
  await count(shop, id, [[second, 20]]);
  expect(await countSeen(token, id)).toMatchObject({ products_count: 2, matched_products_count: 1 });
  await endStocktake(shop, id, 'complete');
  await waitUntilFinished(shop, products);
  expect(await Promise.all(products.map((product) => piecesOf(shop, product)))).toEqual([9, 20, 30]);
});

test('a canceled count has moved nothing, shows no lines, and opens the warehouse', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(
    shop,
    id,
    products.map((product) => [product, 1]),
  );
  expect((await endStocktake(shop, id, 'cancel')).body).toEqual({ message: 'Успешно' });
  expect(await countSeen(token, id)).toMatchObject({ status: 'canceled', products: [], products_count: 0 });
  expect((await call(`GET ${INVENTORIES}/${id}/products`, { token })).body).toMatchObject({
    data: [],
    meta: { total: 0 },
  });
  expect(await Promise.all(products.map((product) => piecesOf(shop, product)))).toEqual([10, 20, 30]);
  await waitUntilFinished(shop, products);
  expect(await Promise.all(products.map((product) => piecesOf(shop, product)))).toEqual([10, 20, 30]);
  expect(await idsOf(PURCHASES, token)).toEqual([]);
});

test.each(['complete', 'cancel'] as const)('after %s every further step is 400', async (how) => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(
    shop,
    id,
    products.map((product) => [product, 1]),
  );
  await endStocktake(shop, id, how);
  const rows = await rowIds(shop);
  const removed = await call(`PATCH ${INVENTORIES}/${id}/remove-products`, {
    token,
    json: { products_tmp: [rows.get(products[0])] },
  });
  const replies = [
    await endStocktake(shop, id, 'complete'),
    await endStocktake(shop, id, 'cancel'),
    await count(shop, id, [[products[0], 1]]),
    removed,
  ];
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 400, body: { message: text('inventory.not_in_progress') } });
  }
});

test('bodies keep to the limits of the contract', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  const rows = await rowIds(shop);
  const stock_product_id = rows.get(products[0]);
  const other = await newWarehouse(token, 'Второй');
  await receiveGoods(token, {
    stock_id: other,
    products: [{ product_id: products[0], quantity: 1, cost: 1 }],
  });
  const foreign = (await stockLevelsOf(token, `filter[stock_id]=${other}`))[0]?.id;
  const add = (products_tmp: unknown) =>
    errorsOf(`PATCH ${INVENTORIES}/${id}/add-products`, token, { products_tmp });
  const remove = (products_tmp: unknown) =>
    errorsOf(`PATCH ${INVENTORIES}/${id}/remove-products`, token, { products_tmp });
  expect(Object.keys(await add([{ stock_product_id, actual_quantity: 1.00001 }]))).toEqual([
    'products_tmp.0.actual_quantity',
  ]);
  expect(Object.keys(await add([{ stock_product_id, actual_quantity: -1 }]))).toEqual([
    'products_tmp.0.actual_quantity',
  ]);
  expect(Object.keys(await add([1, 2].map(() => ({ stock_product_id, actual_quantity: 1 }))))).toEqual([
    'products_tmp.1.stock_product_id',
  ]);
  expect(
    Object.keys(
      await add(Array.from({ length: 101 }, (_, at) => ({ stock_product_id: at + 1, actual_quantity: 1 }))),
    ),
  ).toEqual(['products_tmp']);
  expect(await add([{ stock_product_id: foreign, actual_quantity: 1 }])).toEqual({
    'products_tmp.0.stock_product_id': NOT_FOUND,
  });
  expect(Object.keys(await add(undefined))).toEqual(['products_tmp']);
  expect(Object.keys(await remove([1, 1]))).toEqual(['products_tmp']);
  expect(Object.keys(await remove(Array.from({ length: 101 }, (_, at) => at + 1)))).toEqual(['products_tmp']);
});
