import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { supplierBalancesKey } from '#lib/stock/supplier/supplier.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import {
  mainDeskIn,
  newCompany,
  newEmployee,
  newFamily,
  newFamilyWithBranch,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, REQUIRED } from '#tests/support/records.ts';
import { beginShift, endShift, newShiftShop } from '#tests/support/shifts.ts';
import { newDepot, SUPPLIERS, supplierOperationsOf } from '#tests/support/write-offs.ts';

const CASH = { payment_type: 'cash', currency: 'uzs' };
const DESKS = '/company/cashbox/cashbox';
const COMMENT = { comment: 'Ошибка' };

/** Creates a family whose main desk has 100 sums that no document brought, and a supplier. */
async function newBuyer() {
  const family = await newFamilyWithBranch();
  const token = family.director;
  const cashbox_id = await mainDeskIn(family);
  const tenant = familyTenant(family.companyId);
  await transact([update(counterKey(DESK_MONEY, tenant, cashbox_id), { add: { cash_uzs: 100_00 } })]);
  const id = await make(SUPPLIERS, token, { name: 'Ферма' });
  return { ...family, token, tenant, cashbox_id, id, path: `${SUPPLIERS}/${id}` };
}

type Buyer = Awaited<ReturnType<typeof newBuyer>>;

function pay({ token, path, cashbox_id }: Buyer, given: object) {
  return make(`${path}/payment`, token, { cashbox_id, ...CASH, ...given });
}

function adjust({ token, path }: Buyer, given: object, headers = {}) {
  const json = { type: 'correction', currency: 'uzs', amount: 10, comment: 'Акт сверки', ...given };
  return call(`POST ${path}/adjustment`, { token, json, headers });
}

function reverse({ token, path }: Buyer, operation: unknown, headers = {}) {
  return call(`POST ${path}/operations/${operation}/reverse`, { token, json: COMMENT, headers });
}

async function standing({ token, path, cashbox_id }: Buyer) {
  const [supplier, desk] = await Promise.all([
    call(`GET ${path}`, { token }),
    call(`GET ${DESKS}/${cashbox_id}`, { token }),
  ]);
  return [supplier.number('balances.uzs'), desk.number('balances.cash.uzs')];
}

test('an income is money that the supplier pays back: what is owed to them grows by it (Part 5, 5A.3 (1))', async () => {
  const buyer = await newBuyer();
  const { token, id, cashbox_id } = buyer;
  await pay(buyer, { amount: 60 });
  const json = { cashbox_id, ...CASH, type: 'income', amount: 25.5 };
  const { status, body } = await call(`POST ${SUPPLIERS}/${id}/payment`, { token, json });
  expect(body).toMatchObject({ type: 'income', source_type: 'supplier', source_id: id, amount: 25.5 });
  expect(status).toBe(200);
  expect(await standing(buyer)).toEqual([-34.5, 65.5]);
  expect(await supplierOperationsOf(token, id)).toMatchObject([
    { type: 'payment', amount: -60 },
    { type: 'payment', amount: 25.5, source_type: 'transfer' },
  ]);
  const wrong = { cashbox_id, ...CASH, type: 'refund', amount: 1 };
  expect(await errorsOf(`POST ${SUPPLIERS}/${id}/payment`, token, wrong)).toHaveProperty('type');
  const filter = 'filter[source_type]=supplier&filter[type]=income';
  expect(await idsOf('/company/cashbox/operation', token, filter)).toHaveLength(1);
});

test('an adjustment is an operation of its type: above zero more is owed (Part 5, 5A.3 (2))', async () => {
  const buyer = await newBuyer();
  const { token, id, companyId, directorId } = buyer;
  const opening = await adjust(buyer, { type: 'opening', amount: 70 });
  expect(opening.body).toMatchObject({
    type: 'opening',
    supplier_id: id,
    company_id: companyId,
    creator_id: directorId,
    currency: 'uzs',
    amount: 70,
    source_type: 'adjustment',
    source_id: opening.number('id'),
    comment: 'Акт сверки',
    reversal_id: null,
    reversal_of_id: null,
  });
  expect(opening.status).toBe(200);
  expect((await adjust(buyer, { amount: -30.25 })).body).toMatchObject({
    type: 'correction',
    amount: -30.25,
  });
  expect(await standing(buyer)).toEqual([39.75, 100]);
  expect(await idsOf(`${buyer.path}/operations`, token, 'filter[type]=opening')).toHaveLength(1);
});

