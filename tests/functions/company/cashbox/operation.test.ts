import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  cancelOf,
  newIdOf,
  newIdsOf,
  newTill,
  OPERATIONS,
  operate,
  postingsAt,
  reverseOf,
  tillMoneyOf,
} from '#tests/support/operations.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { addMoney } from '#tests/support/shop.ts';

test('an income comes into the desk, an expense goes out of it, each with the balances after it', async () => {
  const till = await newTill(100);
  const spent = await operate(till, 'outcome', 30.25, { comment: ' За июнь ' });
  expect(spent.status).toBe(200);
  expect(spent.body).toMatchObject({
    company_id: till.companyId,
    cashbox_id: till.cashboxId,
    creator_id: till.directorId,
    type: 'outcome',
    payment_type: 'cash',
    currency: 'uzs',
    amount: 30.25,
    status: 'completed',
    source_type: 'reason',
    source_id: till.outcome,
    source_data: [],
    additional: { balances_after: { cash: { uzs: '69.75' }, card: { uzs: '0.00' } }, on_hold_after: [] },
    reversal_of_id: null,
    is_returned: false,
    cancel_comment: null,
    contract_number: null,
    source: null,
    comment: 'За июнь',
    cashbox: { id: till.cashboxId, name: 'Desk 1', type: 'sale', is_deleted: false },
  });
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(69.75);
  const bank = { payment_type: 'bank', currency: 'eur', cashbox_id: till.mainId };
  const income = newIdOf(await operate(till, 'income', 5, bank));
  expect(await tillMoneyOf(till, till.mainId, 'bank', 'eur')).toBe(5);
  const { body: listed } = await call(`GET ${OPERATIONS}?with[]=source&sort[]=id`, { token: till.token });
  expect(listed).toMatchObject({
    data: [
      { source: { name: 'Взнос', type: 'income' } },
      { id: newIdOf(spent), source: { name: 'Аренда' } },
      { id: income },
    ],
  });
});

test('an operation names its desk, type, money, amount and item; all errors are reported at once', async () => {
  const till = await newTill();
  const request = `POST ${OPERATIONS}`;
  const fields = ['cashbox_id', 'type', 'payment_type', 'currency', 'amount', 'reason_id'];
  expect(await errorsOf(request, till.token, {})).toEqual(
    Object.fromEntries(fields.map((field) => [field, REQUIRED])),
  );
  const json = { type: 'outcome', payment_type: 'cash', currency: 'uzs', amount: 1 };
  const nowhere = { ...json, cashbox_id: 99, reason_id: 99 };
  expect(await errorsOf(request, till.token, nowhere)).toEqual({
    cashbox_id: NOT_FOUND,
    reason_id: NOT_FOUND,
  });
  const crossed = { ...json, cashbox_id: till.cashboxId, reason_id: till.income };
  expect(await errorsOf(request, till.token, crossed)).toEqual({
    reason_id: translate('ru', { key: 'operation.reason_of_other_type' }),
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 0 } }),
  });
  for (const amount of [0, 0.005, 1.005, -1, 1_000_000_000_000]) {
    const wrong = { ...crossed, reason_id: till.outcome, amount };
    expect(Object.keys(await errorsOf(request, till.token, wrong))).toEqual(['amount']);
  }
  expect(Object.keys(await errorsOf(request, till.token, { ...crossed, comment: 'x'.repeat(1001) }))).toEqual(
    ['comment'],
  );
});

