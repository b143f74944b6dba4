import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf } from '#tests/support/records.ts';
import { readReturnList, sendReturn } from '#tests/support/returns.ts';
import { newShop } from '#tests/support/shop.ts';
import { SyncReader } from '#tests/support/sync.ts';
import { newTrackedProduct, SELL, saleOfTrackingCodes } from '#tests/support/tracking-codes.ts';

const SALE = '/company/trade/sale';
const RECEIPT = { terminal_id: 'T1', receipt_number: '17', fiscalized_at: '2026-11-23 10:00:00' };
const SHOWN = { ...RECEIPT, sign: null, qr_url: null };

test('a fiscal receipt comes with a sale or is added once, to a return too, and the list finds it', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const goods = await newTrackedProduct(shop);
  const sell = async (mark: string, given: object) =>
    (await call(SELL, { token, json: saleOfTrackingCodes(shop, goods, [mark], given) })).body;
  expect(await sell('A', { fiscal: { ...RECEIPT, sign: 'S' } })).toMatchObject({
    fiscal: { ...SHOWN, sign: 'S' },
  });
  expect(await sell('B', { key: 'k' })).toMatchObject({ fiscal: null });
  const [offline = 0] = await idsOf(SALE, token, 'filter[is_fiscalized]=0');
  const patch = (given: object) => call(`PATCH ${SALE}/${offline}/fiscal`, { token, json: given });
  expect(await sell('B', { key: 'k', fiscal: RECEIPT })).toMatchObject({ id: offline, fiscal: SHOWN });
  expect((await patch(RECEIPT)).status).toBe(200);
  expect(await patch({ ...RECEIPT, receipt_number: '18' })).toMatchObject(errorWith('sale.fiscalized'));
  expect(
    Object.keys(await errorsOf(`PATCH ${SALE}/${offline}/fiscal`, token, { qr_url: 'http://a.uz' })).sort(),
  ).toEqual(['fiscalized_at', 'qr_url', 'receipt_number', 'terminal_id']);
  expect(await idsOf(SALE, token, 'filter[is_fiscalized]=1')).toHaveLength(2);
  expect(
    (await sendReturn(shop, offline, { transactions: [{ payment_type: 'cash', amount: 1 }] })).status,
  ).toBe(200);
  const whole = await call(`GET ${SALE}/${offline}`, { token });
  expect(whole.body).toMatchObject({ returns: [{ fiscal: null, products: [{ marks: ['B'] }] }] });
  const path = `PATCH ${SALE}/${offline}/return/${whole.number('returns.0.id')}/fiscal`;
  for (const _ of [1, 2])
    expect((await call(path, { token, json: RECEIPT })).body).toMatchObject({ fiscal: SHOWN });
  expect(await call(path, { token, json: { ...RECEIPT, sign: 'x' } })).toMatchObject(
    errorWith('sale.fiscalized'),
  );
  expect((await call(`GET ${SALE}/${offline}`, { token })).body).toMatchObject({
    returns: [{ fiscal: SHOWN }],
  });
});

test('`qr_url` is https without a user, ≤ 1 000, kept as the URL standard writes it (Part 4, 4.6 (4))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const goods = await newTrackedProduct(shop);
  const sold = await call(SELL, { token, json: saleOfTrackingCodes(shop, goods, ['A']) });
  const path = `PATCH ${SALE}/${sold.number('id')}/fiscal`;
  const wrong = [
    'http://x.uz/',
    'x.uz',
    '',
    'javascript:alert(1)',
    'https://u:p@x.uz/',
    'https://u@x.uz/',
    'https://x.uz/a\u0000',
    'https://x.uz/a\u202e',
    'https://x.uz/a\nb',
    `https://x.uz/${'a'.repeat(988)}`,
    `https://x.uz/${'"'.repeat(400)}`,
  ];
  for (const qr_url of wrong) {
    expect({ qr_url, fields: Object.keys(await errorsOf(path, token, { ...RECEIPT, qr_url })) }).toEqual({
      qr_url,
      fields: ['qr_url'],
    });
  }
  const qr_url = ' HTTPS://X.uz:443/a/../<script>?"onload="ў#<b> ';
  const kept = 'https://x.uz/%3Cscript%3E?%22onload=%22%D1%9E#%3Cb%3E';
  expect((await call(path, { token, json: { ...RECEIPT, qr_url } })).body).toMatchObject({
    fiscal: { qr_url: kept },
  });
  expect((await call(path, { token, json: { ...RECEIPT, qr_url: kept } })).status).toBe(200);
  const longest = `https://x.uz/${'a'.repeat(987)}`;
  const given = { fiscal: { ...RECEIPT, qr_url: longest } };
  const other = await call(SELL, { token, json: saleOfTrackingCodes(shop, goods, ['B'], given) });
  expect(other.body).toMatchObject(given);
});

test('wherever a return is shown it has fiscal, and its revision grows with it (Contract 9.121; Part 4, 4.1 (3))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const goods = await newTrackedProduct(shop);
  const sale = (await call(SELL, { token, json: saleOfTrackingCodes(shop, goods, ['A']) })).number('id');
  await sendReturn(shop, sale, { transactions: [{ payment_type: 'cash', amount: 1 }] });
  const [row] = await readReturnList(shop, sale);
  const id = row?.id ?? 0;
  const shown = async () => {
    const copy = await new SyncReader(token, { types: ['trade.sale', 'trade.sale.return'] }).catchUp();
    const entries = [copy.entry('trade.sale', sale), copy.entry('trade.sale.return', id)];
    const [copied, own] = entries.map((entry) => entry?.record);
    const card = (await call(`GET ${SALE}/${sale}/check-detail`, { token })).body;
    const listed = (await readReturnList(shop, sale))[0];
    const ofSales = [copied, card].map((each) => Object(each).returns[0]);
    return {
      receipts: [own, listed, ...ofSales].map((each) => Object(each).fiscal),
      revisions: entries.map((entry) => entry?.revision ?? 0),
    };
  };
  const before = await shown();
  expect(before.receipts).toEqual([null, null, null, null]);
  await call(`PATCH ${SALE}/${sale}/return/${id}/fiscal`, { token, json: RECEIPT });
  const after = await shown();
  expect(after.receipts).toEqual([SHOWN, SHOWN, SHOWN, SHOWN]);
  expect(after.revisions).toEqual(before.revisions.map((revision) => revision + 1));
});