test('an adjustment says what, how much and why, all failing fields at once', async () => {
  const { token, path } = await newBuyer();
  const request = `POST ${path}/adjustment`;
  const missing = { type: REQUIRED, currency: REQUIRED, amount: REQUIRED, comment: REQUIRED };
  expect(await errorsOf(request, token, {})).toEqual(missing);
  const wrong = { type: 'reversal', currency: 'xau', amount: 0, comment: ' ', hint: 1 };
  expect(Object.keys(await errorsOf(request, token, wrong)).sort()).toEqual(Object.keys(wrong).sort());
  const { director: stranger } = await newFamily();
  const json = { type: 'correction', currency: 'uzs', amount: 1, comment: 'Да' };
  expect((await call(request, { token: stranger, json })).status).toBe(404);
});

test('a second opening while the first has no reversal is 400, whatever is sent at once (Part 5, 5A.3 (2))', async () => {
  const buyer = await newBuyer();
  const open = (given: object = {}) => adjust(buyer, { type: 'opening', ...given });
  const replies = await Promise.all([open(), open(), open()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const made = replies.find(({ status }) => status === 200);
  expect(await open()).toMatchObject(errorWith('supplier.opened'));
  expect((await open({ currency: 'usd' })).status).toBe(200);
  expect((await reverse(buyer, made?.number('id'))).status).toBe(200);
  expect((await open({ amount: 3 })).status).toBe(200);
  expect(await open()).toMatchObject(errorWith('supplier.opened'));
  expect(await standing(buyer)).toEqual([3, 100]);
});

test('who reaches its company sees an adjustment (Part 5, 5A.3 (2))', async () => {
  const buyer = await newBuyer();
  const { token, companyId, path } = buyer;
  const branch = await newCompany(companyId);
  await pay(buyer, { amount: 5 });
  const correction = (await adjust(buyer, {})).number('id');
  const reversal = (await reverse(buyer, correction)).number('id');
  const rights = ['company.stock.supplier.operations', 'company.user.activity'];
  const here = await newEmployee(buyer, rights, {});
  const there = await newEmployee(buyer, rights, { company_id: branch });
  expect(await idsOf(`${path}/operations`, here)).toEqual([correction, reversal]);
  expect(await idsOf(`${path}/operations`, there)).toEqual([]);
  expect(await idsOf(`${path}/operations`, token)).toHaveLength(3);
});

test('payments and adjustments are reversed at any time: the money goes back at its desk (Part 5, 5A.3 (3))', async () => {
  const buyer = await newBuyer();
  const { token, id, path, cashbox_id } = buyer;
  const paid = await pay(buyer, { amount: 60, comment: 'Аванс' });
  const back = await pay(buyer, { type: 'income', amount: 10 });
  await adjust(buyer, { amount: -7 });
  const made = await supplierOperationsOf(token, id);
  for (const operation of made) {
    const { status, body } = await reverse(buyer, operation.id);
    expect(body).toMatchObject({
      type: 'reversal',
      amount: -operation.amount,
      reversal_of_id: operation.id,
      reversal_id: null,
      source_type: operation.source_type,
      source_id: operation.source_id,
      ...COMMENT,
    });
    expect(status).toBe(200);
  }
  expect(await standing(buyer)).toEqual([0, 100]);
  const [first] = await supplierOperationsOf(token, id);
  expect(first).toMatchObject({ amount: -60, reversal_id: expect.any(Number) });
  const postings = await call(`GET ${DESKS}/${cashbox_id}/transfers?sort[]=id`, { token });
  expect(postings.body).toMatchObject({
    data: [
      { id: paid, type: 'outcome', is_returned: true, comment: 'Аванс' },
      { id: back, type: 'income', is_returned: true },
      { type: 'income', amount: 60, reversal_of_id: paid, source_type: 'supplier', ...COMMENT },
      { type: 'outcome', amount: 10, reversal_of_id: back },
    ],
  });
  expect(await errorsOf(`POST ${path}/operations/${first?.id}/reverse`, token, {})).toEqual({
    comment: REQUIRED,
  });
});

test('a reversal, what has one, and what goods made are not reversed: 400 (Part 5, 5.0 (3); 5A.3 (3))', async () => {
  const buyer = await newBuyer();
  const { token } = buyer;
  const correction = (await adjust(buyer, {})).number('id');
  const replies = await Promise.all([1, 2, 3].map(() => reverse(buyer, correction)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const reversal = replies.find(({ status }) => status === 200)?.number('id');
  expect(await reverse(buyer, correction)).toMatchObject(errorWith('reversal.already_reversed'));
  expect(await reverse(buyer, reversal)).toMatchObject(errorWith('reversal.is_reversal'));
  const other = { ...buyer, path: `${SUPPLIERS}/${await make(SUPPLIERS, token, { name: 'Другой' })}` };
  expect((await reverse(other, correction)).status).toBe(404);
  const depot = await newDepot(1);
  const [receipt] = await supplierOperationsOf(depot.token, depot.supplierId);
  const path = `${SUPPLIERS}/${depot.supplierId}`;
  const ofGoods = await reverse({ ...buyer, token: depot.token, path }, receipt?.id);
  expect(ofGoods).toMatchObject(errorWith('supplier.operation_not_reversible'));
});

test('return and cancel of a supplier’s transfer stay 400 (Part 5, 5A.3 (3))', async () => {
  const buyer = await newBuyer();
  const { token } = buyer;
  const income = await pay(buyer, { type: 'income', amount: 10 });
  const operation = `/company/cashbox/operation/${income}`;
  expect(await call(`PATCH ${operation}/return`, { token })).toMatchObject(errorWith('operation.not_manual'));
  const json = { cancel_comment: 'Нет' };
  const canceled = await call(`PATCH ${operation}/cancel`, { token, json });
  expect(canceled).toMatchObject(errorWith('operation.not_manual'));
});

test('a gone supplier, desk or company, and money that is gone, are 400 (Part 5, 5.0 (3))', async () => {
  const buyer = await newBuyer();
  const { token, id, tenant, path, cashbox_id } = buyer;
  await pay(buyer, { type: 'income', amount: 10 });
  const [income] = await supplierOperationsOf(token, id);
  await pay(buyer, { amount: 105 });
  const poor = await reverse(buyer, income?.id);
  expect(poor).toMatchObject({ status: 400, body: { code: 'cashbox.not_enough_money' } });
  expect(await standing(buyer)).toEqual([-95, 5]);

  await transact([update(counterKey(DESK_MONEY, tenant, cashbox_id), { add: { cash_uzs: 100_00 } })]);
  await adjust(buyer, { amount: 95 });
  expect((await call(`DELETE ${path}`, { token })).status).toBe(200);
  expect(await reverse(buyer, income?.id)).toMatchObject(errorWith('supplier.gone'));
  await call(`DELETE ${path}/restore`, { token });

  const most = 99_999_999_999_999;
  await transact([update(supplierBalancesKey(tenant, id), { add: { uzs: 5 - most } })]);
  const tooMuch = await reverse(buyer, income?.id);
  expect(tooMuch).toMatchObject({ status: 400, body: { code: 'balance.too_large' } });

  const desk = await make(DESKS, token, { name: 'Вторая', type: 'main', company_id: buyer.companyId }).catch(
    () => undefined,
  );
  expect(desk === undefined || desk > 0).toBe(true);
});

test('the money of a reversal goes back in the shift of now, and needs one (Part 5, 5.0 (3))', async () => {
  const shop = await newShiftShop();
  const token = shop.director;
  const shift = await beginShift(shop, { opening_balances: [{ currency: 'uzs', amount: 50 }] }).catch(() =>
    beginShift(shop),
  );
  const id = await make(SUPPLIERS, token, { name: 'Ферма' });
  const buyer = { token, path: `${SUPPLIERS}/${id}`, cashbox_id: shop.cashboxId };
  const income = { cashbox_id: shop.cashboxId, ...CASH, type: 'income', amount: 12 };
  await make(`${SUPPLIERS}/${id}/payment`, token, income);
  await endShift(shop, shift);
  const [operation] = await supplierOperationsOf(token, id);
  const send = () => call(`POST ${buyer.path}/operations/${operation?.id}/reverse`, { token, json: COMMENT });
  expect(await send()).toMatchObject(errorWith('shift.required'));
  const next = await beginShift(shop);
  expect((await send()).status).toBe(200);
  const { summary } = await endShift(shop, next);
  expect(summary.transactions).toContainEqual(
    expect.objectContaining({ source_type: 'supplier', type: 'outcome', amount: 12 }),
  );
  expect((await readBooks(shop.companyId)).violations).toEqual([]);
});

test('adjustments and reversals are made once for an Idempotency-Key (Part 5, 5.0 (1))', async () => {
  const buyer = await newBuyer();
  const once = () => adjust(buyer, {}, { 'Idempotency-Key': 'adjust' });
  const [first, second] = [await once(), await once()];
  expect(second.body).toEqual(first.body);
  const undo = () => reverse(buyer, first.number('id'), { 'Idempotency-Key': 'reverse' });
  const [done, again] = [await undo(), await undo()];
  expect(again.body).toEqual(done.body);
  expect(await standing(buyer)).toEqual([0, 100]);
});

test('a supplier has payment_days, 0..365 or null (Part 5, 5A.3 (4))', async () => {
  const { token, path, id } = await newBuyer();
  expect((await call(`GET ${path}`, { token })).body).toMatchObject({ payment_days: null });
  const put = (payment_days: unknown) =>
    call(`PUT ${path}`, { token, json: { name: 'Ферма', phone: null, payment_days } });
  expect((await put(14)).body).toMatchObject({ id, payment_days: 14 });
  expect((await put(null)).body).toMatchObject({ payment_days: null });
  for (const wrong of [-1, 366, 1.5]) expect((await put(wrong)).status).toBe(422);
});
