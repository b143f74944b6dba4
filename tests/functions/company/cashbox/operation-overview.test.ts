import { expect, test } from 'vitest';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { directorAs, newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  cancelOf,
  collectFromTill,
  confirmOf,
  newIdOf,
  newTill,
  OPERATIONS,
  operate,
  reverseOf,
  type Till,
} from '#tests/support/operations.ts';
import { make, REQUIRED } from '#tests/support/records.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { newGoods, sellOne } from '#tests/support/shop.ts';

const DESKS = '/company/cashbox/cashbox';
const DAY_MS = 86_400_000;

async function statsOf({ token }: Pick<Till, 'token'>, query = '') {
  const { status, body } = await call(`GET ${OPERATIONS}/stats?${query}`, { token });
  expect(status).toBe(200);
  return body;
}

/** Creates an operation a number of days ago. */
function operateBefore(till: Till, days: number, type: 'income' | 'outcome', amount: number) {
  const money = { cashbox_id: till.cashboxId, type, payment_type: 'cash', currency: 'uzs', amount };
  const input = OperationInput.parse({ ...money, reason_id: till[type] });
  const actor = directorAs(till.directorId, till.companyId);
  return moveByReason(actor, input, Date.now() - days * DAY_MS, () => []);
}

const block = (uzs: number, usd = 0) => ({ uzs, usd });

test('stats are what moved today at all sale desks of the user, what they began with and have', async () => {
  const till = await newTill();
  await operateBefore(till, 1, 'income', 1000);
  const product = await newGoods(till, [{ quantity: 10, cost: 1 }]);
  await sellOne(till, product, 1, 5000);
  await operate(till, 'outcome', 250.5);
  const other = await make(DESKS, till.token, { name: 'Desk 2', type: 'sale' });
  await operate(till, 'income', 30, { cashbox_id: other, currency: 'usd', payment_type: 'card' });
  await operate(till, 'income', 2, { cashbox_id: other, currency: 'usd', payment_type: 'bank' });
  await operate(till, 'income', 7, { cashbox_id: other, currency: 'eur' });
  await operate(till, 'income', 999, { cashbox_id: till.mainId });
  const none = block(0);
  expect(await statsOf(till)).toEqual({
    income: { cash: block(5000), non_cash: block(0, 32) },
    outcome: { cash: block(250.5), non_cash: none },
    opening: { cash: block(1000) },
    balance: { cash: block(5749.5), non_cash: block(0, 32) },
    balances: ['cash', 'card', 'bank'].flatMap((payment_type) =>
      ['uzs', 'usd', 'eur', 'rub'].map((currency) => {
        const sums = new Map(
          Object.entries({ 'cash uzs': 5749.5, 'cash eur': 7, 'card usd': 30, 'bank usd': 2 }),
        );
        return { payment_type, currency, amount: sums.get(`${payment_type} ${currency}`) ?? 0 };
      }),
    ),
  });
  expect(await statsOf(till, `filter[cashbox_id]=${other}`)).toMatchObject({
    income: { cash: none, non_cash: block(0, 32) },
    opening: { cash: none },
  });
  expect(await statsOf(till, `filter[company_id]=${till.companyId}`)).toMatchObject({
    income: { cash: block(5000) },
  });
  const branch = await newCompany(till.companyId);
  expect(await statsOf(till, `filter[company_id]=${branch}`)).toMatchObject({ balance: { cash: none } });
  expect((await call(`GET ${OPERATIONS}/stats?filter[currency]=uzs`, { token: till.token })).status).toBe(
    422,
  );
});

test('stats count no canceled, reversed or reversing operation, and what is on hold once it is confirmed (Contract 9.38)', async () => {
  const till = await newTill();
  await operateBefore(till, 1, 'income', 1000);
  const [canceled, reversed] = [
    newIdOf(await operate(till, 'outcome', 10)),
    newIdOf(await operate(till, 'outcome', 20)),
  ];
  expect(await statsOf(till)).toMatchObject({ outcome: { cash: block(30) } });
  await cancelOf(till, canceled);
  await reverseOf(till, reversed);
  const quiet = { income: { cash: block(0) }, outcome: { cash: block(0) }, opening: { cash: block(1000) } };
  expect(await statsOf(till)).toMatchObject({ ...quiet, balance: { cash: block(1000) } });
  const collection = newIdOf(await collectFromTill(till, 400));
  expect(await statsOf(till)).toMatchObject({ ...quiet, balance: { cash: block(600) } });
  await confirmOf(till, collection);
  expect(await statsOf(till)).toMatchObject({ outcome: { cash: block(400) }, balance: { cash: block(600) } });
  await reverseOf(till, 1);
  expect(await statsOf(till)).toMatchObject({ income: { cash: block(0) }, outcome: { cash: block(400) } });
});

