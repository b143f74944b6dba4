import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  offlineSaleBody,
  REFUSED,
  readRefused,
  refuseOne,
  sendOfflineSales,
} from '#tests/support/offline.ts';
import { errorsOf, errorWith, idsOf, make } from '#tests/support/records.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop } from '#tests/support/shop.ts';

const WATER = [{ quantity: 10, cost: 3000 }];
const NOT_WAITING = errorWith('refused_sale.not_waiting');

const patch = (shop: Shop, id: number, what: string, json?: object, token = shop.director) =>
  call(`PATCH ${REFUSED}/${id}/${what}`, { token, ...(json && { json }) });

test('a refused late sale is kept as it was sent, and shown with what was wrong (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const odd = { discont: '5', nested: { any: [1, 2.5, 'x'] } };
  const id = await refuseOne(shop, product, 'till-1', odd);
  const wrong = translate('ru', { key: 'validation.unknown' });
  const shown = {
    id,
    key: 'till-1',
    cashbox_id: shop.cashboxId,
    creator_id: shop.directorId,
    amount: 5_000_000,
    code: 'validation.unknown',
    errors: { discont: [wrong], nested: [wrong] },
    codes: { discont: ['validation.unknown'], nested: ['validation.unknown'] },
    params: { discont: [{}], nested: [{}] },
    attempts: 1,
    status: 'waiting',
    sale_id: null,
    bodies: [expect.objectContaining(odd)],
  };
  expect(await readRefused(shop, id)).toMatchObject(shown);
  const { body } = await call(`GET ${REFUSED}?filter[status]=waiting&filter[key]=till-1`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ data: [shown], meta: { total: 1 } });
});

test('an entry of a batch and the kept sale have the params of what was wrong (Part 5, 5B.4)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const products = [{ product_id: product, sold_quantity: 12.5, price: 5000 }];
  const transactions = [{ payment_type: 'cash', amount: 62_500 }];
  const short = offlineSaleBody(shop, product, 'till-1', { products, transactions });
  const [refused] = await sendOfflineSales(shop, [short]);
  const params = { 'products.0.sold_quantity': [{ available: 10 }] };
  expect(refused).toMatchObject({ status: 422, params });
  expect(await readRefused(shop, refused?.refused_id ?? 0)).toMatchObject({ params });

  await enableShifts(shop);
  const [closed] = await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'till-2')]);
  expect(closed).toMatchObject({ status: 400, code: 'shift.required', params: {} });
  const kept = await readRefused(shop, closed?.refused_id ?? 0);
  expect(kept).toMatchObject({ errors: null, codes: null, params: {} });
});

test('sent again by either call and refused again, it counts, and another body of it is kept, the newest last', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const id = await refuseOne(shop, product, 'till-1');
  expect(await refuseOne(shop, product, 'till-1', { comment: 'Again' })).toBe(id);
  const single = await call('POST /company/trade/sale', {
    token: shop.director,
    json: offlineSaleBody(shop, product, 'till-1', { comment: 'Single', due_date: '2000-01-01' }),
  });
  expect(single).toMatchObject({ status: 422, body: { refused_id: id } });
  const refused = await readRefused(shop, id);
  expect(refused).toMatchObject({ attempts: 3, errors: { due_date: expect.anything() }, amount: 5000 });
  expect(refused.bodies).toMatchObject([{}, { comment: 'Again' }, { comment: 'Single' }]);
});

test('with[] of refused sales: creator.profile, cashbox, in the list and of one (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const id = await refuseOne(shop, await newGoods(shop, WATER), 'till-1');
  const asked = 'with[]=creator.profile&with[]=cashbox';
  const shown = {
    id,
    creator: { id: shop.directorId, profile: { full_name: expect.any(String) } },
    cashbox: { id: shop.cashboxId, name: expect.any(String) },
  };
  const read = async (path: string) => (await call(`GET ${REFUSED}${path}`, { token: shop.director })).body;
  expect(await read(`?${asked}`)).toMatchObject({ data: [shown] });
  expect(await read(`/${id}?${asked}`)).toMatchObject(shown);
  for (const name of ['creator', 'cashbox']) expect(await read(`/${id}`)).not.toHaveProperty(name);
});

