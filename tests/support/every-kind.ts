import { expect } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { users } from '#lib/people/user/user.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { renderInstant } from '#lib/values/time.ts';
import { makeSideCatalog } from './catalog.ts';
import { addClient } from './clients.ts';
import { BODIES } from './contract.ts';
import { creditHeaders, creditRequest, sendCredit } from './credit.ts';
import { payDebt, refundDebt } from './debts.ts';
import { newEmployee, newSuperAdministrator } from './family.ts';
import { inCash, trySelling } from './foreign.ts';
import { call } from './http.ts';
import { offlineSaleBody, refuseOne, sendOfflineSales } from './offline.ts';
import { COLLECTIONS, collectFromTill, newTill, operate, type Till } from './operations.ts';
import { newProgramKey } from './program-keys.ts';
import { make } from './records.ts';
import { addToDraft, MONTH_IN_MINUTES, minuteFromNow, reprice, repricingRow } from './repricing.ts';
import { linesOfSale, sellOnDebt, sendReturn } from './returns.ts';
import { beginShift, enableShifts, endShift } from './shifts.ts';
import { newGoods, saleBody, sellOne } from './shop.ts';
import { newWarehouse, PURCHASES, receiveGoods } from './stock.ts';
import { count, endStocktake, startStocktake } from './stocktakes.ts';
import { newTrackedProduct, sellTrackingCodes } from './tracking-codes.ts';
import { holdGoods, newTeaSet } from './trade.ts';
import { TRANSFERS } from './transfers.ts';
import { lineIdsOf, WRITE_OFFS } from './write-offs.ts';

/** Barcode of its goods. */
export const WATER_BARCODE = '4780000000045';

/** Creates a family with one of each kind of record and document, made in every possible way. */
export async function newEveryKind(): Promise<Till> {
  const till = await newTill(10_000_000);
  const water = await newGoods(till, [{ quantity: 500, cost: 100 }], { barcode: WATER_BARCODE });
  await makeMasterData(till, water);
  await makeSales(till, water);
  await makeSalesBy(till, water);
  await makeReturns(till, water);
  await makeGoodsDocuments(till, water);
  await makeMoneyDocuments(till, water);
  await makeDebtEntries(till);
  return till;
}

async function ok(reply: Promise<Reply>): Promise<Reply> {
  const { status, body } = await reply;
  expect({ status, body }).toMatchObject({ status: 200 });
  return reply;
}

async function makeMasterData(till: Till, water: number): Promise<void> {
  const { director: token } = till;
  await makeSideCatalog(token);
  for (const [path, body] of Object.entries(BODIES)) await make(path, token, body);
  const hook = { url: 'http://127.0.0.1:9/hook', types: ['client.client.*'] };
  await ok(call('POST /company/webhook', { token, json: hook }));
  const gone = await newGoods(till, []);
  await ok(call(`DELETE /company/product/product/${gone}`, { token }));
  await addToDraft(till, water);
}

/**
 * Makes sales: with all payment types, of a bundle, of a hold, with tracking codes, foreign, offline,
 * refused, on credit.
 */
