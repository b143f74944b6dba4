import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, giveBonuses } from '#tests/support/clients.ts';
import { newEmployee, newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { transfersOf } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, REQUIRED } from '#tests/support/records.ts';
import { lastDays, readReport, updateReportRollups } from '#tests/support/reports.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import {
  correctTo,
  newWaterShop,
  paymentsBy,
  SALE_TENDERS,
  sellBy,
  type WaterShop,
} from '#tests/support/sale-tenders.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { beginShift, enableShifts, endShift, tryToClose } from '#tests/support/shifts.ts';
import { addMoney, cashOf } from '#tests/support/shop.ts';
import { expectAsListed, SyncReader } from '#tests/support/sync.ts';

const SALES = '/company/trade/sale';

/** Reads the money at the shop's desk: cash, card, bank. */
function moneyAt(shop: WaterShop): Promise<number[]> {
  return Promise.all([cashOf(shop), cashOf(shop, 'card'), cashOf(shop, 'bank')]);
}

async function paymentsOf({ token }: WaterShop, sale: number) {
  return Object((await call(`GET ${SALES}/${sale}`, { token })).body).transactions;
}

test('a cheque’s money is corrected: transfers for what each type lost and gained, and a document (Part 5, 5A.8, 2)', async () => {
  const shop = await newWaterShop();
  const { token } = shop;
  const cash = { payment_type: 'cash', amount: 100, tendered_amount: 150 };
  const sale = await sellBy(shop, { cash: 100 }, { transactions: [cash] });
  const reply = await correctTo(shop, sale, { card: 70, cash: 10, bank: 20 });
  expect(reply).toMatchObject({
    status: 200,
    body: {
      ...{ sale_id: sale, company_id: shop.companyId, cashbox_id: shop.cashboxId, currency: 'uzs' },
      before: [{ payment_type: 'cash', amount: 100 }],
      after: paymentsBy({ card: 70, cash: 10, bank: 20 }),
      creator_id: shop.directorId,
      created_at: expect.any(String),
    },
  });
  expect(reply.body).not.toHaveProperty('sale_creator_id');
  expect(await moneyAt(shop)).toEqual([10, 70, 20]);
  expect(await transfersOf(shop)).toEqual([
    `sale ${sale} income cash uzs 100`,
    `sale_tender ${sale} outcome cash uzs 90`,
    `sale_tender ${sale} income card uzs 70`,
    `sale_tender ${sale} income bank uzs 20`,
  ]);
  const none = { tendered_amount: null, cash_change: null, debt_id: null, currency: 'uzs' };
  expect(await paymentsOf(shop, sale)).toEqual([
    { ...none, payment_type: 'card', amount: 70, counted_amount: 70, transfer_id: expect.any(Number) },
    { ...none, payment_type: 'cash', amount: 10, counted_amount: 10, transfer_id: expect.any(Number) },
    { ...none, payment_type: 'bank', amount: 20, counted_amount: 20, transfer_id: expect.any(Number) },
  ]);
  const shown = await call(`GET ${SALES}/${sale}`, { token });
  expect(shown.body).toMatchObject({ received_amount: 100, status: 'completed' });
  expect(JSON.stringify(shown.body)).not.toContain('first_transactions');
  expect(await idsOf(SALE_TENDERS, token, `filter[sale_id]=${sale}`)).toEqual([reply.number('id')]);
  expect(await idsOf(SALE_TENDERS, token, 'filter[sale_id]=999')).toEqual([]);
  const listed = await call(`GET ${SALE_TENDERS}?with[]=cashbox&with[]=creator.profile`, { token });
  expect(listed.body).toMatchObject({ data: [{ ...Object(reply.body), cashbox: { id: shop.cashboxId } }] });
  const { rows } = await downloadSheet(`${SALE_TENDERS}?format=excel`, token);
  expect(rows.flat()).toEqual(expect.arrayContaining([-90, 70, 20]));
  expect(await faultsOf(shop)).toEqual([]);
});

test('a correction may follow a correction, also back (Part 5, 5A.8, 3)', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100 });
  for (const sums of [{ card: 100 }, { bank: 100 }, { cash: 100 }, { cash: 1, card: 99 }])
    expect((await correctTo(shop, sale, sums)).status).toBe(200);
  expect(await moneyAt(shop)).toEqual([1, 99, 0]);
  const { body } = await call(`GET ${SALE_TENDERS}?sort[]=id`, { token: shop.token });
  expect(Object(body).data.map((row: { before: unknown }) => row.before)).toEqual(
    [{ cash: 100 }, { card: 100 }, { bank: 100 }, { cash: 100 }].map(paymentsBy),
  );
  expect(await faultsOf(shop)).toEqual([]);
});

