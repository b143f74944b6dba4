import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { translate } from '#lib/values/message.ts';
import { newCompany, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sendReturn } from '#tests/support/returns.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { addMoney, newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { closeWarehouse, newCards, newWarehouse, receiveGoods, stockLevelsOf } from '#tests/support/stock.ts';

const DESKS = '/company/cashbox/cashbox';

/**
 * Creates a shop that sold four pieces at 5000 for cash, and a second desk with money and a second warehouse.
 */
async function newSold() {
  const shop = await newShop();
  const { director: token } = shop;
  const goods = await newGoods(shop, [{ quantity: 4, cost: 3000 }]);
  const [otherDesk, otherStock] = await Promise.all([
    make(DESKS, token, { name: 'Desk 2', type: 'sale' }),
    newWarehouse(token, 'Other'),
  ]);
  const sale = (await sellOne(shop, goods, 4, 5000)).number('id');
  const [line] = await linesOfSale(shop, sale);
  await addMoney({ ...shop, cashboxId: otherDesk }, { cash_uzs: 2_000_000 });
  return { shop, goods, sale, line: line?.id ?? 0, otherDesk, otherStock };
}

const refusalOf = ({ director }: Shop, sale: number, json: object) =>
  errorsOf(`PATCH /company/trade/sale/${sale}/return`, director, json);

const gone = (token: string, address: string) => call(`DELETE ${address}` as 'DELETE /', { token });

/** Empties the shop's desk and deletes it with its warehouse. */
async function closeDown({ director: token, cashboxId, stockId }: Shop, to_cashbox_id: number) {
  const json = {
    from_cashbox_id: cashboxId,
    to_cashbox_id,
    payment_type: 'cash',
    currency: 'uzs',
    amount: 20_000,
  };
  expect((await call('POST /company/cashbox/operation/transfer', { token, json })).status).toBe(200);
  expect((await gone(token, `${DESKS}/${cashboxId}`)).status).toBe(200);
  expect((await gone(token, `/company/stock/stock/${stockId}`)).status).toBe(200);
}

test('a return may name another desk and warehouse of the company (Contract 9.82)', async () => {
  const { shop, goods, sale, line, otherDesk, otherStock } = await newSold();
  const { director: token, stockId } = shop;
  const json = { ...back({ [line]: 3 }, 15_000), cashbox_id: otherDesk, stock_id: otherStock };
  expect(await sendReturn(shop, sale, json)).toMatchObject({
    status: 200,
    body: { paid_out_amount: 15_000 },
  });
  expect(await sendReturn(shop, sale, back({ [line]: 1 }, 5000))).toMatchObject({ status: 200 });
  const quantities = async (id: number) =>
    (await stockLevelsOf(token, `filter[stock_id]=${id}`)).map(({ product_id, quantity, batches }) => [
      product_id,
      quantity,
      batches[0]?.cost,
    ]);
  expect(await quantities(otherStock)).toEqual([[goods, 3, 3000]]);
  expect(await quantities(stockId)).toEqual([[goods, 1, 3000]]);
  const { body } = await call(`GET ${DESKS}/${otherDesk}/transfers`, { token });
  expect(body).toMatchObject({ data: [{ type: 'outcome', amount: 15_000, source_type: 'sale_return' }] });
  expect(await returnsOf(shop, sale)).toMatchObject([
    { cashbox_id: otherDesk, stock_id: otherStock },
    { cashbox_id: shop.cashboxId, stock_id: stockId },
  ]);
});