async function makeSales(till: Till, water: number): Promise<void> {
  const { director: token } = till;
  const ways = ['cash', 'card', 'bank'].map((payment_type) => ({ payment_type, amount: 5000 }));
  const paid = (await ok(trySelling(till, [water, 3], ways))).number('id');
  const other = [{ payment_type: 'card', amount: 15_000 }];
  await ok(call(`PATCH /company/trade/sale/${paid}/tender`, { token, json: { transactions: other } }));
  const { bundle_id } = await newTeaSet(till);
  const set = { bundles: [{ bundle_id, quantity: 1 }], transactions: [inCash(2000)] };
  await ok(call('POST /company/trade/sale', { token, json: saleBody(till, set) }));
  const hold = await ok(holdGoods(till, { products: [{ product_id: water, quantity: 1 }] }));
  await ok(holdGoods(till, { products: [{ product_id: water, quantity: 2 }] }));
  const held = { hold_id: hold.number('id'), transactions: [inCash(5000)] };
  await ok(call('POST /company/trade/sale', { token, json: saleBody(till, held) }));
  await ok(sellTrackingCodes(till, await newTrackedProduct(till), ['mark-1']));
  await ok(trySelling(till, [water, 3], [inCash(2, 'usd')]));
  const sold_at = renderInstant(Date.now() - 60_000);
  const [late] = await sendOfflineSales(till, [offlineSaleBody(till, water, 'late', { sold_at })]);
  expect(late).toMatchObject({ status: 200 });
  await refuseOne(till, water, 'waits', { sold_at });
  const dismissed = await refuseOne(till, water, 'dismissed', { sold_at });
  const refused = `PATCH /company/trade/sale/refused/${dismissed}/dismiss`;
  await ok(call(refused, { token, json: { comment: 'Ошибка' } }));
  await ok(sendCredit(await creditHeaders(till.companyId), creditRequest(till, water)));
}

const Given = z.object({ token: z.string() });

/**
 * Makes sales by an API key, by an administrator who impersonates the director, and by a deleted employee.
 */
async function makeSalesBy(till: Till, water: number): Promise<void> {
  const open = { cashbox_ids: [till.cashboxId], stock_ids: [till.stockId] };
  const { key } = await newProgramKey(till, ['company.trade.sale.store'], open);
  await ok(sellOne({ ...till, director: key }, water, 1, 5000));
  const administrator = await newSuperAdministrator();
  const acting = await ok(
    call(`PATCH /admin/user/user/${till.directorId}/auth-as`, { token: administrator }),
  );
  await ok(sellOne({ ...till, director: Given.parse(acting.body).token }, water, 1, 5000));
  const employee = await newEmployee(till, ['company.trade.sale.store'], open);
  const sale = await ok(sellOne({ ...till, director: employee }, water, 1, 5000));
  const { creator_id } = z.object({ creator_id: z.int() }).parse(sale.body);
  await editRecord({ type: users, tenant: PLATFORM, id: creator_id }, Date.now(), (before) => {
    return { ...before, is_deleted: true };
  });
}

/** Makes returns: in the sale's currency and in another, of a debt, by an exchange; and debt payments. */
async function makeReturns(till: Till, water: number): Promise<void> {
  const plain = (await ok(trySelling(till, [water, 2], [inCash(10_000)]))).number('id');
  const [line] = await linesOfSale(till, plain);
  const products = [{ id: line?.id, returned_quantity: 1, reason_type: 'defective' }];
  await ok(sendReturn(till, plain, { products, transactions: [inCash(5000)] }));
  const swap = { company_id: till.companyId, returned_products: products };
  const taken = { products: [{ product_id: water, sold_quantity: 2 }], transactions: [inCash(5000)] };
  const exchange = `POST /company/trade/sale/${plain}/exchange`;
  await ok(call(exchange, { token: till.director, json: saleBody(till, { ...swap, ...taken }) }));
  const foreign = (await ok(trySelling(till, [water, 3], [inCash(2, 'usd')]))).number('id');
  await ok(sendReturn(till, foreign, { transactions: [inCash(15_000)] }));
  const lent = await sellOnDebt(till, water, 1000, 2, addClient(till, '998901112288'));
  const Owed = z.object({ client_id: z.int() });
  const { body } = await call(`GET /company/trade/sale/${lent}`, { token: till.director });
  const [payment] = await payDebt(till, Owed.parse(body).client_id, { cash: 1000, card: 500 });
  await ok(refundDebt(till, z.object({ id: z.int() }).parse(payment).id));
  const [owed] = await linesOfSale(till, lent);
  const back = [{ id: owed?.id, returned_quantity: 1, reason_type: 'not_match' }];
  await ok(sendReturn(till, lent, { products: back, transactions: [] }));
  await addClient(till, '998901112299');
}

