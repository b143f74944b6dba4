import { once } from 'node:events';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { amountOf } from '#lib/values/quantity.ts';
import { dayOf } from '#lib/values/time.ts';
import { call } from '#tests/support/http.ts';
import { codeOn } from '#tests/support/markup.ts';
import { newGoods, newShop, saleBody, sellOne } from '#tests/support/shop.ts';

const page = await (await fetch(`${inject('address')}/docs/guide`)).text();

const Program = z.custom<(...given: unknown[]) => unknown>((value) => typeof value === 'function');

/** Builds the function of a snippet of the page, as copied by a reader. */
async function snippet(id: string, name: string) {
  const code = codeOn(page, id);
  const module: unknown = await import(
    `data:text/javascript,${encodeURIComponent(`${code}\nexport { ${name} };`)}`
  );
  return z.record(z.string(), Program).parse({ ...Object(module) })[name] ?? Program.parse(undefined);
}

describe('what a client must know: a call', () => {
  test.each([
    [[503, 500, 200], 200, 3],
    [[429, 200], 200, 2],
    [['http.conflict', 'idempotency.still_running', 200], 200, 3],
    [['idempotency.key_reused', 200], 409, 1],
    [[422, 200], 422, 1],
    [[412, 200], 412, 1],
  ])('that is answered %j ends with %i after %i tries', async (answers, end, tries) => {
    const send = await snippet('send', 'send');
    let tried = 0;
    const server = createServer((_request, response) => {
      const answer = answers[tried++] ?? 200;
      const status = typeof answer === 'number' ? answer : 409;
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end(JSON.stringify({ code: answer }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const answer = z.object({ status: z.int() }).parse(await send(`http://127.0.0.1:${port}`, {}));
    server.close();
    expect([answer.status, tried]).toEqual([end, tries]);
  });

  test('with a key that was refused may be mended and sent with that key', async () => {
    const shop = await newShop();
    const product = await newGoods(shop, [{ quantity: 5, cost: 1 }], { sale_price: 4 });
    const headers = { 'idempotency-key': 'till-3-000001' };
    expect((await sellOne(shop, product, 9, 4, headers)).status).toBe(422);
    expect((await sellOne(shop, product, 1, 4, headers)).status).toBe(200);
  });
});

test('what a client must know: a line is rounded as the service does', async () => {
  const lineAmount = await snippet('line', 'lineAmount');
  const price = fc.integer({ min: 1, max: 99_999_999 });
  const units = fc.integer({ min: 1, max: 1_000_000_000 });
  fc.assert(
    fc.property(price, units, (cents, quantity) => {
      expect(lineAmount(cents / 100, quantity / 1e8)).toBe(amountOf(cents, quantity) / 100);
    }),
  );
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 5, cost: 1 }], { sale_price: 14_000.01 });
  const products = [{ product_id: product, sold_quantity: 0.125, discount: 0.25 }];
  const amount = lineAmount(14_000.01, 0.125, 0.25);
  const json = saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount }] });
  expect((await call('POST /company/trade/sale', { token: shop.director, json })).status).toBe(200);
});

test('what a client must know: times are in Tashkent', async () => {
  const instantOf = await snippet('instant', 'instantOf');
  expect(instantOf('2026-12-01 04:30:00')).toEqual(new Date('2026-11-30T23:30:00Z'));
});

test('what a client must know: the day is read again, all pages of it', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 100, cost: 1 }], { sale_price: 4 });
  for (let sale = 0; sale < 21; sale += 1) {
    expect((await sellOne(shop, product, 1, 4)).status).toBe(200);
  }
  const readDay = await snippet('day', 'readDay');
  const headers = { authorization: `Bearer ${shop.director}` };
  const found = await readDay(inject('address'), headers, dayOf(Date.now()));
  expect(found).toHaveProperty('size', 21);
});