test('if the sale’s desk and warehouse are gone, others must be named: 422 on the fields (Contract 9.82)', async () => {
  const { shop, sale, line, otherDesk, otherStock } = await newSold();
  await closeDown(shop, otherDesk);
  const json = back({ [line]: 1 }, 5000);
  const cashbox_id = translate('ru', { key: 'return.cashbox_gone' });
  const stock_id = translate('ru', { key: 'return.stock_gone' });
  expect(await refusalOf(shop, sale, json)).toEqual({ cashbox_id, stock_id });
  expect(await refusalOf(shop, sale, { ...json, cashbox_id: otherDesk })).toEqual({ stock_id });
  expect(await refusalOf(shop, sale, { ...json, stock_id: otherStock })).toEqual({ cashbox_id });
  const named = { ...json, cashbox_id: otherDesk, stock_id: otherStock };
  expect(await sendReturn(shop, sale, named)).toMatchObject({ status: 200 });
});

test('another company’s desk or warehouse, a main desk and one that is not open are 422 (Contract 9.82)', async () => {
  const { shop, sale, line, otherDesk, otherStock } = await newSold();
  const { director: token, companyId, cashboxId, stockId } = shop;
  const company_id = await newCompany(companyId);
  const [branchDesk, branchStock] = await Promise.all([
    make(DESKS, token, { name: 'Branch', type: 'sale', company_id }),
    newWarehouse(token, 'Branch', { company_id }),
  ]);
  const json = back({ [line]: 1 }, 5000);
  const notFound = { cashbox_id: NOT_FOUND, stock_id: NOT_FOUND };
  const elsewhere = { ...json, cashbox_id: branchDesk, stock_id: branchStock };
  expect(await refusalOf(shop, sale, elsewhere)).toEqual(notFound);
  const main = translate('ru', { key: 'sale.cashbox_not_for_sales' });
  const [mainId = 0] = await idsOf(DESKS, token, `filter[company_id]=${companyId}&filter[type]=main`);
  expect(await refusalOf(shop, sale, { ...json, cashbox_id: mainId })).toEqual({ cashbox_id: main });
  const right = ['company.trade.sale.return'];
  const employee = await newEmployee(shop, right, { cashbox_ids: [cashboxId], stock_ids: [stockId] });
  const others = { ...json, cashbox_id: otherDesk, stock_id: otherStock };
  expect(await errorsOf(`PATCH /company/trade/sale/${sale}/return`, employee, others)).toEqual(notFound);
});

test('a count closes the warehouse that a return names, and no other (Contract 9.82)', async () => {
  const { shop, sale, line, otherStock } = await newSold();
  await closeWarehouse(shop, otherStock);
  const json = back({ [line]: 1 }, 5000);
  expect(await sendReturn(shop, sale, { ...json, stock_id: otherStock })).toMatchObject(
    errorWith('stock.being_counted'),
  );
  expect(await sendReturn(shop, sale, json)).toMatchObject({ status: 200 });
});

test('a return is of the shift of the desk that it names, and the books add up (Contract 9.82)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const [goods = 0] = await newCards(shop, 1);
  const products = [{ product_id: goods, quantity: 4, cost: 3000 }];
  await receiveGoods(token, { stock_id: shop.stockId, products });
  const otherDesk = await make(DESKS, token, { name: 'Desk 2', type: 'sale' });
  const stock_id = await newWarehouse(token, 'Other');
  const sale = (await sellOne(shop, goods, 4, 5000)).number('id');
  const [line] = await linesOfSale(shop, sale);
  await enableShifts(shop);
  const json = { ...back({ [line?.id ?? 0]: 1 }, 5000), cashbox_id: otherDesk, stock_id };
  expect(await sendReturn(shop, sale, json)).toMatchObject(errorWith('shift.required'));
  const cash = { payment_type: 'cash', currency: 'uzs', amount: 5000 };
  const shift = await beginShift({ ...shop, cashboxId: otherDesk }, { opening_balances: [cash] });
  expect(await sendReturn(shop, sale, json)).toMatchObject({ status: 200 });
  const closed = await endShift(shop, shift);
  expect(closed.summary).toMatchObject({ returns_count: 1 });
  const { violations } = await readBooks(shop.companyId);
  expect(violations.map(({ subject, what }) => `${subject}: ${what}`)).toEqual([]);
});