test('a body that equals the newest kept counts as an attempt, whatever the order of its fields, and is not kept (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const json = offlineSaleBody(shop, product, 'till-1', { due_date: '2000-01-01' });
  const turned = Object.fromEntries(Object.entries(json).reverse());
  await sendOfflineSales(shop, [json, turned]);
  await call('POST /company/trade/sale', { token: shop.director, json: turned });
  const other = { ...json, due_date: '2000-01-02' };
  await sendOfflineSales(shop, [other, json]);
  expect(await readRefused(shop, 1)).toMatchObject({ attempts: 5, bodies: [json, other, json] });
});

test('its key is its desk’s: from another desk it is another sale, and the record stays', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const id = await refuseOne(shop, product, 'till-1');
  const before = await readRefused(shop, id);
  const cashboxId = await make('/company/cashbox/cashbox', shop.director, { name: 'Other', type: 'sale' });
  const json = offlineSaleBody({ ...shop, cashboxId }, product, 'till-1');
  const [row] = await sendOfflineSales(shop, [json]);
  expect(row).toMatchObject({ status: 200, is_replayed: false, sale: { cashbox_id: cashboxId } });
  const single = await call('POST /company/trade/sale', { token: shop.director, json });
  expect(single).toMatchObject({ status: 200, body: { id: row?.sale?.id } });
  expect(await readRefused(shop, id)).toEqual(before);
});

test('a retry sells it once what was wrong is mended, with its key, desk and time', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
  await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'first')]);
  const id = await refuseOne(shop, product, 'till-1');
  const short = await patch(shop, id, 'retry');
  expect(short).toMatchObject({
    status: 422,
    body: { errors: { 'products.0.sold_quantity': expect.anything() }, refused_id: id },
  });
  const more = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  const changed = z.record(z.string(), z.unknown()).parse((await readRefused(shop, id)).bodies.at(-1));
  const products = [{ product_id: more, sold_quantity: 2, price: 5000 }];
  const body = { ...changed, products, transactions: [{ payment_type: 'cash', amount: 10_000 }] };
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => call(`PATCH ${REFUSED}/${id}/retry`, { token: shop.director, json: body, headers });
  const sold = await send();
  expect(sold).toMatchObject({
    status: 200,
    body: { status: 'sold', sale_id: expect.any(Number), attempts: 3 },
  });
  expect((await send()).body).toEqual(sold.body);
  expect(sold.body).toMatchObject({ bodies: [changed, body] });
  expect(sold.body).not.toHaveProperty('bodies_left_out');
  const { sale_id } = z.looseObject({ sale_id: z.int() }).parse(sold.body);
  expect(await call(`GET /company/trade/sale/${sale_id}`, { token: shop.director })).toMatchObject({
    body: { key: 'till-1', sold_at: changed['sold_at'], cashbox_id: shop.cashboxId, sold_amount: 10_000 },
  });
  expect((await readRefused(shop, id)).bodies).toHaveLength(2);
  expect(await patch(shop, id, 'retry')).toMatchObject(NOT_WAITING);
  expect(await patch(shop, id, 'dismiss', { comment: 'Late' })).toMatchObject(NOT_WAITING);
  expect(await piecesOf(shop, more)).toBe(3);
});

