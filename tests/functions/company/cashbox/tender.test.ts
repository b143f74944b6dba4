import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { dayOf } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  cancelOf,
  newIdsOf,
  newTill,
  OPERATIONS,
  operate,
  reverseOf,
  type Till,
  tillMoneyOf,
} from '#tests/support/operations.ts';
import { errorsOf, errorWith, idsOf, NOT_FOUND } from '#tests/support/records.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';

const DAY = dayOf(Date.now());
const TODAY = `filter[date][0]=${DAY}&filter[date][1]=${DAY}`;

const MOVE = `POST ${OPERATIONS}/tender`;

/** Builds a body that moves money of the till's desk from cards to the bank. */
function settlement({ cashboxId: cashbox_id }: Till, given: object = {}): object {
  const types = { from_payment_type: 'card', to_payment_type: 'bank' };
  return { cashbox_id, currency: 'uzs', ...types, amount: 100, ...given };
}

/** Creates a till with 100 sums on cards. */
async function newCardTill(): Promise<Till> {
  const till = await newTill();
  await operate(till, 'income', 100, { payment_type: 'card' });
  return till;
}

function balancesOf(till: Till): Promise<(number | undefined)[]> {
  return Promise.all([
    tillMoneyOf(till, till.cashboxId, 'card'),
    tillMoneyOf(till, till.cashboxId, 'bank'),
    tillMoneyOf(till, till.cashboxId),
  ]);
}

test('money goes from one tender to another, and the fee is an expense of its item (Part 5, 5A.8, 1)', async () => {
  const till = await newCardTill();
  const fee = { amount: 1.5, reason_id: till.outcome };
  const json = settlement(till, { fee, comment: 'Терминал' });
  const reply = await call(MOVE, { token: till.token, json });
  const [out = 0, into = 0, cost = 0] = newIdsOf(reply);
  const both = { source_type: 'tender', source_id: out, amount: 100, comment: 'Терминал', currency: 'uzs' };
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: [
        { id: out, type: 'outcome', payment_type: 'card', ...both, source_data: { transfer_id: into } },
        { id: into, type: 'income', payment_type: 'bank', ...both, source_data: { transfer_id: out } },
        {
          ...{ id: cost, type: 'outcome', payment_type: 'bank', amount: 1.5, comment: 'Терминал' },
          ...{ source_type: 'reason', source_id: till.outcome, cashbox: { id: till.cashboxId } },
        },
      ],
    },
  });
  expect(await balancesOf(till)).toEqual([0, 98.5, 0]);
  expect(await idsOf(OPERATIONS, till.token, 'filter[source_type]=tender')).toEqual([out, into]);
  expect(await faultsOf(till)).toEqual([]);
});

test('the fee alone is returned or canceled (Part 5, 5A.8, 1)', async () => {
  const till = await newCardTill();
  const json = settlement(till, { fee: { amount: 1, reason_id: till.outcome } });
  const [out = 0, into = 0, cost = 0] = newIdsOf(await call(MOVE, { token: till.token, json }));
  for (const id of [out, into]) {
    expect(await reverseOf(till, id)).toMatchObject(errorWith('operation.not_manual'));
    expect(await cancelOf(till, id)).toMatchObject(errorWith('operation.not_manual'));
  }
  expect((await cancelOf(till, cost)).status).toBe(200);
  expect(await balancesOf(till)).toEqual([0, 100, 0]);
  expect(await faultsOf(till)).toEqual([]);
});

test('without a fee two transfers are answered, and the same key moves once (Part 5, 5A.8, 1)', async () => {
  const till = await newCardTill();
  const sent = { token: till.token, json: settlement(till), headers: { 'idempotency-key': 'one' } };
  const first = await call(MOVE, sent);
  expect(newIdsOf(first)).toHaveLength(2);
  expect((await call(MOVE, sent)).body).toEqual(first.body);
  expect(await balancesOf(till)).toEqual([0, 100, 0]);
});