test('debt and bonuses stay, and the money alone adds up (Part 5, 5A.8, 2)', async () => {
  const shop = await newWaterShop();
  const client_id = await addClient(shop);
  await giveBonuses(shop, client_id, 1000);
  const ways = { cash: 50, debt: 30, bonus: 10 };
  const sale = await sellBy(shop, ways, { client_id, due_date: '2099-01-31' });
  const errors = await errorsOf(`PATCH ${SALES}/${sale}/tender`, shop.token, {
    transactions: paymentsBy({ card: 90 }),
  });
  expect(errors).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 50 } }),
  });
  expect((await correctTo(shop, sale, { card: 50 })).status).toBe(200);
  const paid: { payment_type: string; amount: number }[] = await paymentsOf(shop, sale);
  expect(paid.map(({ payment_type, amount }) => [payment_type, amount])).toEqual([
    ['card', 50],
    ['debt', 30],
    ['bonus', 10],
  ]);
});

test('all that is wrong with a body is told: types, doubles, sums, too little at the desk (Part 5, 5A.8, 2)', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100 });
  const request = `PATCH ${SALES}/${sale}/tender`;
  const errors = (transactions: unknown) => errorsOf(request, shop.token, { transactions });
  expect(await errorsOf(request, shop.token, {})).toEqual({ transactions: REQUIRED });
  expect(
    Object.keys(
      await errors([...paymentsBy({ debt: 1 }), { payment_type: 'cash', amount: 0, tendered_amount: 5 }]),
    ).sort(),
  ).toEqual(['transactions.0.payment_type', 'transactions.1.amount', 'transactions.1.tendered_amount']);
  expect(Object.keys(await errors([...paymentsBy({ card: 50 }), ...paymentsBy({ card: 50 })]))).toEqual([
    'transactions.1.payment_type',
  ]);
  expect(await errors(paymentsBy({ cash: 100 }))).toEqual({
    transactions: translate('ru', { key: 'sale_tender.unchanged' }),
  });
  await addMoney(shop, { cash_uzs: -99_00 });
  expect(await errors(paymentsBy({ card: 100 }))).toEqual({
    transactions: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 1 } }),
  });
  await addMoney(shop, { cash_uzs: 99_00 });
  const company = `PUT /admin/company/company/${shop.companyId}`;
  const json = { name: 'Savdo', has_bank_payment_type: false };
  await call(company, { token: await newSuperAdministrator(), json });
  expect(await errors(paymentsBy({ card: 50, bank: 50 }))).toEqual({
    'transactions.1.payment_type': translate('ru', { key: 'sale.bank_not_taken' }),
  });
  expect(await idsOf(SALE_TENDERS, shop.token)).toEqual([]);
});

test('only while the shift of the cheque is open; the shift tells of it by source and by type (Part 5, 5A.8, 2)', async () => {
  const shop = await newWaterShop();
  await enableShifts(shop);
  const shift = await beginShift(shop);
  const sale = await sellBy(shop, { cash: 100 });
  expect((await correctTo(shop, sale, { card: 60, cash: 40 })).status).toBe(200);
  const { summary } = await endShift(shop, shift);
  const moved = summary.transactions.filter(({ source_type }) => source_type === 'sale_tender');
  expect(moved).toMatchObject([
    { payment_type: 'cash', type: 'outcome', count: 1, amount: 60 },
    { payment_type: 'card', type: 'income', count: 1, amount: 60 },
  ]);
  expect(summary.rows).toMatchObject([
    { payment_type: 'cash', income: 100, outcome: 60, expected: 40 },
    { payment_type: 'card', income: 60, outcome: 0, expected: 60 },
  ]);
  expect(await correctTo(shop, sale, { cash: 100 })).toMatchObject(errorWith('sale_tender.shift_closed'));
  await beginShift(shop);
  expect(await correctTo(shop, sale, { cash: 100 })).toMatchObject(errorWith('sale_tender.shift_closed'));
  expect(await faultsOf(shop)).toEqual([]);
});