test("an expense above the desk's money is 422 on amount, and so is an income above its bound (Contract 9.68)", async () => {
  const till = await newTill(999_999_999_999.99);
  const errors = { message: expect.any(String), errors: { amount: [expect.any(String)] } };
  expect(await operate(till, 'income', 0.01)).toMatchObject({ status: 422, body: errors });
  expect(await operate(till, 'outcome', 0.01, { currency: 'usd' })).toMatchObject({
    status: 422,
    body: errors,
  });
  const replies = await Promise.all([1, 2, 3].map(() => operate(till, 'outcome', 400_000_000_000)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
});

test('a deleted item is no reason any more', async () => {
  const till = await newTill(10);
  await call(`DELETE /company/cashbox/reason/${till.outcome}`, { token: till.token });
  expect(await operate(till, 'outcome', 1)).toMatchObject({
    status: 422,
    body: { errors: { reason_id: [NOT_FOUND] } },
  });
});

test('a return makes a reversing posting, and marks the original as returned (Contract 9.37)', async () => {
  const till = await newTill(100);
  const spent = newIdOf(await operate(till, 'outcome', 40));
  const { status, body } = await reverseOf(till, spent);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type: 'income',
    amount: 40,
    payment_type: 'cash',
    currency: 'uzs',
    status: 'completed',
    source_type: 'reason',
    source_id: till.outcome,
    reversal_of_id: spent,
    cashbox: { id: till.cashboxId },
    additional: { balances_after: { cash: { uzs: '100.00' } } },
  });
  const [, original, reversal] = await postingsAt(till, till.cashboxId);
  expect(original).toMatchObject({
    id: spent,
    status: 'completed',
    is_returned: true,
    reversal_id: reversal?.id,
  });
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
});

test('what is returned, or reverses, is returned and canceled no more: 400', async () => {
  const till = await newTill();
  const income = newIdOf(await operate(till, 'income', 100));
  const reversal = newIdOf(await reverseOf(till, income));
  expect(await reverseOf(till, income)).toMatchObject(errorWith('operation.already_returned'));
  expect(await cancelOf(till, income)).toMatchObject(errorWith('operation.already_returned'));
  expect(await reverseOf(till, reversal)).toMatchObject(errorWith('operation.is_reversal'));
  expect(await cancelOf(till, reversal)).toMatchObject(errorWith('operation.is_reversal'));
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(0);
});

test('an income that is spent is neither returned nor canceled: 400', async () => {
  const till = await newTill();
  const income = newIdOf(await operate(till, 'income', 100));
  await operate(till, 'outcome', 60);
  const refusal = errorWith('cashbox.not_enough_money', { available: 40 });
  expect(await reverseOf(till, income)).toMatchObject(refusal);
  expect(await cancelOf(till, income)).toMatchObject(refusal);
  expect(await postingsAt(till, till.cashboxId)).toMatchObject([{ is_returned: false }, {}]);
});

