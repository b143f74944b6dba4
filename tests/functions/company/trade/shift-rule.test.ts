import { expect, test } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { translate } from '#lib/values/message.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { payDebt, paying, refundDebt } from '#tests/support/debts.ts';
import { newKey, uuidsOf } from '#tests/support/external.ts';
import { mainDeskIn, newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const WATER = [{ quantity: 10, cost: 3000 }];

const NO_SHIFT = { message: translate('ru', { key: 'shift.required' }) };

/**
 * Creates a shop that sold two pieces for cash, and one on debt, before its company began to work with
 * shifts.
 */
async function newShopWithShifts() {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const sale = (await sellOne(shop, id, 2, 5000)).number('id');
  const [line] = await linesOfSale(shop, sale);
  const client = await addClient(shop);
  await call('POST /company/trade/sale', { token: shop.director, json: onDebt(shop, client, id, 5000) });
  const [payment] = await payDebt(shop, client, { cash: 1000 });
  await enableShifts(shop);
  return { shop, id, client, sale, line: line?.id ?? 0, payment: payment?.id ?? 0 };
}

function payFrom({ director: token }: Shop, supplier: number, cashbox_id: number): Promise<Reply> {
  const json = { cashbox_id, payment_type: 'cash', currency: 'uzs', amount: 1 };
  return call(`POST /company/stock/supplier/${supplier}/payment`, { token, json });
}

test('with shifts, nothing moves at a sale desk without an open one (Contract 9.44)', async () => {
  const { shop, id, client, sale, line, payment } = await newShopWithShifts();
  const { director: token, companyId, cashboxId, stockId } = shop;
  const supplier = await make('/company/stock/supplier', token, { name: 'Ферма' });
  const place = { cashbox_id: cashboxId, stock_id: stockId, currency: 'uzs' };
  const swap = {
    ...place,
    company_id: companyId,
    returned_products: [{ id: line, reason_type: 'defective', returned_quantity: 1 }],
    products: [{ product_id: id, sold_quantity: 1 }],
  };
  const { key } = await newKey({ kind: 'external', company_ids: [companyId] });
  const { primary_uuid } = await uuidsOf(companyId);
  const credit = {
    ...place,
    ...{ external_id: 'K-1', agreement_number: 'K-15', agreement_date: '2026-10-01', months: 12 },
    initial_payment: 1000,
    client: { full_name: 'Aziz', phone: '998901112234', pinfl: '12345678901234' },
    products: [{ product_id: id, quantity: 1, price: 5000 }],
  };
  const replies = await Promise.all([
    sellOne(shop, id, 1, 5000),
    call('POST /company/trade/sale', { token, json: onDebt(shop, client, id, 5000) }),
    sendReturn(shop, sale, back({ [line]: 1 }, 5000)),
    call(`POST /company/trade/sale/${sale}/exchange`, { token, json: swap }),
    call('POST /external/credit/trade-sale/create', {
      headers: { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid },
      json: credit,
    }),
    payFrom(shop, supplier, cashboxId),
    call('POST /company/client/debt-payment', { token, json: paying(shop, client, { cash: 1 }) }),
    refundDebt(shop, payment),
  ]);
  for (const { status, body } of replies)
    expect({ status, body }).toMatchObject({ status: 400, body: NO_SHIFT });
});

test('a main desk has no shifts: its money moves without one (Contract 9.44)', async () => {
  const { shop } = await newShopWithShifts();
  const { director: token } = shop;
  const supplier = await make('/company/stock/supplier', token, { name: 'Ферма' });
  // The main desk exists, and is empty.
  expect(await payFrom(shop, supplier, await mainDeskIn(shop))).toMatchObject({ status: 422 });
});

test('a desk of another company of the family goes by that company’s rule (Contract 9.44)', async () => {
  const { shop, id } = await newShopWithShifts();
  const { companyId } = shop;
  const branch = await newCompany(companyId);
  const place = { type: 'director', company_id: branch, family_id: companyId } as const;
  const { token } = await insertUser({ ...place, are_all_companies_available: true });
  expect(await sellOne({ ...shop, director: token }, id, 1, 5000)).toMatchObject({
    status: 400,
    body: NO_SHIFT,
  });
});