test('who sold it stays; a retry asks for the rights of who retries, `.store` with a changed body (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const at = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], at);
  const two = { products: [{ product_id: product, sold_quantity: 2, price: 2500 }] };
  const json = offlineSaleBody(shop, product, 'till-1', two);
  const [row] = await sendOfflineSales(shop, [json], cashier);
  const refused = await readRefused(shop, row?.refused_id ?? 0);
  expect(refused['creator_id']).not.toBe(shop.directorId);
  const RETRY = 'company.trade.sale.refused.retry';
  const helper = await newEmployee(shop, [RETRY], at);
  const manager = await newEmployee(shop, [RETRY, 'company.trade.sale.store'], at);
  const body = {
    ...offlineSaleBody(shop, product, 'till-1'),
    sold_at: undefined,
    key: undefined,
    cashbox_id: undefined,
  };
  expect(await patch(shop, 1, 'retry', body, helper)).toMatchObject({ status: 403 });
  expect(await patch(shop, 1, 'retry', undefined, helper)).toMatchObject({ status: 422 });
  const named = { ...body, creator_id: shop.directorId };
  expect(await patch(shop, 1, 'retry', named, manager)).toMatchObject({
    status: 422,
    body: { codes: { creator_id: ['sale.creator_forbidden'] } },
  });
  expect(await readRefused(shop, 1)).toMatchObject({ attempts: 3, creator_id: refused['creator_id'] });
  const sold = await patch(shop, 1, 'retry', body, manager);
  const told = { creator_id: refused['creator_id'], sent_by: refused['creator_id'] };
  expect(sold).toMatchObject({ status: 200, body: { status: 'sold', amount: 5000, ...told } });
  const { sale_id, retried_by } = z.looseObject({ sale_id: z.int(), retried_by: z.int() }).parse(sold.body);
  expect([shop.directorId, refused['creator_id']]).not.toContain(retried_by);
  expect(await call(`GET /company/trade/sale/${sale_id}`, { token: shop.director })).toMatchObject({
    body: { ...told, retried_by, key: 'till-1', cashbox_id: shop.cashboxId, sold_at: json.sold_at },
  });
});

test('dismissed, it is answered so by both calls, and neither tried nor kept anew', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const id = await refuseOne(shop, product, 'till-1');
  expect(Object.keys(await errorsOf(`PATCH ${REFUSED}/${id}/dismiss`, shop.director, {}))).toEqual([
    'comment',
  ]);
  expect(await patch(shop, id, 'dismiss', { comment: 'Entered by hand' })).toMatchObject({
    status: 200,
    body: { status: 'dismissed', comment: 'Entered by hand' },
  });
  const json = offlineSaleBody(shop, product, 'till-1');
  const told = { code: 'sale.dismissed', refused_id: id };
  expect(await sendOfflineSales(shop, [json])).toMatchObject([{ status: 422, ...told }]);
  expect(await call('POST /company/trade/sale', { token: shop.director, json })).toMatchObject({
    status: 422,
    body: told,
  });
  expect(await readRefused(shop, id)).toMatchObject({ status: 'dismissed', attempts: 1 });
  expect(await patch(shop, id, 'retry')).toMatchObject(NOT_WAITING);
  expect([await piecesOf(shop, product), await cashOf(shop)]).toEqual([10, 0]);
});

test('however long its bodies are, a repetition of its end is answered as the first call was', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const large = (sending: number) => ({ comment: `${sending}`.padEnd(100_000) });
  const id = await refuseOne(shop, product, 'till-1', large(0));
  for (let sending = 1; sending < 5; sending++) await refuseOne(shop, product, 'till-1', large(sending));
  const headers = { 'idempotency-key': randomUUID() };
  const json = { comment: 'Too long' };
  const send = () => call(`PATCH ${REFUSED}/${id}/dismiss`, { token: shop.director, json, headers });
  const first = await send();
  expect(first).toMatchObject({ status: 200, body: { status: 'dismissed' } });
  expect((await send()).body).toEqual(first.body);
  expect((await readRefused(shop, id)).bodies).toHaveLength(5);
});

