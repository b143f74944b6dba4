import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { renderInstant } from '#lib/values/time.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop, saleBody } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 10, cost: 3000 }];

/** Builds the body of a sale of one piece for cash, under a till's own number. */
function keyed(shop: Shop, product_id: number, given: object = {}) {
  return saleBody(shop, {
    key: 'till-1-000001',
    products: [{ product_id, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
    ...given,
  });
}

const send = (shop: Shop, json: object, token = shop.director) => call(SELL, { token, json });

test('a sale with a key is shown with it, found by it, and sold once however often it is sent (Part 4, 4.4 (1))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const first = await send(shop, keyed(shop, id));
  expect(first).toMatchObject({ status: 200, body: { key: 'till-1-000001' } });
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const second = await send(shop, keyed(shop, id));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([9, 5000]);
  const list = (key: string) =>
    call(`GET /company/trade/sale?filter[key]=${encodeURIComponent(key)}`, { token: shop.director });
  expect(await list('till-1-000001')).toMatchObject({ body: { data: [first.body], meta: { total: 1 } } });
  expect(await list('TILL-1-000001')).toMatchObject({ body: { data: [], meta: { total: 0 } } });
});

test('it is answered as it is now, after a return too', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const { body } = await send(shop, keyed(shop, id));
  const sale = z.object({ id: z.int() }).parse(body);
  const back = { products: [], transactions: [{ payment_type: 'cash', amount: 5000 }] };
  await call(`PATCH /company/trade/sale/${sale.id}/return`, { token: shop.director, json: back });
  expect(await send(shop, keyed(shop, id))).toMatchObject({
    status: 200,
    body: { id: sale.id, status: 'full_returned', returned_amount: 5000 },
  });
});

test('the same key with another warehouse, client, time, line, payment or due date is 409, with the sale that has it (Part 4, 4.4 (1))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const other = await newGoods(shop, WATER);
  const first = await send(shop, keyed(shop, id));
  expect(first.status).toBe(200);
  const differing = [
    { stock_id: await make('/company/stock/stock', shop.director, { name: 'Second' }) },
    { client_id: 77 },
    { currency: 'usd' },
    { sold_at: renderInstant(Date.now()), products: [{ product_id: id, sold_quantity: 1, price: 5000 }] },
    { products: [{ product_id: other, sold_quantity: 1 }] },
    { products: [{ product_id: id, sold_quantity: 2 }] },
    { products: [{ product_id: id, sold_quantity: 1, price: 5000 }] },
    { products: [{ product_id: id, sold_quantity: 1, discount: 1 }] },
    { transactions: [{ payment_type: 'card', amount: 5000 }] },
    { due_date: '2099-01-31' },
  ];
  for (const given of differing) {
    const { status, body } = await send(shop, keyed(shop, id, given));
    expect(status).toBe(409);
    const { message } = z.looseObject({ message: z.string() }).parse(body);
    const sale_id: number = Object(first.body).id;
    expect(body).toEqual({ message, code: 'sale.key_reused', sale_id, refused_id: null });
  }
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([9, 5000]);
});

test('defaults that are sent, a comment and a draft make no other sale', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const first = await send(shop, keyed(shop, id));
  const products = [{ discount: 0, sold_quantity: 1, product_id: id }];
  const same = { products, comment: 'Once more', cheque: 2, bundles: [], client_id: null };
  expect(await send(shop, keyed(shop, id, same))).toMatchObject({ status: 200, body: first.body });
});

test('a key is its desk’s, and to the letter: at another desk it is another sale, and a filter finds both (Part 4, 4.4 (1))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  expect((await send(shop, keyed(shop, id))).status).toBe(200);
  expect(await send(shop, keyed(shop, id, { key: 'TILL-1-000001' }))).toMatchObject({
    status: 200,
    body: { id: 2 },
  });
  const cashboxId = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  expect(await send({ ...shop, cashboxId }, keyed({ ...shop, cashboxId }, id))).toMatchObject({
    status: 200,
    body: { id: 3, cashbox_id: cashboxId },
  });
  const found = (query: string) => idsOf('/company/trade/sale', shop.director, query);
  expect(await found('filter[key]=till-1-000001')).toEqual([1, 3]);
  expect(await found(`filter[key]=till-1-000001&filter[cashbox_id]=${cashboxId}`)).toEqual([3]);
  const stranger = await newShop();
  expect((await send(stranger, keyed(stranger, await newGoods(stranger, WATER)))).status).toBe(200);
});

test('a key is there for good: its goods may be gone, its desk deleted', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const cashboxId = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const json = keyed({ ...shop, cashboxId }, id, { transactions: [{ payment_type: 'cash', amount: 5000 }] });
  const first = await send(shop, json);
  const back = { cashbox_id: cashboxId, payment_type: 'cash', currency: 'uzs', amount: 5000 };
  const moved = { ...back, from_cashbox_id: cashboxId, to_cashbox_id: shop.cashboxId };
  const { cashbox_id: _, ...move } = moved;
  await call('POST /company/cashbox/operation/transfer', { token: shop.director, json: move });
  expect((await call(`DELETE /company/cashbox/cashbox/${cashboxId}`, { token: shop.director })).status).toBe(
    200,
  );
  expect(await send(shop, json)).toMatchObject({ status: 200, body: first.body });
});

test.each(['', 'a b', 'я', 'x'.repeat(256)])('the key %j is 422', async (key) => {
  const shop = await newShop();
  expect(await send(shop, keyed(shop, 1, { key }))).toMatchObject({
    status: 422,
    body: { codes: { key: ['validation.wrong_format'] } },
  });
});

test('ten tills with one key at once sell once', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const json = keyed(shop, id, { key: randomUUID() });
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(shop, json)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  expect(replayed).toHaveLength(9);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([0, 5000]);
});
