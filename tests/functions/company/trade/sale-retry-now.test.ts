import { expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { addClient } from '#tests/support/clients.ts';
import { call } from '#tests/support/http.ts';
import {
  offlineSaleBody,
  REFUSED,
  readRefused,
  refuseOne,
  sendOfflineSales,
} from '#tests/support/offline.ts';
import { cardWas, minutesAgo, oldGoods, oldShop, timeAgo } from '#tests/support/past.ts';
import { errorsOf, idsOf } from '#tests/support/records.ts';
import { enableShifts, tryToOpen } from '#tests/support/shifts.ts';
import { piecesOf, type Shop } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const TWO_DAYS = 2 * 24 * 60;

async function closeBooks({ director: token }: Shop, sale_settings: object): Promise<void> {
  const { status } = await call('PUT /company/company/settings', { token, json: { sale_settings } });
  expect(status).toBe(200);
}

/** Uploads a sale of two days ago, which is too old, and returns its refused sale's id. */
async function refuseOld(shop: Shop, product: number, key: string, given: object = {}): Promise<number> {
  await closeBooks(shop, { late_sale_days: 1 });
  const json = offlineSaleBody(shop, product, key, { sold_at: timeAgo(TWO_DAYS), ...given });
  const [row] = await sendOfflineSales(shop, [json]);
  expect(row?.errors).toMatchObject({ sold_at: [translate('ru', { key: 'sale.sold_at' })] });
  return row?.refused_id ?? 0;
}

function retry({ director: token }: Shop, id: number, json: object = {}) {
  return call(`PATCH ${REFUSED}/${id}/retry`, { token, json });
}

function errorsOfRetry({ director }: Shop, id: number, json: object) {
  return errorsOf(`PATCH ${REFUSED}/${id}/retry`, director, json);
}

test('as of now it is sold at this moment, and the old one is when it happened, in sale and record (Part 4, 4.4 (5))', async () => {
  const { shop, id: product } = await oldShop();
  const id = await refuseOld(shop, product, 'old');
  const { sold_at } = await readRefused(shop, id);
  const before = renderInstant(Date.now());
  const retried = await retry(shop, id, { as_of_now: true });
  expect(retried).toMatchObject({ status: 200, body: { status: 'sold', happened_at: sold_at } });
  expect(String(Object(retried.body).sold_at) >= before).toBe(true);
  const sale = retried.number('sale_id');
  const { body } = await call(`GET ${SALES}/${sale}`, { token: shop.director });
  expect(body).toMatchObject({ happened_at: sold_at, is_late: true, key: 'old' });
  expect(Object(body).sold_at).toBe(Object(body).created_at);
  const today = dayOf(Date.now());
  const ofToday = `filter[sold_at][0]=${today}&filter[sold_at][1]=${today}`;
  expect(await idsOf(SALES, shop.director, `filter[is_late]=true&${ofToday}`)).toEqual([sale]);
  const [plain] = await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'plain')]);
  expect(plain?.sale).toMatchObject({ happened_at: null });
});

test('late_sale_days and books_closed_on judge every try but one as of now (Part 4, 4.4 (5); Contract 9.97)', async () => {
  const { shop, id: product } = await oldShop();
  const id = await refuseOld(shop, product, 'old');
  expect(Object.keys(await errorsOfRetry(shop, id, {}))).toEqual(['sold_at']);
  await closeBooks(shop, { late_sale_days: 31, books_closed_on: daysAfter(dayOf(Date.now()), -1) });
  expect(await errorsOfRetry(shop, id, { as_of_now: false })).toEqual({
    sold_at: translate('ru', { key: 'sale.books_closed' }),
  });
  expect((await retry(shop, id, { as_of_now: true })).status).toBe(200);
});

test('as of now it is judged by when it happened: its prices, and how old its copy is (Part 4, 4.4 (5))', async () => {
  const { shop, id: product } = await oldShop();
  await cardWas(shop, product, 20 * 60, { sale_price: 6000 });
  const id = await refuseOld(shop, product, 'old');
  const body = offlineSaleBody(shop, product, 'old', { sold_at: undefined, as_of_now: true });
  const products = [{ product_id: product, sold_quantity: 1, price: 6000 }];
  const today = { ...body, products, transactions: [{ payment_type: 'cash', amount: 6000 }] };
  expect(Object.keys(await errorsOfRetry(shop, id, today))).toEqual(['products.0.price']);
  expect(Object.keys(await errorsOfRetry(shop, id, { ...body, known_at: timeAgo(60) }))).toEqual([
    'known_at',
  ]);
  expect((await retry(shop, id, body)).status).toBe(200);
});

test('as of now a due_date is judged by the day on which it happened (Contract 9.97)', async () => {
  const { shop, id: product } = await oldShop();
  const client_id = await addClient(shop);
  const then = dayOf(minutesAgo(TWO_DAYS));
  const owing = (due_date: string) => ({
    client_id,
    due_date,
    transactions: [{ payment_type: 'debt', amount: 5000 }],
  });
  const id = await refuseOld(shop, product, 'old', owing(then));
  const early = offlineSaleBody(shop, product, 'old', { sold_at: undefined, ...owing(daysAfter(then, -1)) });
  expect(Object.keys(await errorsOfRetry(shop, id, { ...early, as_of_now: true }))).toEqual(['due_date']);
  expect((await retry(shop, id, { ...early, ...owing(then), as_of_now: true })).status).toBe(200);
});

test('as of now the hours of a shift that blocks count as of now, too (Contract 9.97)', async () => {
  const { shop, id: product } = await oldShop();
  await enableShifts(shop);
  await tryToOpen(shop);
  const key = deskMoneyKey(familyTenant(shop.companyId), shop.cashboxId);
  const { shift } = DeskMoney.parse(await getItem(key));
  const blocking = { ...shift, overdue_action: 'block', closes_at: minutesAgo(30) };
  await transact([update(key, { set: { shift: blocking } })]);
  const scarce = await oldGoods(shop);
  const id = await refuseOne(shop, scarce, 'old', {
    products: [{ product_id: scarce, sold_quantity: 1001, price: 5000 }],
    transactions: [{ payment_type: 'cash', amount: 5_005_000 }],
  });
  const changed = offlineSaleBody(shop, product, 'old');
  expect(await retry(shop, id, { ...changed, as_of_now: true })).toMatchObject({
    status: 400,
    body: { code: 'shift.overdue' },
  });
  expect((await retry(shop, id, changed)).status).toBe(200);
  expect([await piecesOf(shop, product), await piecesOf(shop, scarce)]).toEqual([999, 1000]);
});