test('an expense is not taken back into a desk that would have too much by it: 400', async () => {
  const till = await newTill();
  await addMoney(till, { cash_uzs: 99_999_999_999_999 });
  const spent = newIdOf(await operate(till, 'outcome', 5));
  await operate(till, 'income', 5);
  const body = { message: translate('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } }) };
  expect(await cancelOf(till, spent)).toMatchObject({ status: 400, body });
  expect(await reverseOf(till, spent)).toMatchObject({ status: 400, body });
});

test('a cancel brings the money back and keeps its comment; the posting does not count any more', async () => {
  const till = await newTill(100);
  const spent = newIdOf(await operate(till, 'outcome', 40));
  expect(await errorsOf(`PATCH ${OPERATIONS}/${spent}/cancel`, till.token, {})).toEqual({
    cancel_comment: REQUIRED,
  });
  const long = await errorsOf(`PATCH ${OPERATIONS}/${spent}/cancel`, till.token, {
    cancel_comment: 'x'.repeat(1001),
  });
  expect(Object.keys(long)).toEqual(['cancel_comment']);
  expect(await cancelOf(till, spent, 'Не та касса')).toMatchObject({
    status: 200,
    body: { message: 'Успешно' },
  });
  expect(await postingsAt(till, till.cashboxId)).toMatchObject([
    { status: 'completed' },
    { id: spent, status: 'canceled', cancel_comment: 'Не та касса', canceled_by_id: till.directorId },
  ]);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
  expect(await cancelOf(till, spent)).toMatchObject(errorWith('operation.already_canceled'));
  expect(await reverseOf(till, spent)).toMatchObject(errorWith('operation.already_canceled'));
  expect(await idsOf(OPERATIONS, till.token, 'filter[status]=canceled')).toEqual([spent]);
});

test('a conversion takes one currency out and brings another in, as one operation (Contract 9.42, 9.63)', async () => {
  const till = await newTill(13_000);
  const json = {
    cashbox_id: till.cashboxId,
    payment_type: 'cash',
    from_currency: 'uzs',
    from_amount: 12_700.5,
    to_currency: 'usd',
    to_amount: 1,
    comment: 'Обмен',
  };
  const converted = await call(`POST ${OPERATIONS}/conversion`, { token: till.token, json });
  expect(converted.status).toBe(200);
  const [out = 0, into = 0] = newIdsOf(converted);
  const sides = {
    source_type: 'conversion',
    source_id: out,
    comment: 'Обмен',
    cashbox: { id: till.cashboxId },
  };
  expect(converted.body).toMatchObject({
    data: [
      {
        type: 'outcome',
        currency: 'uzs',
        amount: 12_700.5,
        source_data: { transfer_id: into },
        ...sides,
      },
      { type: 'income', currency: 'usd', amount: 1, source_data: { transfer_id: out }, ...sides },
    ],
  });
  expect(await tillMoneyOf(till, till.cashboxId, 'cash', 'usd')).toBe(1);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(299.5);
  const request = `POST ${OPERATIONS}/conversion`;
  const wrong = { ...json, to_currency: 'uzs' };
  expect(await errorsOf(request, till.token, wrong)).toEqual({
    to_currency: translate('ru', { key: 'operation.same_currency' }),
    from_amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 299.5 } }),
  });
  expect(await errorsOf(request, till.token, { ...json, cashbox_id: 99 })).toEqual({ cashbox_id: NOT_FOUND });
  for (const id of [out, into]) {
    expect(await reverseOf(till, id)).toMatchObject(errorWith('operation.not_manual'));
    expect(await cancelOf(till, id)).toMatchObject(errorWith('operation.not_manual'));
  }
});

test('money is moved between desks that are open to the caller (Contract 9.42, 9.63)', async () => {
  const till = await newTill(100);
  const request = `POST ${OPERATIONS}/transfer`;
  const json = {
    from_cashbox_id: till.cashboxId,
    to_cashbox_id: till.mainId,
    payment_type: 'cash',
    currency: 'uzs',
    amount: 70,
  };
  const reply = await call(request, { token: till.token, json });
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: [
        { type: 'outcome', cashbox_id: till.cashboxId, source_type: 'transfer', cashbox: { type: 'sale' } },
        { type: 'income', cashbox_id: till.mainId, source_type: 'transfer', cashbox: { type: 'main' } },
      ],
    },
  });
  const [out, into] = newIdsOf(reply);
  expect(await postingsAt(till, till.mainId)).toMatchObject([
    { id: into, source_id: out, source_data: { transfer_id: out, cashbox_id: till.cashboxId } },
  ]);
  expect([await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, till.mainId)]).toEqual([30, 70]);
  expect(await errorsOf(request, till.token, json)).toEqual({
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 30 } }),
  });
  expect(await errorsOf(request, till.token, { ...json, to_cashbox_id: till.cashboxId })).toEqual({
    to_cashbox_id: translate('ru', { key: 'operation.same_cashbox' }),
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 30 } }),
  });
  expect(await errorsOf(request, till.token, { ...json, from_cashbox_id: 98, to_cashbox_id: 99 })).toEqual({
    from_cashbox_id: NOT_FOUND,
    to_cashbox_id: NOT_FOUND,
  });
  expect(await reverseOf(till, out ?? 0)).toMatchObject(errorWith('operation.not_manual'));
  const { body } = await call(`GET ${OPERATIONS}?filter[source_type]=transfer&with[]=source`, {
    token: till.token,
  });
  expect(body).toMatchObject({
    meta: { total: 2 },
    data: [{ source: { id: out } }, { source: { id: out } }],
  });
});