test('the first body and the newest 19 others are kept; beyond 4 MB a list leaves out those of a sale, and says so (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const tries = Array.from({ length: 23 }, (_, number) => `Try ${number}`);
  const refuse = async (key: string) => {
    const bodies = tries.map((name) =>
      offlineSaleBody(shop, product, key, { comment: name.padEnd(100_000), due_date: '2000-01-01' }),
    );
    const [row] = await sendOfflineSales(shop, bodies);
    return z.int().parse(row?.refused_id);
  };
  const [first, second] = [await refuse('till-1'), await refuse('till-2')];
  const commentsOf = (bodies: unknown) =>
    z
      .array(z.looseObject({ comment: z.string() }))
      .parse(bodies)
      .map(({ comment }) => comment.trimEnd());
  const refused = await readRefused(shop, second);
  expect(refused).toMatchObject({ attempts: 23 });
  expect(refused).not.toHaveProperty('bodies_left_out');
  expect(commentsOf(refused.bodies)).toEqual(['Try 0', ...tries.slice(-19)]);
  const { body: list } = await call(`GET ${REFUSED}?sort[]=id`, { token: shop.director });
  expect(list).toMatchObject({
    data: [
      { id: first, bodies: expect.any(Array) },
      { id: second, bodies: null, bodies_left_out: true },
    ],
  });
  const mended = offlineSaleBody(shop, product, 'till-2', { comment: 'Mended' });
  const sold = await patch(shop, second, 'retry', mended);
  expect(sold).toMatchObject({ status: 200, body: { status: 'sold', attempts: 24 } });
  expect(commentsOf(Object(sold.body).bodies)).toEqual(['Try 0', ...tries.slice(-18), 'Mended']);
  expect((await readRefused(shop, second)).bodies).toEqual(Object(sold.body).bodies);
});

test('who reaches its desk sees it, and nobody else', async () => {
  const shop = await newShop();
  const id = await refuseOne(shop, await newGoods(shop, WATER), 'till-1');
  const rights = ['index', 'show', 'retry', 'dismiss'].map((each) => `company.trade.sale.refused.${each}`);
  const near = await newEmployee(shop, rights, { cashbox_ids: [shop.cashboxId] });
  const far = await newEmployee(shop, rights, { cashbox_ids: [] });
  const stranger = await newShop();
  expect(await idsOf(REFUSED, near)).toEqual([id]);
  for (const token of [far, stranger.director]) {
    expect(await idsOf(REFUSED, token)).toEqual([]);
    expect((await call(`GET ${REFUSED}/${id}`, { token })).status).toBe(404);
    expect((await patch(shop, id, 'retry', undefined, token)).status).toBe(404);
    expect((await patch(shop, id, 'dismiss', { comment: 'No' }, token)).status).toBe(404);
  }
});

test('a shift, open or closed, shows how many of its desk wait (Part 4, 4.4 (5), (6))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const { director: token, cashboxId: cashbox_id, stockId: stock_id } = shop;
  await enableShifts(shop);
  await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'no-shift')]);
  const opened = await call('POST /company/trade/cashbox-shift', { token, json: { cashbox_id, stock_id } });
  expect(opened.body).toMatchObject({ refused_sales: 1 });
  const { id } = z.looseObject({ id: z.int() }).parse(opened.body);
  const waiting = await refuseOne(shop, product, 'till-2');
  const shown = async () => {
    const { body } = await call(`GET /company/trade/cashbox-shift/${id}`, { token });
    return Object(body).refused_sales;
  };
  expect(await shown()).toBe(2);
  expect(await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'no-shift')])).toMatchObject([
    { status: 200 },
  ]);
  expect(await shown()).toBe(1);
  const closing = { closing_action: 'keep' };
  const closed = await call(`PATCH /company/trade/cashbox-shift/${id}/close`, { token, json: closing });
  expect(closed.body).toMatchObject({ refused_sales: 1 });
  await patch(shop, waiting, 'dismiss', { comment: 'Never' });
  expect(await shown()).toBe(0);
});
