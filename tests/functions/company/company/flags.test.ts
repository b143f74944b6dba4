import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { addClient } from '#tests/support/clients.ts';
import { creditHeaders, creditRequest, sendCredit } from '#tests/support/credit.ts';
import { lend, newWater, payDebt, paying } from '#tests/support/debts.ts';
import { operator } from '#tests/support/external.ts';
import { newCompany, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const COMPANIES = '/admin/company/company';
const SALES = '/company/trade/sale';

const REFUSED = translate('ru', { key: 'sale.bank_not_taken' });

const byBank = (amount: number) => [{ payment_type: 'bank', amount }];

/** Sets flags of a company, as an administrator does. */
async function setFlags(companyId: number, given: object): Promise<void> {
  const token = await operator();
  const { status } = await call(`PUT ${COMPANIES}/${companyId}`, {
    token,
    json: { name: 'Savdo', ...given },
  });
  expect(status).toBe(200);
}

function sold({ cashboxId, stockId }: Pick<Shop, 'cashboxId' | 'stockId'>, product_id: number) {
  const places = { cashbox_id: cashboxId, stock_id: stockId, currency: 'uzs' };
  return { ...places, products: [{ product_id, sold_quantity: 10 }], transactions: byBank(10) };
}

test('both flags are true unless given (Contract 9.116)', async () => {
  const token = await operator();
  const made = await call(`POST ${COMPANIES}`, { token, json: { name: 'Savdo' } });
  const on = { is_pos_window_enabled: true, has_bank_payment_type: true };
  expect(made.body).toMatchObject(on);
  const off = { is_pos_window_enabled: false, has_bank_payment_type: false };
  await setFlags(made.number('id'), off);
  const { body } = await call(`GET ${COMPANIES}/${made.number('id')}`, { token });
  expect(body).toMatchObject(off);
});

test('without has_bank_payment_type, bank is 422 on its payment in sales, surcharges and debt payments, and nowhere else (Contract 9.116)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const water = await newWater(shop);
  const client = await addClient(shop);
  await lend(shop, { client, water, amount: 100 });
  const bank = await sellFor(shop, sold(shop, water));
  const plain = await sellFor(shop, {
    products: [{ product_id: water, sold_quantity: 10 }],
    transactions: [{ payment_type: 'cash', amount: 10 }],
  });
  await setFlags(shop.companyId, { has_bank_payment_type: false });
  expect(await errorsOf(`POST ${SALES}`, token, sold(shop, water))).toEqual({
    'transactions.0.payment_type': REFUSED,
  });
  expect(
    await errorsOf('POST /company/client/debt-payment', token, paying(shop, client, { bank: 10 })),
  ).toEqual({ 'payments.0.payment_type': REFUSED });
  await payDebt(shop, client, { card: 10 });
  const [line] = await linesOfSale(shop, plain);
  const swap = saleBody(shop, {
    company_id: shop.companyId,
    returned_products: [{ id: line?.id, returned_quantity: 1, reason_type: 'defective' }],
    products: [{ product_id: water, sold_quantity: 2 }],
    transactions: byBank(1),
  });
  expect(await errorsOf(`POST ${SALES}/${plain}/exchange`, token, swap)).toEqual({
    'transactions.0.payment_type': REFUSED,
  });
  expect((await sendReturn(shop, bank, { transactions: byBank(10) })).status).toBe(200);
  const headers = await creditHeaders(shop.companyId);
  expect((await sendCredit(headers, creditRequest(shop, water))).status).toBe(200);
});

test('it is the desk’s company that takes no bank, for any seller', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const branch = await newCompany(shop.companyId);
  const stockId = await make('/company/stock/stock', token, { name: 'Branch', company_id: branch });
  const desk = { name: 'Branch desk', type: 'sale', company_id: branch };
  const theirs = { ...shop, stockId, cashboxId: await make('/company/cashbox/cashbox', token, desk) };
  const water = await newWater(theirs);
  const admin = await operator();
  const json = { name: 'Filial', parent_id: shop.companyId, has_bank_payment_type: false };
  await call(`PUT ${COMPANIES}/${branch}`, { token: admin, json });
  expect(await errorsOf(`POST ${SALES}`, token, sold(theirs, water))).toEqual({
    'transactions.0.payment_type': REFUSED,
  });
});

test('a company’s first two segments show the report settings of its main company, and set nothing (Part 4, 4.5 (4))', async () => {
  const token = await operator();
  const { companyId, director } = await newFamily();
  const branch = await newCompany(companyId);
  const shown = async (id: number) => (await call(`GET ${COMPANIES}/${id}`, { token })).body;
  const first = { abc_segment_a: 80, abc_segment_b: 95 };
  for (const id of [companyId, branch]) expect(await shown(id)).toMatchObject(first);
  await setFlags(companyId, { abc_segment_a: 10, abc_segment_b: 20, abc_segment_c: 5 });
  expect(await shown(companyId)).toMatchObject({ ...first, abc_segment_c: 5 });
  const report_settings = { abc_segment_a: 70.5, abc_segment_b: 90 };
  await call('PUT /company/company/settings', { token: director, json: { report_settings } });
  for (const id of [companyId, branch, await newCompany(companyId)])
    expect(await shown(id)).toMatchObject(report_settings);
  const { body } = await call('GET /common/user/profile', { token: director });
  expect(body).toMatchObject({ company: report_settings });
});