test('only desks open to the caller are moved, returned and canceled at', async () => {
  const till = await newTill();
  const income = newIdOf(await operate(till, 'income', 100));
  const rights = ['company.cashbox.operation.*'];
  const given = { are_all_companies_available: true, cashbox_ids: [till.mainId] };
  const { director: stranger } = await newFamily();
  for (const token of [await newEmployee(till, rights, given), stranger]) {
    const other = { ...till, token };
    expect(await operate(other, 'income', 1)).toMatchObject({ status: 422 });
    expect((await reverseOf(other, income)).status).toBe(404);
    expect((await cancelOf(other, income)).status).toBe(404);
  }
});

test('at a desk that is deleted, or has gone to another company, nothing is taken back: 400', async () => {
  const till = await newTill(100);
  const spent = newIdOf(await operate(till, 'outcome', 100));
  const desk = `/company/cashbox/cashbox/${till.cashboxId}`;
  const company_id = await newCompany(till.companyId);
  const json = { name: 'Desk 1', type: 'sale', company_id };
  expect((await call(`PUT ${desk}`, { token: till.token, json })).status).toBe(200);
  expect(await reverseOf(till, spent)).toMatchObject(errorWith('operation.cashbox_gone'));
  await call(`DELETE ${desk}`, { token: till.token });
  expect(await cancelOf(till, spent)).toMatchObject(errorWith('operation.cashbox_gone'));
});

test('a repeated operation is answered again and made once', async () => {
  const till = await newTill(100);
  const spent = newIdOf(await operate(till, 'outcome', 10));
  const desks = { from_cashbox_id: till.cashboxId, to_cashbox_id: till.mainId };
  const money = { payment_type: 'cash', currency: 'uzs', amount: 10 };
  const kinds = { from_currency: 'uzs', from_amount: 10, to_currency: 'usd', to_amount: 1 };
  const manual = { type: 'outcome', reason_id: till.outcome, cashbox_id: till.cashboxId };
  const operations: [string, object][] = [
    [`POST ${OPERATIONS}`, { ...manual, ...money }],
    [`POST ${OPERATIONS}/conversion`, { cashbox_id: till.cashboxId, payment_type: 'cash', ...kinds }],
    [`POST ${OPERATIONS}/transfer`, { ...desks, ...money }],
    [`PATCH ${OPERATIONS}/${spent}/return`, {}],
  ];
  for (const [index, [request, json]] of operations.entries()) {
    const headers = { 'Idempotency-Key': `operation-${index}` };
    const send = () => call(request, { token: till.token, json, headers });
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  }
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(70);
  const headers = { 'Idempotency-Key': 'cancel' };
  const last = newIdOf(await operate(till, 'outcome', 5));
  const cancel = () =>
    call(`PATCH ${OPERATIONS}/${last}/cancel`, { token: till.token, json: { cancel_comment: 'x' }, headers });
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200]);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(70);
});

test('two returns at once, or a return and a cancel, take back once', async () => {
  const till = await newTill(1000);
  for (const other of [reverseOf, cancelOf]) {
    const spent = newIdOf(await operate(till, 'outcome', 100));
    const replies = await Promise.all([reverseOf(till, spent), other(till, spent)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await tillMoneyOf(till, till.cashboxId)).toBe(1000);
  }
});

test('moves that cross at once neither lose nor make money', async () => {
  const till = await newTill(100);
  const other = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  await operate(till, 'income', 100, { cashbox_id: other });
  const move = (from_cashbox_id: number, to_cashbox_id: number) =>
    call(`POST ${OPERATIONS}/transfer`, {
      token: till.token,
      json: { from_cashbox_id, to_cashbox_id, payment_type: 'cash', currency: 'uzs', amount: 60 },
    });
  const there = () => move(till.cashboxId, other);
  const back = () => move(other, till.cashboxId);
  const replies = await Promise.all([there(), back(), there(), back()]);
  expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
  const sums = [await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, other)];
  expect(sums.reduce((sum = 0, each = 0) => sum + each, 0)).toBe(200);
});