test('`sales` counts it in by_payment_type at the desk, under the cheque’s creator (Part 5, 5A.8, 3)', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100, card: 5 });
  await updateReportRollups(shop);
  const rights = ['company.trade.sale.tender'];
  const token = await newEmployee(shop, rights, { cashbox_ids: [shop.cashboxId] });
  expect((await correctTo({ ...shop, token }, sale, { card: 35, bank: 70 })).status).toBe(200);
  const by_payment_type = { cash: 0, card: 35, bank: 70, bonus: 0, debt: 0, exchange: 0 };
  const expected = { sales_count: 1, sold_amount: 105, by_payment_type };
  for (const [group, key] of [
    ['cashbox', shop.cashboxId],
    ['creator', shop.directorId],
    ['company', shop.companyId],
  ] as const)
    for (const _ of ['before the rollups have it', 'after']) {
      const { data, totals } = await readReport(shop.token, `sales?${lastDays(1)}&group=${group}`);
      expect(data).toMatchObject([{ key, ...expected }]);
      expect(totals).toMatchObject([expected]);
      await updateReportRollups(shop);
    }
  expect(await faultsOf(shop)).toEqual([]);
});

test('returns pay out against the corrected cheque, and prints show it (Part 5, 5A.8, 3)', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100 });
  expect((await correctTo(shop, sale, { card: 100 })).status).toBe(200);
  const print = await call(`GET ${SALES}/${sale}/check-detail`, { token: shop.token });
  expect(JSON.stringify(print.body)).toContain('card');
  const [line] = await linesOfSale(shop, sale);
  const products = [{ id: line?.id, reason_type: 'defective', returned_quantity: 100 }];
  const json = { products, transactions: paymentsBy({ card: 100 }) };
  expect((await sendReturn(shop, sale, json)).status).toBe(200);
  expect(await moneyAt(shop)).toEqual([0, 0, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('two corrections, a correction and a return, a correction and a close at once: the books add up', async () => {
  const shop = await newWaterShop();
  await enableShifts(shop);
  const opening_balances = [{ payment_type: 'cash', currency: 'uzs', amount: 500 }];
  const shift = await beginShift(shop, { opening_balances });
  const [first, second, third] = [
    await sellBy(shop, { cash: 100 }),
    await sellBy(shop, { cash: 100 }),
    await sellBy(shop, { cash: 100 }),
  ];
  const both = await Promise.all([
    correctTo(shop, first, { card: 100 }),
    correctTo(shop, first, { bank: 100 }),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const [line] = await linesOfSale(shop, second);
  const [corrected, returned] = await Promise.all([
    correctTo(shop, second, { card: 100 }),
    sendReturn(shop, second, back({ [line?.id ?? 0]: 100 }, 100)),
  ]);
  expect(returned.status).toBe(200);
  if (corrected.status !== 200) expect(corrected).toMatchObject(errorWith('sale_tender.returned'));
  const [late, closed] = await Promise.all([correctTo(shop, third, { card: 100 }), tryToClose(shop, shift)]);
  expect(closed.status).toBe(200);
  if (late.status !== 200) expect(late).toMatchObject({ status: 400 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('the same key corrects once; others neither see nor correct it (Part 5, 5A.8, 2)', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100 });
  const headers = { 'idempotency-key': 'one' };
  const first = await correctTo(shop, sale, { card: 100 }, headers);
  expect((await correctTo(shop, sale, { card: 100 }, headers)).body).toEqual(first.body);
  expect(await moneyAt(shop)).toEqual([0, 100, 0]);
  const stranger = (await newFamily()).director;
  expect((await correctTo({ ...shop, token: stranger }, sale, { cash: 100 })).status).toBe(404);
  expect(await idsOf(SALE_TENDERS, stranger)).toEqual([]);
  const elsewhere = await newEmployee(shop, ['company.trade.sale.*']);
  expect((await correctTo({ ...shop, token: elsewhere }, sale, { cash: 100 })).status).toBe(404);
  expect(await idsOf(SALE_TENDERS, elsewhere)).toEqual([]);
  const without = await newEmployee(shop, ['company.trade.sale.store'], { cashbox_ids: [shop.cashboxId] });
  expect((await correctTo({ ...shop, token: without }, sale, { cash: 100 })).status).toBe(403);
});

test('copies have corrections, and the cheque as corrected (Part 5, 5.0 (4))', async () => {
  const shop = await newWaterShop();
  const sale = await sellBy(shop, { cash: 100 });
  await correctTo(shop, sale, { card: 100 });
  const types = ['trade.sale', 'trade.sale.tender'] as const;
  const copy = await new SyncReader(shop.token, { types }).catchUp();
  await expectAsListed(copy, shop.token, types);
  expect(copy.of('trade.sale.tender')).toMatchObject([{ sale_id: sale, after: paymentsBy({ card: 100 }) }]);
  expect(copy.of('trade.sale')).toMatchObject([{ transactions: [{ payment_type: 'card' }] }]);
});
