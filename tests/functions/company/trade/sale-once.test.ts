import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';
import { cashOf, newGoods, newShop, piecesOf, saleBody, sellOne } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 10, cost: 3000 }];

test('the same sale sent again with its key is sold once and answered alike', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await sellOne(shop, id, 1, 5000, headers);
  const second = await sellOne(shop, id, 1, 5000, headers);
  expect(second.body).toEqual(first.body);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([9, 5000]);
});

test('sent ten times at the same moment it is sold once; the others get its response or have to wait', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 10 }, () => sellOne(shop, id, 1, 5000, headers)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const { status, body } of answers) {
    if (status === 200) expect(body).toMatchObject({ id: expect.any(Number), sold_amount: 5000 });
    else expect([409, 422]).toContain(status);
  }
  const ids = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
  expect(new Set(ids).size).toBe(1);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([0, 5000]);
});

test('a key with another body is 409, and so is one on another path; another caller’s key is their own', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const headers = { 'idempotency-key': randomUUID() };
  expect((await sellOne(shop, id, 1, 5000, headers)).status).toBe(200);
  expect(await sellOne(shop, id, 2, 5000, headers)).toMatchObject({
    status: 409,
    body: { message: 'Этот ключ уже использован для другого запроса.' },
  });
  const other = await newShop();
  expect((await sellOne(other, await newGoods(other, WATER), 1, 5000, headers)).status).toBe(200);
});

test('a sale that was refused is not kept: the corrected one goes through with the same key', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const headers = { 'idempotency-key': randomUUID() };
  expect((await sellOne(shop, id, 1, 4000, headers)).status).toBe(422);
  expect((await sellOne(shop, id, 1, 5000, headers)).status).toBe(200);
});

test('an invalid key is 422', async () => {
  const shop = await newShop();
  const json = saleBody(shop, {});
  const answer = await call(SELL, { token: shop.director, json, headers: { 'idempotency-key': 'a b' } });
  expect(answer).toMatchObject({ status: 422, body: { errors: { 'Idempotency-Key': expect.anything() } } });
});
