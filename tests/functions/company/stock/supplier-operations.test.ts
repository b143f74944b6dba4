import { expect, test } from 'vitest';
import * as z from 'zod';
import { mainDeskIn, newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorWith, idsOf, make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';
import {
  newDepot,
  patch,
  payForGoods,
  SUPPLIERS,
  supplierOperationsOf,
  WRITE_OFFS,
  writeOffAtOnce,
  writeOffOf,
  writeOffOfGoodsReceipt,
} from '#tests/support/write-offs.ts';

const Listed = z.object({
  data: z.array(z.object({ amount: z.number() })),
  meta: z.object({ total: z.int() }),
});

test('receipts, payments and write-offs are operations that add up to the balance (Contract 9.18)', async () => {
  const depot = await newDepot(2);
  const { token, companyId, directorId, supplierId, receiptId } = depot;
  const source_id = await payForGoods(depot, 10.5);
  const writeOff = await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot));
  await writeOffAtOnce(token, writeOffOf(depot));
  expect(await supplierOperationsOf(token, supplierId)).toMatchObject([
    { type: 'receipt', amount: 40, source_type: 'purchase', source_id: receiptId, supplier_id: supplierId },
    { type: 'payment', amount: -10.5, source_type: 'transfer', source_id, company_id: companyId },
    { type: 'writeoff', amount: -12, source_type: 'writeoff', source_id: writeOff, creator_id: directorId },
  ]);
  const filtered = (query: string) => idsOf(`${SUPPLIERS}/${supplierId}/operations`, token, query);
  expect(await filtered('filter[type]=writeoff')).toHaveLength(1);
  expect(await filtered('filter[currency]=usd')).toEqual([]);
  const other = await make(SUPPLIERS, token, { name: 'Другой' });
  for (const [id, count] of [
    [supplierId, 3],
    [other, 0],
  ] as const) {
    expect(await idsOf(`${SUPPLIERS}/${id}/operations`, token)).toHaveLength(count);
    const { rows } = await downloadSheet(`${SUPPLIERS}/${id}/operations?format=excel`, token);
    expect(rows).toHaveLength(1 + count);
  }
});

test('a canceled write-off leaves its operation with a reversal, and is owed again (Contract 9.18)', async () => {
  const depot = await newDepot(1, { quantity: 3, cost: 0.05 });
  const { token, supplierId } = depot;
  const id = await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, {}, 1.5));
  expect((await patch(token, id, 'cancel')).status).toBe(200);
  const [, operation, reversal] = await supplierOperationsOf(token, supplierId);
  // 3 × 0.05 less the amount of the remaining 1.5 × 0.05.
  expect(operation).toMatchObject({ type: 'writeoff', amount: -0.07, reversal_id: reversal?.id });
  const links = { reversal_of_id: operation?.id, reversal_id: null };
  expect(reversal).toMatchObject({ type: 'reversal', amount: 0.07, source_id: id, ...links });
  await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, {}, 1.5));
  await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, {}, 1.5));
  const sums = await supplierOperationsOf(token, supplierId);
  expect(sums.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(0);
});

test('operations are listed by what the caller reaches, the balance is the family’s (Contract 9.87)', async () => {
  const depot = await newDepot(1);
  const { token, companyId, supplierId, goods } = depot;
  const branch = await newCompany(companyId);
  const place = { company_id: branch, family_id: companyId, are_all_companies_available: false };
  const stock_id = await newWarehouse(token, 'Филиал', { company_id: branch });
  const { token: branchDirector } = await insertUser({ type: 'director', ...place });
  const products = [{ product_id: goods[0], quantity: 1, cost: 7 }];
  const id = await receiveGoods(token, { stock_id, supplier_id: supplierId, products });
  expect((await call(`PATCH ${PURCHASES}/${id}/cancel`, { token })).status).toBe(200);
  await payForGoods(depot, 3);
  await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot));
  const amounts = async (caller: string, query = '') => {
    const list = await call(`GET ${SUPPLIERS}/${supplierId}/operations?sort[]=id&${query}`, {
      token: caller,
    });
    const { data, meta } = Listed.parse(list.body);
    expect(meta.total).toBe(data.length);
    const { body } = await call(`GET ${SUPPLIERS}/${supplierId}`, { token: caller });
    expect(body).toMatchObject({ balances: { uzs: 11 } });
    return data.map(({ amount }) => amount);
  };
  const rights = ['company.stock.supplier.operations', 'company.stock.supplier.show'];
  const employee = (given: object) => newEmployee(depot, rights, given);
  expect(await amounts(token)).toEqual([20, 7, -7, -3, -6]);
  expect(await amounts(branchDirector)).toEqual([7, -7]);
  expect(await amounts(await employee({ stock_ids: [depot.stockId] }))).toEqual([20, -6]);
  expect(await amounts(await employee({ cashbox_ids: [await mainDeskIn(depot)] }))).toEqual([-3]);
  expect(await amounts(await employee({}))).toEqual([]);
  const both = await employee({
    stock_ids: [depot.stockId, stock_id],
    cashbox_ids: [await mainDeskIn(depot)],
  });
  expect(await amounts(both)).toEqual([20, -3, -6]);
  expect(await amounts(both, 'filter[type]=payment')).toEqual([-3]);
  const { rows } = await downloadSheet(`${SUPPLIERS}/${supplierId}/operations?format=excel`, branchDirector);
  expect(rows).toHaveLength(3);
});

test('goods of a receipt whose supplier is gone are not written off, nor brought back', async () => {
  const depot = await newDepot(1);
  const { token, supplierId } = depot;
  const completed = await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot));
  const waiting = await make(WRITE_OFFS, token, writeOffOfGoodsReceipt(depot));
  await payForGoods(depot, 14);
  expect((await call(`DELETE ${SUPPLIERS}/${supplierId}`, { token })).status).toBe(200);
  const refusal = errorWith('supplier.gone');
  expect(await patch(token, waiting, 'complete')).toMatchObject(refusal);
  expect(await patch(token, completed, 'cancel')).toMatchObject(refusal);
  expect((await call(`GET ${SUPPLIERS}/${supplierId}/operations`, { token })).status).toBe(404);
  await call(`DELETE ${SUPPLIERS}/${supplierId}/restore`, { token });
  expect((await patch(token, completed, 'cancel')).status).toBe(200);
  expect(await supplierOperationsOf(token, supplierId)).toHaveLength(4);
  const { director: stranger } = await newFamily();
  for (const query of ['', '?format=excel']) {
    const request = `GET ${SUPPLIERS}/${supplierId}/operations${query}`;
    expect((await call(request, { token: stranger })).status).toBe(404);
  }
});