test('equal types, a card, too little and a fee as large are told at once (Part 5, 5A.8, 1)', async () => {
  const till = await newCardTill();
  const errors = (given: object) => errorsOf(MOVE, till.token, settlement(till, given));
  expect(await errors({ to_payment_type: 'card' })).toEqual({
    to_payment_type: translate('ru', { key: 'operation.same_payment_type' }),
  });
  expect(await errors({ from_payment_type: 'cash', to_payment_type: 'card', amount: 1 })).toEqual({
    to_payment_type: translate('ru', { key: 'operation.to_card' }),
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 0 } }),
  });
  const fee = { amount: 200, reason_id: 999 };
  expect(await errors({ cashbox_id: 999, amount: 200, fee })).toEqual({
    cashbox_id: NOT_FOUND,
    'fee.reason_id': NOT_FOUND,
    'fee.amount': translate('ru', { key: 'validation.not_below', with: { max: 200 } }),
  });
  expect(await errors({ fee: { amount: 1, reason_id: till.income } })).toEqual({
    'fee.reason_id': translate('ru', { key: 'operation.reason_of_other_type' }),
  });
  expect(Object.keys(await errors({ amount: 0, fee: { amount: 1, reason_id: 1, tax: 1 } }))).toEqual([
    'amount',
    'fee.tax',
  ]);
  expect(await balancesOf(till)).toEqual([100, 0, 0]);
});

test('a fee needs the right to expenses (Part 5, 5A.8, 1)', async () => {
  const till = await newCardTill();
  const token = await newEmployee(till, ['company.cashbox.operation.tender'], {
    cashbox_ids: [till.cashboxId],
  });
  const fee = { amount: 1, reason_id: till.outcome };
  expect((await call(MOVE, { token, json: settlement(till, { fee, amount: 10 }) })).status).toBe(403);
  expect((await call(MOVE, { token, json: settlement(till, { amount: 10 }) })).status).toBe(200);
  const other = await newEmployee(till, ['company.cashbox.operation.store'], {
    cashbox_ids: [till.cashboxId],
  });
  expect((await call(MOVE, { token: other, json: settlement(till) })).status).toBe(403);
});

test('it needs an open shift, and is of its sources (Part 5, 5.0 (2))', async () => {
  const till = await newCardTill();
  await enableShifts(till);
  expect(await call(MOVE, { token: till.token, json: settlement(till) })).toMatchObject(
    errorWith('shift.required'),
  );
  const shift = await beginShift(till);
  await call(MOVE, { token: till.token, json: settlement(till, { amount: 60 }) });
  const { summary } = await endShift(till, shift);
  const rowOf = (payment_type: string) => summary.rows.find((row) => row.payment_type === payment_type);
  expect(rowOf('card')).toMatchObject({ by_source: [{ source_type: 'tender', income: 0, outcome: 60 }] });
  expect(rowOf('bank')).toMatchObject({ by_source: [{ source_type: 'tender', income: 60, outcome: 0 }] });
  expect(await faultsOf(till)).toEqual([]);
});

test('it is in the report of cash (Part 5, 5.0 (2))', async () => {
  const till = await newCardTill();
  await call(MOVE, { token: till.token, json: settlement(till, { amount: 60 }) });
  const { body } = await call(`GET /company/report/cash?group=cashbox&${TODAY}`, { token: till.token });
  expect(body).toMatchObject({
    data: [
      { payment_type: 'card', income: 100, outcome: 60, closing: 40 },
      { payment_type: 'bank', income: 60, outcome: 0, closing: 60 },
    ],
  });
});

test('of two at once that take more than there is one is refused', async () => {
  const till = await newCardTill();
  const sent = { token: till.token, json: settlement(till, { amount: 60 }) };
  const both = await Promise.all([call(MOVE, sent), call(MOVE, sent)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await balancesOf(till)).toEqual([40, 60, 0]);
});