/** Makes receipts, write-offs, transfers and counts, in all their states, and a repricing. */
async function makeGoodsDocuments(till: Till, water: number): Promise<void> {
  const { director: token, stockId: stock_id } = till;
  const supplier_id = await make('/company/stock/supplier', token, { name: 'Ферма' });
  const lines = [{ product_id: water, quantity: 20, cost: 2, sale_price: 5000 }];
  const receipt = { stock_id, supplier_id, currency: 'uzs', products: lines };
  const [batch] = await lineIdsOf(token, await receiveGoods(token, receipt));
  await make(PURCHASES, token, receipt);
  const canceled = await receiveGoods(token, receipt);
  await ok(call(`PATCH ${PURCHASES}/${canceled}/cancel`, { token }));
  const products = [{ product_id: water, source_product_id: batch, quantity: 1, reason: 'common_loss' }];
  const writeOff = { source_type: 'stock', source_id: stock_id, name: 'Бой', products };
  await make(WRITE_OFFS, token, writeOff);
  for (const words of [['complete'], ['complete', 'cancel']]) {
    const id = await make(WRITE_OFFS, token, writeOff);
    for (const word of words) await ok(call(`PATCH ${WRITE_OFFS}/${id}/${word}`, { token }));
  }
  const to_stock_id = await newWarehouse(token, 'Второй');
  const moved = { from_stock_id: stock_id, to_stock_id, products: [{ product_id: water, quantity: 1 }] };
  await make(TRANSFERS, token, moved);
  for (const word of ['complete', 'cancel'])
    await ok(call(`PATCH ${TRANSFERS}/${await make(TRANSFERS, token, moved)}/${word}`, { token }));
  await reprice(till, [repricingRow(await newGoods(till, [])), repricingRow(water)]);
  const starts_at = renderInstant(minuteFromNow(MONTH_IN_MINUTES));
  await reprice(till, [repricingRow(water, { sale_price: 7000 })], { starts_at });
  for (const how of ['cancel', 'complete'] as const) {
    const id = await startStocktake(till, { type: 'partial', product_ids: [water] });
    await ok(count(till, id, [[water, 100]]));
    await ok(endStocktake(till, id, how));
  }
}

/** Creates a debt from before the first sale, postpones it, and writes a part of it off; and a deposit. */
async function makeDebtEntries({ director: token }: Till): Promise<void> {
  const comment = 'Перенос';
  const client_id = await make('/company/client/client', token, {
    full_name: 'Должник',
    main_phone: '998907770001',
  });
  const debt = { client_id, currency: 'uzs', amount: 500, due_date: '2099-01-31', comment };
  const id = await make('/company/client/debt', token, debt);
  await ok(call(`PATCH /company/client/debt/${id}/due-date`, { token, json: { due_date: '2099-02-28' } }));
  await ok(call(`PATCH /company/client/debt/${id}/write-off`, { token, json: { amount: 100, comment } }));
  const deposit = { currency: 'uzs', amount: 50, comment };
  await make(`/company/client/client/${client_id}/deposit-correction`, token, deposit);
}

/** Makes operations, collections and shifts. */
async function makeMoneyDocuments(till: Till, water: number): Promise<void> {
  const { director: token, cashboxId: cashbox_id } = till;
  await ok(operate(till, 'outcome', 10));
  const conversion = { cashbox_id, payment_type: 'cash', from_currency: 'uzs', to_currency: 'usd' };
  await call('POST /company/cashbox/operation/conversion', { token, json: { ...conversion, amount: 100 } });
  const collection = (await ok(collectFromTill(till, 100))).number('id');
  await ok(call(`PATCH ${COLLECTIONS}/${collection}/confirm`, { token }));
  await ok(collectFromTill(till, 50));
  await enableShifts(till);
  const shift = await beginShift(till);
  await ok(
    sellOne(till, water, 1, 6000).then((sold) =>
      sold.status === 200 ? sold : sellOne(till, water, 1, 5000),
    ),
  );
  await endShift(till, shift);
  await beginShift(till);
}