test('an employee sees the desks open to them only', async () => {
  const till = await newTill(100);
  const other = await make(DESKS, till.token, { name: 'Desk 2', type: 'sale' });
  await operate(till, 'income', 50, { cashbox_id: other });
  const given = { are_all_companies_available: true, cashbox_ids: [other, till.mainId] };
  const token = await newEmployee(till, ['company.cashbox.operation.*'], given);
  expect(await statsOf({ token })).toMatchObject({ balance: { cash: block(50) } });
  expect((await call(`GET ${OPERATIONS}/cashboxes`, { token })).body).toEqual({
    data: [{ id: other, name: 'Desk 2', company: { id: till.companyId, name: 'Savdo' }, is_open: false }],
    is_shift_enabled: false,
  });
});

test('the sale desks of the user are listed with their company, and whether shifts are worked', async () => {
  const till = await newTill();
  const branch = await newCompany(till.companyId);
  const other = await make(DESKS, till.token, { name: 'Desk 2', type: 'sale', company_id: branch });
  const gone = await make(DESKS, till.token, { name: 'Desk 3', type: 'sale' });
  await call(`DELETE ${DESKS}/${gone}`, { token: till.token });
  await enableShifts(till);
  expect((await call(`GET ${OPERATIONS}/cashboxes`, { token: till.token })).body).toEqual({
    data: [
      { id: till.cashboxId, name: 'Desk 1', company: { id: till.companyId, name: 'Savdo' }, is_open: false },
      { id: other, name: 'Desk 2', company: { id: branch, name: 'Savdo' }, is_open: false },
    ],
    is_shift_enabled: true,
  });
});

test('items of a type are its leaves and groups without sub-items, in alphabetical order', async () => {
  const { director: token } = await newFamily();
  const item = (name: string, parent_id: number | null = null, type = 'outcome') =>
    make('/company/cashbox/reason', token, { type, name, parent_id });
  const group = await item('Связь');
  const phone = await item('Телефон', group);
  const inner = await item('Интернет', group);
  const sub = await item('Ёмкость канала', inner);
  const rent = await item('аренда');
  const gone = await item('Бензин');
  await item('Взнос', null, 'income');
  await call(`DELETE /company/cashbox/reason/${gone}`, { token });
  const reasons = (type: string, language = 'ru') =>
    call(`GET ${OPERATIONS}/reasons?type=${type}`, { token, headers: { 'accept-language': language } });
  expect((await reasons('outcome')).body).toEqual({
    data: [
      { id: rent, name: 'аренда', parent: null },
      { id: sub, name: 'Ёмкость канала', parent: { id: inner, name: 'Интернет' } },
      { id: phone, name: 'Телефон', parent: { id: group, name: 'Связь' } },
    ],
  });
  expect((await reasons('income')).body).toMatchObject({ data: [{ name: 'Взнос' }] });
  expect((await call(`GET ${OPERATIONS}/reasons`, { token })).body).toMatchObject({
    errors: { type: [REQUIRED] },
  });
  expect((await reasons('shift')).status).toBe(422);
});

test("items stand in the order of the caller's alphabet", async () => {
  const { director: token } = await newFamily();
  for (const name of ['Shakar', 'Suv', 'O‘tin', 'Pul', 'Oltin']) {
    await make('/company/cashbox/reason', token, { type: 'income', name });
  }
  const namesIn = async (language: string) => {
    const headers = { 'accept-language': language };
    const { body } = await call(`GET ${OPERATIONS}/reasons?type=income`, { token, headers });
    return JSON.stringify(body).match(/(?<="name":")[^"]+/g);
  };
  expect(await namesIn('ru')).toEqual(['O‘tin', 'Oltin', 'Pul', 'Shakar', 'Suv']);
  expect(await namesIn('oz')).toEqual(['Oltin', 'Pul', 'Suv', 'O‘tin', 'Shakar']);
});
