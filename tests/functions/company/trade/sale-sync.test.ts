import { expect, test } from 'vitest';
import { companies } from '#lib/people/company/record.ts';
import { update } from '#lib/table/change/write.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { translate } from '#lib/values/message.ts';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  offlineSaleBody,
  REFUSED,
  readRefused,
  refuseOne,
  sendOfflineSales,
} from '#tests/support/offline.ts';
import { idsOf } from '#tests/support/records.ts';
import { cashOf, newGoods, newShop, piecesOf } from '#tests/support/shop.ts';

const WATER = [{ quantity: 10, cost: 3000 }];
const HOUR_MS = 3_600_000;

test('a batch sells each of its sales, and sent again it answers the same sales (Part 4, 4.4 (4))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sales = ['a', 'b', 'c'].map((key) => offlineSaleBody(shop, id, key));
  const first = await sendOfflineSales(shop, sales);
  expect(first).toMatchObject(
    ['a', 'b', 'c'].map((key) => ({ key, status: 200, is_replayed: false, refused_id: null, errors: null })),
  );
  expect(first.map(({ sale }) => sale?.id)).toEqual([1, 2, 3]);
  const second = await sendOfflineSales(shop, sales);
  expect(second).toEqual(first.map((row) => ({ ...row, is_replayed: true })));
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([7, 15_000]);
});

test('each sale is validated by itself: its errors have paths without a prefix', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const rows = await sendOfflineSales(shop, [
    offlineSaleBody(shop, id, 'good'),
    offlineSaleBody(shop, id, 'short', {
      products: [{ product_id: id, sold_quantity: 100, price: 5000 }],
      transactions: [{ payment_type: 'cash', amount: 500_000 }],
    }),
    offlineSaleBody(shop, id, 'odd', { discont: 5 }),
    offlineSaleBody(shop, id, 'good', { comment: 'Twice in a batch' }),
    offlineSaleBody(shop, id, 'good', { transactions: [{ payment_type: 'card', amount: 5000 }] }),
  ]);
  expect(rows.map(({ status, is_replayed }) => [status, is_replayed])).toEqual([
    [200, false],
    [422, false],
    [422, false],
    [200, true],
    [409, false],
  ]);
  expect(rows.map(({ errors }) => errors && Object.keys(errors))).toEqual([
    null,
    ['products.0.sold_quantity'],
    ['discont'],
    null,
    null,
  ]);
  expect(rows.map(({ refused_id }) => refused_id)).toEqual([null, 1, 2, null, null]);
  expect(rows[4]?.code).toBe('sale.key_reused');
  expect(rows.map(({ sale_id }) => sale_id)).toEqual([null, null, null, null, rows[0]?.sale?.id]);
});

test('a sale that came by the single call is known to a batch, and the other way round', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = offlineSaleBody(shop, id, 'one');
  await call('POST /company/trade/sale', { token: shop.director, json });
  expect(await sendOfflineSales(shop, [json])).toMatchObject([{ status: 200, is_replayed: true }]);
  await sendOfflineSales(shop, [{ ...json, key: 'two' }]);
  const single = await call('POST /company/trade/sale', {
    token: shop.director,
    json: { ...json, key: 'two' },
  });
  expect([single.status, single.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await piecesOf(shop, id)).toBe(8);
});

test('what cannot be read is answered and not kept', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const stranger = await newShop();
  const { key: _, ...keyless } = offlineSaleBody(shop, id, 'x');
  const rows = await sendOfflineSales(shop, [
    7,
    null,
    ['sale'],
    keyless,
    offlineSaleBody(shop, id, 'a b'),
    offlineSaleBody(shop, id, 'large', { comment: 'x'.repeat(103_000) }),
    offlineSaleBody(shop, id, 'when', { sold_at: 'yesterday' }),
    offlineSaleBody(shop, id, 'where', { cashbox_id: 'desk' }),
    offlineSaleBody(shop, id, 'whose', { cashbox_id: stranger.cashboxId + 1000 }),
    offlineSaleBody(shop, id, 'live', { sold_at: null, products: [{ product_id: id, sold_quantity: 99 }] }),
  ]);
  expect(rows.map(({ status, refused_id }) => [status, refused_id])).toEqual(rows.map(() => [422, null]));
  expect(await idsOf(REFUSED, shop.director)).toEqual([]);
});

test('a late sale in a currency of old or of a closed warehouse is kept', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  expect(await sendOfflineSales(shop, [offlineSaleBody(shop, id, 'old', { currency: 'usd' })])).toMatchObject(
    [{ status: 422, refused_id: 1 }],
  );
  await call('POST /company/trade/inventory', {
    token: shop.director,
    json: { stock_id: shop.stockId, type: 'full' },
  });
  expect(await sendOfflineSales(shop, [offlineSaleBody(shop, id, 'counted')])).toMatchObject([
    { status: 400, refused_id: 2, errors: null },
  ]);
});

