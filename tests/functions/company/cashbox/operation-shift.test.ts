import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';
import {
  cancelOf,
  collectFromTill,
  confirmOf,
  newIdOf,
  newTill,
  OPERATIONS,
  operate,
  postingsAt,
  reverseOf,
  type Till,
  tillMoneyOf,
} from '#tests/support/operations.ts';
import { errorWith, make } from '#tests/support/records.ts';
import { beginShift, enableShifts, endShift, SHIFTS } from '#tests/support/shifts.ts';

const cash = (amount: number) => ({ payment_type: 'cash', currency: 'uzs', amount });

function move({ token }: Till, from_cashbox_id: number, to_cashbox_id: number) {
  return call(`POST ${OPERATIONS}/transfer`, { token, json: { from_cashbox_id, to_cashbox_id, ...cash(1) } });
}

function convert({ token, cashboxId: cashbox_id }: Till) {
  const kinds = { from_currency: 'uzs', from_amount: 10, to_currency: 'usd', to_amount: 0.01 };
  return call(`POST ${OPERATIONS}/conversion`, {
    token,
    json: { cashbox_id, payment_type: 'cash', ...kinds },
  });
}

/** Returns the cash in sums of the open shift: expected, received and paid out. */
async function expected({ token }: Till) {
  const { body } = await call(`GET ${SHIFTS}/current`, { token });
  const [row] = Object(body).data.summary.rows;
  return [row.expected, row.income, row.outcome];
}

test('with shifts every movement of a sale desk needs its open shift, and belongs to it (Contract 9.44)', async () => {
  const till = await newTill();
  const { cashboxId, mainId } = till;
  const income = newIdOf(await operate(till, 'income', 100));
  await enableShifts(till);
  const refusal = errorWith('shift.required');
  expect(await operate(till, 'outcome', 1)).toMatchObject(refusal);
  expect(await reverseOf(till, income)).toMatchObject(refusal);
  expect(await cancelOf(till, income)).toMatchObject(refusal);
  expect(await convert(till)).toMatchObject(refusal);
  expect(await move(till, cashboxId, mainId)).toMatchObject(refusal);
  const shift_id = await beginShift(till);
  expect(await operate(till, 'outcome', 1)).toMatchObject({ status: 200, body: { shift_id } });
  expect(await convert(till)).toMatchObject({ body: { data: [{ shift_id }, { shift_id }] } });
  expect(await move(till, cashboxId, mainId)).toMatchObject({
    body: { data: [{ shift_id }, { shift_id: null }] },
  });
  expect(await operate(till, 'income', 5, { cashbox_id: mainId })).toMatchObject({
    status: 200,
    body: { shift_id: null },
  });
});

test('a move between two sale desks needs the shifts of both (Contract 9.44)', async () => {
  const till = await newTill(100);
  const other = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  await enableShifts(till);
  await beginShift(till);
  expect(await move(till, till.cashboxId, other)).toMatchObject(errorWith('shift.required'));
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
});

test('what a closed shift moved is neither returned nor canceled: 400', async () => {
  const till = await newTill(100);
  await enableShifts(till);
  const shift = await beginShift(till);
  const spent = newIdOf(await operate(till, 'outcome', 10));
  await endShift(till, shift);
  await beginShift(till);
  expect(await reverseOf(till, spent)).toMatchObject(errorWith('operation.shift_closed'));
  expect(await cancelOf(till, spent)).toMatchObject(errorWith('operation.shift_closed'));
});

test('a return belongs to the open shift, and a cancel leaves it as if nothing had been', async () => {
  const till = await newTill();
  const income = newIdOf(await operate(till, 'income', 100));
  const earlier = newIdOf(await operate(till, 'outcome', 30));
  await enableShifts(till);
  const shift_id = await beginShift(till);
  expect(await expected(till)).toEqual([70, 0, 0]);
  expect(await reverseOf(till, earlier)).toMatchObject({ body: { shift_id, amount: 30 } });
  expect(await expected(till)).toEqual([100, 30, 0]);
  const spent = newIdOf(await operate(till, 'outcome', 25));
  expect(await expected(till)).toEqual([75, 30, 25]);
  await cancelOf(till, spent);
  expect(await expected(till)).toEqual([100, 30, 0]);
  await cancelOf(till, income, 'До смен').then((reply) => expect(reply.status).toBe(200));
  expect(await expected(till)).toEqual([0, 30, 100]);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(0);
});

test('a desk with an open shift is not collected: 400; between shifts it is', async () => {
  const till = await newTill(100);
  await enableShifts(till);
  const shift = await beginShift(till);
  expect(await collectFromTill(till, 10)).toMatchObject(errorWith('collection.shift_open'));
  await endShift(till, shift);
  expect(await collectFromTill(till, 10)).toMatchObject({
    status: 200,
    body: { transactions_data: [{ shift_id: null }] },
  });
});

test("the collection of a close is confirmed and canceled as any; what comes back is the open shift's", async () => {
  const till = await newTill(100);
  await enableShifts(till);
  for (const [round, end] of [confirmOf, cancelOf].entries()) {
    const shift = await beginShift(till);
    const closed = await endShift(till, shift, {
      closing_action: 'transfer_part',
      leave_amounts: [{ currency: 'uzs', amount: 70 - 30 * round }],
    });
    const [posting] = (await postingsAt(till, till.cashboxId)).filter(({ status }) => status === 'on_hold');
    expect(posting).toMatchObject({ amount: 30, shift_id: shift });
    const next = await beginShift(till);
    const id = end === confirmOf ? closed.collection_id : posting?.id;
    expect((await end(till, id ?? 0)).status).toBe(200);
    expect(await expected(till)).toEqual(end === confirmOf ? [70, 0, 0] : [70, 30, 0]);
    await endShift(till, next);
  }
  expect([await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, till.mainId)]).toEqual([70, 30]);
});

test('with an open shift stats begin with what that opened with, its change included (Contract 9.38)', async () => {
  const till = await newTill(100);
  const stats = async () => (await call(`GET ${OPERATIONS}/stats`, { token: till.token })).body;
  const block = (uzs: number) => ({ cash: { uzs } });
  expect(await stats()).toMatchObject({ income: block(100), opening: block(0), balance: block(100) });
  await enableShifts(till);
  const shift = await beginShift(till, { opening_balances: [cash(20)] });
  expect(await stats()).toMatchObject({ income: block(100), opening: block(120), balance: block(120) });
  await operate(till, 'outcome', 50);
  expect(await stats()).toMatchObject({ outcome: block(50), opening: block(120), balance: block(70) });
  const { body } = await call(`GET ${OPERATIONS}/cashboxes`, { token: till.token });
  expect(body).toMatchObject({ data: [{ is_open: true }], is_shift_enabled: true });
  await endShift(till, shift);
  expect(await stats()).toMatchObject({ income: block(120), outcome: block(50), opening: block(0) });
});
