import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, addToClient } from '#tests/support/clients.ts';
import { debtOf, lend, newWater, payDebt, refundDebt } from '#tests/support/debts.ts';
import { newEmployee, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { cashOf, newShop, type Shop } from '#tests/support/shop.ts';

const DEBTS = '/company/client/debt';
const OPEN = `POST ${DEBTS}`;
const PAST = translate('ru', { key: 'validation.in_past' });

const opening = (client_id: number, given: object = {}) => ({
  ...{ client_id, currency: 'uzs', amount: 100, due_date: '2020-02-29', comment: 'Из тетради' },
  ...given,
});

function postpone({ director: token }: Pick<Shop, 'director'>, id: number, json: object) {
  return call(`PATCH ${DEBTS}/${id}/due-date`, { token, json });
}

async function newScene() {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  return { shop, client, water };
}

test('an opening debt has no sale, moves no money, and is paid as any (Part 5, 5A.7, 1)', async () => {
  const { shop, client } = await newScene();
  const made = await call(OPEN, { token: shop.director, json: opening(client) });
  const id = made.number('id');
  expect(made).toMatchObject({
    status: 200,
    body: {
      ...{ client_id: client, company_id: shop.companyId, creator_id: shop.directorId },
      ...{ sale_id: null, source_type: 'opening', status: 'not_repaid', comment: 'Из тетради' },
      ...{ amount: 100, repaid_amount: 0, written_off_amount: 0, remaining_amount: 100 },
      ...{ due_date: '2020-02-29 23:59:59', by_currency: { uzs: { remaining_amount: 100 } } },
    },
  });
  expect(await cashOf(shop)).toBe(0);
  expect(await payDebt(shop, client, { cash: 30 })).toMatchObject([{ debt_id: id, amount: 30 }]);
  const [rest] = await payDebt(shop, client, { card: 70 });
  expect(await debtOf(shop, id)).toMatchObject({ status: 'repaid', remaining_amount: 0 });
  expect((await refundDebt(shop, rest?.id ?? 0)).status).toBe(200);
  expect(await debtOf(shop, id)).toMatchObject({ status: 'partially_repaid', remaining_amount: 70 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a debt of a sale says so (Part 5, 5A.7, 1)', async () => {
  const { shop, client, water } = await newScene();
  const sale_id = await lend(shop, { client, water, amount: 5 });
  const [id = 0] = await idsOf(DEBTS, shop.director);
  expect(await debtOf(shop, id)).toMatchObject({ sale_id, source_type: 'sale', due_dates: [] });
});

test('an opening debt may pass the client’s limit, and counts in it (Part 5, 5A.7, 1)', async () => {
  const { shop, client } = await newScene();
  const token = shop.director;
  const form = { full_name: 'Aziz', main_phone: '998901112233', debt_limits: { uzs: 50 } };
  await call(`PUT /company/client/client/${client}`, { token, json: form });
  expect((await call(OPEN, { token, json: opening(client, { amount: 40 }) })).status).toBe(200);
  expect((await call(`GET /company/client/client/${client}`, { token })).body).toMatchObject({
    debt_left: { uzs: 10 },
  });
  expect((await call(OPEN, { token, json: opening(client) })).status).toBe(200);
});

test('an opening debt tells all failing fields at once (Part 5, 5A.7)', async () => {
  const { shop, client } = await newScene();
  const token = shop.director;
  expect(await errorsOf(OPEN, token, opening(999, { company_id: 999 }))).toEqual({
    client_id: NOT_FOUND,
    company_id: NOT_FOUND,
  });
  expect(Object.keys(await errorsOf(OPEN, token, { client_id: client, comment: ' ', is_new: true }))).toEqual(
    ['currency', 'amount', 'due_date', 'comment', 'is_new'],
  );
  expect(await errorsOf(OPEN, token, opening(client, { comment: '' }))).toEqual({ comment: REQUIRED });
  await addToClient(shop, client, { debt_uzs: 99_999_999_999_999 });
  expect(Object.keys(await errorsOf(OPEN, token, opening(client)))).toEqual(['amount']);
});

test('an opening debt is of any company that is open to the caller (Part 5, 5A.7)', async () => {
  const { branch, branchDirector, director, companyId } = await newFamilyWithBranch();
  const client = await make('/company/client/client', director, {
    full_name: 'Aziz',
    main_phone: '998901112233',
  });
  const made = await call(OPEN, { token: director, json: opening(client, { company_id: branch }) });
  expect(made.body).toMatchObject({ company_id: branch });
  const path = `${DEBTS}/${made.number('id')}`;
  expect((await call(`GET ${path}`, { token: branchDirector })).status).toBe(200);
  expect(await errorsOf(OPEN, branchDirector, opening(client, { company_id: companyId }))).toEqual({
    company_id: NOT_FOUND,
  });
  const own = await make(DEBTS, director, opening(client));
  const due = { token: branchDirector, json: { due_date: '2099-01-01' } };
  expect((await call(`PATCH ${DEBTS}/${own}/due-date`, due)).status).toBe(404);
  expect((await call(`PATCH ${DEBTS}/${own}/write-off`, { ...due, json: { comment: 'x' } })).status).toBe(
    404,
  );
});

test('debts are paid in the order of their due dates from then on (Part 5, 5A.7, 2)', async () => {
  const { shop, client, water } = await newScene();
  await lend(shop, { client, water, amount: 10, due: '2099-01-31' });
  await lend(shop, { client, water, amount: 10, due: '2099-02-28' });
  const old = await make(DEBTS, shop.director, opening(client, { amount: 1, due_date: '1960-01-01' }));
  const older = await make(DEBTS, shop.director, opening(client, { amount: 2, due_date: '1950-01-01' }));
  const [first = 0, second = 0] = await idsOf(DEBTS, shop.director);
  const moved = await postpone(shop, first, { due_date: '2099-03-31', comment: 'Просил' });
  expect(moved.body).toMatchObject({ id: first, due_date: '2099-03-31 23:59:59', status: 'not_repaid' });
  expect(await payDebt(shop, client, { cash: 14 })).toMatchObject([
    { debt_id: older, amount: 2 },
    { debt_id: old, amount: 1 },
    { debt_id: second, amount: 10 },
    { debt_id: first, amount: 1 },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a debt has the changes of its due date, the newest first and at most 50 (Part 5, 5A.7, 2)', async () => {
  const { shop, client } = await newScene();
  const token = shop.director;
  const id = await make(DEBTS, token, opening(client));
  const today = dayOf(Date.now());
  const first = await postpone(shop, id, { due_date: today, comment: 'Раз' });
  const change = { creator_id: shop.directorId, created_at: expect.any(String) };
  const [before, then] = ['2020-02-29 23:59:59', `${today} 23:59:59`];
  expect(first.body).toMatchObject({
    due_dates: [{ previous: before, due_date: then, comment: 'Раз', ...change }],
  });
  await postpone(shop, id, { due_date: today });
  expect(Object(await debtOf(shop, id))['due_dates']).toEqual([
    { previous: then, due_date: then, comment: null, ...change },
    { previous: before, due_date: then, comment: 'Раз', ...change },
  ]);
  for (let day = 1; day <= 50; day++) await postpone(shop, id, { due_date: daysAfter(today, day) });
  const { due_dates } = Object(await debtOf(shop, id));
  expect(due_dates).toHaveLength(50);
  expect(due_dates[0]).toMatchObject({ due_date: `${daysAfter(today, 50)} 23:59:59` });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a due date in the past is 422, one of a debt with nothing left 400 (Part 5, 5A.7, 2)', async () => {
  const { shop, client } = await newScene();
  const id = await make(DEBTS, shop.director, opening(client));
  const yesterday = daysAfter(dayOf(Date.now()), -1);
  expect(await errorsOf(`PATCH ${DEBTS}/${id}/due-date`, shop.director, { due_date: yesterday })).toEqual({
    due_date: PAST,
  });
  await payDebt(shop, client, { cash: 100 });
  expect(await postpone(shop, id, { due_date: '2099-01-01' })).toMatchObject(errorWith('debt.nothing_left'));
});

test('a due date and a payment at the same moment leave one open debt or none (Part 5, 5A.7, 2)', async () => {
  const { shop, client } = await newScene();
  for (let round = 1; round <= 5; round++) {
    const id = await make(DEBTS, shop.director, opening(client));
    const [moved] = await Promise.all([
      postpone(shop, id, { due_date: `2099-01-0${round}` }),
      payDebt(shop, client, { cash: 100 }),
    ]);
    expect([200, 400]).toContain(moved.status);
    expect(await debtOf(shop, id)).toMatchObject({ status: 'repaid' });
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('a debt that has changed since the caller saw it is 412', async () => {
  const { shop, client } = await newScene();
  const id = await make(DEBTS, shop.director, opening(client));
  const given = { token: shop.director, headers: { 'if-match': '"9"' } };
  const json = { due_date: '2099-01-01', comment: 'x' };
  expect((await call(`PATCH ${DEBTS}/${id}/due-date`, { ...given, json })).status).toBe(412);
  expect((await call(`PATCH ${DEBTS}/${id}/write-off`, { ...given, json: { comment: 'x' } })).status).toBe(
    412,
  );
});

test('each call about a debt needs its right (Part 5, 5A.7)', async () => {
  const { shop, client } = await newScene();
  const id = await make(DEBTS, shop.director, opening(client));
  const token = await newEmployee(shop, ['company.client.debt.store']);
  expect((await call(OPEN, { token, json: opening(client) })).status).toBe(200);
  const json = { due_date: '2099-01-01', comment: 'x' };
  for (const path of ['due-date', 'write-off']) {
    expect((await call(`PATCH ${DEBTS}/${id}/${path}`, { token, json })).status).toBe(403);
  }
});
