import { expect, test } from 'vitest';
import { inCash, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import { linesOfSale, readReturnList, sendReturn } from '#tests/support/returns.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const RETURNS = '/company/trade/sale/return';

test('sales and returns show the shift of their desk, null without shifts, and filter by it (Part 5, 5B.7 (1))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
  const sell = async () => (await trySelling(shop, [id, 1], [inCash(5000)])).number('id');
  const shown = async (sale: number) => {
    const { body } = await call(`GET ${SALES}/${sale}`, { token });
    return Object(body).shift_id;
  };
  const plain = await sell();
  await enableShifts(shop);
  const first = await beginShift(shop);
  const early = await sell();
  await endShift(shop, first);
  const second = await beginShift(shop);
  const late = await sell();
  expect([await shown(plain), await shown(early), await shown(late)]).toEqual([null, first, second]);
  const returned = await sendReturn(shop, early, { transactions: [inCash(5000)] });
  expect(returned).toMatchObject({ status: 200, body: { shift_id: first } });
  expect(await readReturnList(shop, early)).toMatchObject([{ shift_id: second }]);
  expect(await idsOf(SALES, token, `filter[shift_id]=${first}`)).toEqual([early]);
  expect(await idsOf(SALES, token, `filter[shift_id]=${second}`)).toEqual([late]);
  expect(await idsOf(RETURNS, token, `filter[shift_id]=${first}`)).toEqual([]);
  expect(await idsOf(RETURNS, token, `filter[shift_id]=${second}`)).toHaveLength(1);
});

test('both sides of an exchange show the shift of its desk (Part 5, 5B.7 (1))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
  const sale = (await trySelling(shop, [id, 1], [inCash(5000)])).number('id');
  const [line] = await linesOfSale(shop, sale);
  await enableShifts(shop);
  const shift_id = await beginShift(shop);
  const json = {
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id: id, sold_quantity: 1 }],
  };
  const { status } = await call(`POST ${SALES}/${sale}/exchange`, { token: shop.director, json });
  expect(status).toBe(200);
  expect(await readReturnList(shop, sale)).toMatchObject([{ shift_id }]);
  expect(await idsOf(SALES, shop.director, `filter[shift_id]=${shift_id}`)).toHaveLength(1);
});