test('an entry with a member that the parser refuses is answered by itself; the others are tried (Contract 9.102)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const token = shop.director;
  const headers = { 'content-type': 'application/json' };
  const spoilt = (json: object, odd: string) => JSON.stringify(json).replace('{', `{${odd},`);
  const odd = ['"__proto__":{"a":1}', '"constructor":{"prototype":{}}'];
  const entries = [
    JSON.stringify(offlineSaleBody(shop, id, 'one')),
    ...odd.map((each, index) => spoilt(offlineSaleBody(shop, id, `odd-${index}`), each)),
    JSON.stringify(offlineSaleBody(shop, id, 'two')),
  ];
  const send = (text: string) => call('POST /company/trade/sale/sync', { token, headers, text });
  const { status, body } = await send(`{"sales":[${entries.join(',')}]}`);
  expect(status).toBe(200);
  const malformed = { status: 422, code: 'http.malformed_body', refused_id: null, sale: null };
  expect(Object(body).data).toMatchObject([
    { key: 'one', status: 200 },
    { key: 'odd-0', ...malformed },
    { key: 'odd-1', ...malformed },
    { key: 'two', status: 200 },
  ]);
  expect(await idsOf(REFUSED, token)).toEqual([]);
  for (const whole of [`{"__proto__":{},"sales":[${entries[0]}]}`, `{"sales":[${entries[0]}`]) {
    expect(await send(whole)).toMatchObject({ status: 422, body: { code: 'http.malformed_body' } });
  }
});

test('what the time of a call does not reach is 503, unsold, to be sent again', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sales = ['a', 'b', 'c'].map((key) => offlineSaleBody(shop, id, key));
  let calls = 0;
  const { data } = await sellBatch(
    directorAs(shop.directorId, shop.companyId),
    SaleBatchInput.parse({ sales }),
    { at: Date.now(), locale: 'ru', isTimeUp: () => ++calls > 2 },
  );
  expect(data.map(({ status, code, key }) => [key, status, code])).toEqual([
    ['a', 200, null],
    ['b', 200, null],
    ['c', 503, 'http.try_again'],
  ]);
  expect(data[2]?.message).toBe(translate('ru', { key: 'http.try_again' }));
  expect(await piecesOf(shop, id)).toBe(8);
  expect((await sendOfflineSales(shop, sales)).map(({ is_replayed }) => is_replayed)).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([[[]], [Array.from({ length: 51 }, () => ({}))], ['sale']])(
  'a batch of none, of 51 or of no list is 422 as a whole: %#',
  async (sales) => {
    const { director: token } = await newShop();
    expect(await call('POST /company/trade/sale/sync', { token, json: { sales } })).toMatchObject({
      status: 422,
      body: { errors: { sales: expect.anything() } },
    });
  },
);

test('two tills that send one batch at once sell each sale once', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sales = ['a', 'b', 'c', 'd'].map((key) => offlineSaleBody(shop, id, key));
  const both = await Promise.all([sendOfflineSales(shop, sales), sendOfflineSales(shop, sales)]);
  for (const rows of both) expect(rows.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([await piecesOf(shop, id), await cashOf(shop)]).toEqual([6, 20_000]);
});

test('a deleted company’s sales are refused, and kept; one that it made may still get its receipt', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sold = offlineSaleBody(shop, id, 'before');
  const fiscal = {
    ...{ terminal_id: 'T1', receipt_number: '17', fiscalized_at: '2026-11-23 10:00:00' },
    ...{ sign: null, qr_url: null },
  };
  await sendOfflineSales(shop, [sold]);
  await transact([
    update(recordKey(companies.type, PLATFORM, shop.companyId), { set: { is_deleted: true } }),
  ]);
  expect(
    await sendOfflineSales(shop, [offlineSaleBody(shop, id, 'after'), sold, { ...sold, fiscal }]),
  ).toMatchObject([
    { status: 400, code: 'auth.company_inactive', refused_id: 1 },
    { status: 200, is_replayed: true, sale: { fiscal: null } },
    { status: 200, is_replayed: true, sale: { fiscal } },
  ]);
});

test('a live sale of a batch goes by today, and one of tomorrow is refused and kept', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const tomorrow = `${daysAfter(dayOf(Date.now()), 1)} 12:00:00`;
  const rows = await sendOfflineSales(shop, [
    offlineSaleBody(shop, id, 'live', { sold_at: null }),
    offlineSaleBody(shop, id, 'future', { sold_at: tomorrow }),
    offlineSaleBody(shop, id, 'ancient', { sold_at: renderInstant(Date.now() - 40 * 24 * HOUR_MS) }),
  ]);
  expect(rows.map(({ status, refused_id }) => [status, refused_id])).toEqual([
    [200, null],
    [422, 1],
    [422, 2],
  ]);
});

test('a refused sale that is sent again is tried again: sold, it is sold, and its key is the sale’s', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const refused = await refuseOne(shop, id, 'late');
  const json = offlineSaleBody(shop, id, 'late');
  const [sold] = await sendOfflineSales(shop, [json]);
  expect(sold).toMatchObject({ status: 200, is_replayed: false, refused_id: null });
  expect(await readRefused(shop, refused)).toMatchObject({ status: 'sold', attempts: 2 });
  expect(await sendOfflineSales(shop, [json])).toMatchObject([
    { status: 200, is_replayed: true, sale: sold?.sale },
  ]);
  expect(await piecesOf(shop, id)).toBe(9);
});
