import { expect, test } from 'vitest';
import { translateLabel } from '#lib/values/labels/label.ts';
import { translate } from '#lib/values/message.ts';
import { violationsOf } from '#tests/support/books.ts';
import { newCompany, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import {
  closeWarehouse,
  movementsSeen,
  newWarehouse,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import { end, newTwoDepots, send, TRANSFERS, type TwoDepots } from '#tests/support/transfers.ts';

const WRITE_OFFS = '/company/trade/writeoff';
const SHORT = 'company.trade.transfer.short';

/** Sends ten pieces of each of some goods: five that cost 2, then five that cost 3. */
async function newSent(count = 1) {
  const depots = await newTwoDepots(count, { quantity: 5 });
  const products = depots.goods.map((product_id) => ({ product_id, quantity: 5, cost: 3 }));
  await receiveGoods(depots.token, { stock_id: depots.stockId, products });
  const id = await send(depots, 10);
  const sent = await call(`GET ${TRANSFERS}/${id}`, { token: depots.token });
  const lines = depots.goods.map((_, index) => sent.number(`products.${index}.id`));
  return { ...depots, id, lines, line: lines[0] ?? 0 };
}

const complete = (token: string, id: number, products: readonly object[], headers = {}) =>
  call(`PATCH ${TRANSFERS}/${id}/complete`, { token, json: { products }, headers });

const goodsIn = async ({ token }: TwoDepots, id: number) =>
  (await stockLevelsOf(token, `filter[stock_id]=${id}`)).flatMap(({ batches }) =>
    batches.map(({ quantity, cost }) => [quantity, cost]),
  );

test('what is missing returns into its batches at the sender, the oldest arrive first (Part 5, 5A.5 (1), (2))', async () => {
  const depots = await newSent();
  const { token, id, line, stockId, secondId } = depots;
  expect(await call(`GET ${TRANSFERS}/${id}`, { token })).toMatchObject({
    body: {
      writeoff_id: null,
      products: [{ arrived_quantity: null, returned_quantity: null, lost_quantity: null }],
    },
  });
  expect((await complete(token, id, [{ id: line, quantity: 7, missing: 'returned' }])).status).toBe(200);
  expect(await goodsIn(depots, secondId)).toEqual([
    [5, 2],
    [2, 3],
  ]);
  expect(await goodsIn(depots, stockId)).toEqual([[3, 3]]);
  expect(await call(`GET ${TRANSFERS}/${id}`, { token })).toMatchObject({
    body: {
      status: 'completed',
      writeoff_id: null,
      products: [{ quantity: 10, arrived_quantity: 7, returned_quantity: 3, lost_quantity: 0 }],
    },
  });
  const [here] = await stockLevelsOf(token, `filter[stock_id]=${stockId}`);
  const movement = { document_type: 'transfer', document_id: id, line_id: line };
  expect((await movementsSeen(token, here?.id ?? 0)).slice(0, 2)).toMatchObject([
    { ...movement, quantity: 3 },
    { ...movement, quantity: -10 },
  ]);
  expect(await violationsOf(depots.companyId)).toEqual([]);
});

test('what is lost is a completed write-off of the sender at its cost, without a movement (Part 5, 5A.5 (2))', async () => {
  const depots = await newSent(2);
  const { token, id, lines, goods, stockId, secondId, companyId, directorId } = depots;
  const [first, second] = lines;
  const products = [
    { id: first, quantity: 4, missing: 'lost' },
    { id: second, quantity: 0, missing: 'lost' },
  ];
  expect((await complete(token, id, products)).status).toBe(200);
  const ended = await call(`GET ${TRANSFERS}/${id}`, { token });
  const writeOff = ended.number('writeoff_id');
  expect(ended.body).toMatchObject({
    products: [
      { arrived_quantity: 4, returned_quantity: 0, lost_quantity: 6 },
      { arrived_quantity: 0, returned_quantity: 0, lost_quantity: 10 },
    ],
  });
  expect(await call(`GET ${WRITE_OFFS}/${writeOff}`, { token })).toMatchObject({
    body: {
      source_type: 'transfer',
      source_id: id,
      stock_id: stockId,
      company_id: companyId,
      creator_id: directorId,
      supplier_id: null,
      name: translateLabel('ru', { key: 'transfer.title', with: { id } }),
      status: 'completed',
      amounts: { uzs: 1 * 2 + 5 * 3 + 5 * 2 + 5 * 3 },
      products_count: 2,
      products: [
        {
          product_id: goods[0],
          quantity: 6,
          reason: 'common_loss',
          source_product_id: null,
          batches: [
            { quantity: 1, cost: 2, amount: 2 },
            { quantity: 5, cost: 3, amount: 15 },
          ],
        },
        { product_id: goods[1], quantity: 10, reason: 'common_loss' },
      ],
    },
  });
  expect(await goodsIn(depots, secondId)).toEqual([[4, 2]]);
  expect(await goodsIn(depots, stockId)).toEqual([]);
  expect(await call(`PATCH ${WRITE_OFFS}/${writeOff}/cancel`, { token })).toMatchObject(
    errorWith('writeoff.of_transfer'),
  );
  const listed = await call(`GET ${WRITE_OFFS}?filter[source_type]=transfer&filter[source_id]=${id}`, {
    token,
  });
  expect(listed.body).toMatchObject({ data: [{ id: writeOff }] });
  expect(await violationsOf(companyId)).toEqual([]);
});

test('lines that are not named arrive whole, as all do without a body (Part 5, 5A.5 (1))', async () => {
  const depots = await newSent(2);
  const { token, id, line } = depots;
  expect((await complete(token, id, [{ id: line, quantity: 9.5, missing: 'lost' }])).status).toBe(200);
  const arrived = { arrived_quantity: 10, returned_quantity: 0, lost_quantity: 0 };
  expect(await call(`GET ${TRANSFERS}/${id}`, { token })).toMatchObject({
    body: { products: [{ arrived_quantity: 9.5, lost_quantity: 0.5 }, arrived] },
  });
  const back = await send({ ...depots, goods: depots.goods.slice(0, 1) }, 9.5, {
    from_stock_id: depots.secondId,
    to_stock_id: depots.stockId,
  });
  expect((await end(token, back, 'complete')).status).toBe(200);
  const listed = await call(`GET ${TRANSFERS}?with[]=products&sort[]=id`, { token });
  expect(listed.body).toMatchObject({
    data: [
      { writeoff_id: expect.any(Number), products: [{ lost_quantity: 0.5 }, arrived] },
      { writeoff_id: null, products: [{ ...arrived, arrived_quantity: 9.5 }] },
    ],
  });
});

test('a canceled transfer’s lines are all returned (Part 5, 5A.5 (3))', async () => {
  const { token, id } = await newSent();
  expect((await end(token, id, 'cancel')).status).toBe(200);
  expect(await call(`GET ${TRANSFERS}/${id}`, { token })).toMatchObject({
    body: { products: [{ arrived_quantity: 0, returned_quantity: 10, lost_quantity: 0 }] },
  });
});

test('copies have what became of each line (Part 5, 5A.5 (3))', async () => {
  const { token, id, line } = await newSent();
  await complete(token, id, [{ id: line, quantity: 8, missing: 'returned' }]);
  const copied = await call('GET /company/sync?types[]=trade.transfer', { token });
  expect(copied.body).toMatchObject({
    data: [{ record: { id, products: [{ arrived_quantity: 8, returned_quantity: 2, lost_quantity: 0 }] } }],
  });
});

test('more than was sent, an unknown line and a shortage without a word of it are 422, all at once (Part 5, 5A.5 (1))', async () => {
  const { token, id, lines } = await newSent(2);
  const request = `PATCH ${TRANSFERS}/${id}/complete` as const;
  const products = [
    { id: lines[0], quantity: 10.00000001 },
    { id: lines[1], quantity: 9 },
    { id: 999, quantity: 1 },
  ];
  expect(await errorsOf(request, token, { products })).toEqual({
    'products.0.quantity': translate('ru', { key: 'validation.too_large', with: { max: 10 } }),
    'products.1.missing': REQUIRED,
    'products.2.id': NOT_FOUND,
  });
  const twice = [1, 2].map(() => ({ id: lines[0], quantity: 10 }));
  expect(await errorsOf(request, token, { products: twice })).toEqual({
    'products.1.id': translate('ru', { key: 'validation.duplicate' }),
  });
  const below = { id: lines[0], quantity: -1, missing: 'lost' };
  expect(Object.keys(await errorsOf(request, token, { products: [below] }))).toEqual(['products.0.quantity']);
});

test('to receive short needs a right of its own, and to return a warehouse that is open to the caller (Part 5, 5A.5 (1), (2))', async () => {
  const depots = await newSent();
  const { token, id, line, stockId, secondId } = depots;
  const rights = ['company.trade.transfer.complete'];
  const at = { stock_ids: [secondId] };
  const [plain, receiver] = await Promise.all([
    newEmployee(depots, rights, at),
    newEmployee(depots, [...rights, SHORT], at),
  ]);
  const short = (missing: string) => [{ id: line, quantity: 9, missing }];
  expect((await complete(plain, id, short('lost'))).status).toBe(403);
  expect(
    await errorsOf(`PATCH ${TRANSFERS}/${id}/complete`, receiver, { products: short('returned') }),
  ).toEqual({
    'products.0.missing': translate('ru', { key: 'transfer.sender_not_open' }),
  });
  const whole = [{ id: line, quantity: 10, missing: 'returned' }];
  expect((await complete(plain, id, whole)).status).toBe(200);
  const another = await send({ ...depots }, 5, { from_stock_id: secondId, to_stock_id: stockId });
  const sent = await call(`GET ${TRANSFERS}/${another}`, { token });
  const products = [{ id: sent.number('products.0.id'), quantity: 0, missing: 'lost' }];
  expect((await complete(receiver, another, products)).status).toBe(404);
  expect((await complete(token, another, products)).status).toBe(200);
});

test('nothing returns to a warehouse under a count (Part 5, 5A.5 (2))', async () => {
  const depots = await newSent();
  const { token, id, line, stockId } = depots;
  await closeWarehouse(depots, stockId);
  const products = [{ id: line, quantity: 1, missing: 'returned' }];
  expect(await complete(token, id, products)).toMatchObject(errorWith('stock.being_counted'));
});

test('the loss is of the company that the sending warehouse has now (Part 5, 5A.5 (2))', async () => {
  const depots = await newSent();
  const { token, companyId } = depots;
  const branch = await newCompany(companyId);
  const there = await newWarehouse(token, 'Филиал', { company_id: branch });
  await end(token, depots.id, 'complete');
  const id = await send(depots, 4, { from_stock_id: depots.secondId, to_stock_id: there });
  const sent = await call(`GET ${TRANSFERS}/${id}`, { token });
  await complete(token, id, [{ id: sent.number('products.0.id'), quantity: 1, missing: 'lost' }]);
  const writeOff = (await call(`GET ${TRANSFERS}/${id}`, { token })).number('writeoff_id');
  expect(await call(`GET ${WRITE_OFFS}/${writeOff}`, { token })).toMatchObject({
    body: { company_id: companyId, stock_id: depots.secondId, amounts: { uzs: 6 } },
  });
});

test('a completion that is sent again writes off once (Part 5, 5A.5)', async () => {
  const { token, id, line, companyId } = await newSent();
  const products = [{ id: line, quantity: 6, missing: 'lost' }];
  const replies = await Promise.all(
    [1, 2].map(() => complete(token, id, products, { 'Idempotency-Key': 'short' })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const listed = await call(`GET ${WRITE_OFFS}`, { token });
  expect(listed.body).toMatchObject({ meta: { total: 1 } });
  expect(await violationsOf(companyId)).toEqual([]);
});
