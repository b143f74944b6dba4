import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dayOf, monthsAfter } from '#lib/values/time.ts';
import { daysFromNow, depositTo, setTariff, TARIFFS, tariffOf, terms } from '#tests/support/billing.ts';
import { operator } from '#tests/support/external.ts';
import { newEmployee, newFamily, newFamilyWithBranch, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const today = dayOf(Date.now());
const nextMonth = monthsAfter(today, 1);

test('a tariff without a trial charges the first month at once (Contract 9.66)', async () => {
  const { companyId, director } = await newFamily();
  const set = await setTariff(companyId);
  expect(set).toMatchObject({ status: 200, body: { company_id: companyId, ...terms(), balance: -100_000 } });
  expect(await tariffOf(director)).toEqual({
    client: { full_name: 'Savdo', inn: null, agreement_number: null, agreement_date: null, phone: null },
    status: 'active',
    is_blocked: false,
    block_at: `${daysFromNow(5)} 00:00:00`,
    block_scheduled: true,
    billing_period: 'monthly',
    pending_billing_period: null,
    pending_billing_period_at: null,
    balance: -100_000,
    debt: 100_000,
    due_now: 100_000,
    amount_to_pay: 200_000,
    recommended_payment: {
      amount: 200_000,
      current_period_amount: 100_000,
      next_period_amount: 100_000,
      next_period_starts_at: nextMonth,
      is_prorated: false,
    },
    monthly_total: 100_000,
    yearly_total: 1_200_000,
    period_total: 100_000,
    days_until_next_charge: (Date.parse(nextMonth) - Date.parse(today)) / 86_400_000,
    next_payment_at: nextMonth,
    trial_ends_at: null,
    breakdown: [{ title: 'Savdo', amount: 100_000, is_filial: false }],
  });
});

test('a trial charges nothing until it ends, and next_payment_at is its end (Contract 9.66)', async () => {
  const { companyId, director } = await newFamily();
  const trial_ends_at = daysFromNow(14);
  await setTariff(companyId, { trial_ends_at });
  expect(await tariffOf(director)).toMatchObject({
    status: 'trial',
    is_blocked: false,
    block_at: null,
    block_scheduled: false,
    balance: 0,
    due_now: 0,
    amount_to_pay: 100_000,
    recommended_payment: { amount: 100_000, current_period_amount: 0, next_period_starts_at: trial_ends_at },
    days_until_next_charge: 14,
    next_payment_at: trial_ends_at,
    trial_ends_at,
  });
});

test('periods that began long ago are charged one by one, however late (Contract 9.55)', async () => {
  const { companyId, director } = await newFamily();
  const began = monthsAfter(today, -2);
  await setTariff(companyId, { trial_ends_at: began, grace_days: 365 });
  expect(await tariffOf(director)).toMatchObject({
    status: 'active',
    balance: -300_000,
    debt: 300_000,
    block_scheduled: true,
  });
  // Reading it again charges no period twice.
  expect(await tariffOf(director)).toMatchObject({ balance: -300_000 });
});

test('a branch works under the tariff of its main company and costs its own price', async () => {
  const { companyId, director, branch, branchDirector } = await newFamilyWithBranch();
  await setTariff(companyId);
  const seen = await tariffOf(director);
  expect(seen).toMatchObject({
    balance: -140_000,
    monthly_total: 140_000,
    breakdown: [
      { amount: 100_000, is_filial: false },
      { title: 'Savdo', amount: 40_000, is_filial: true },
    ],
  });
  expect(await tariffOf(branchDirector)).toEqual(seen);
  const token = await operator();
  expect((await call(`GET ${TARIFFS}/${branch}`, { token })).body).toMatchObject({ company_id: companyId });
  expect(await setTariff(branch)).toMatchObject({ status: 400, body: { code: 'tariff.of_branch' } });
  expect(await depositTo(branch, 1)).toMatchObject({ status: 400, body: { code: 'tariff.of_branch' } });
});

test('without a tariff a company gets an empty object, an administrator 404', async () => {
  const { companyId, director } = await newFamily();
  expect(await call('GET /company/tariff', { token: director })).toMatchObject({ status: 200, body: {} });
  const token = await operator();
  expect((await call(`GET ${TARIFFS}/${companyId}`, { token })).status).toBe(404);
  expect((await depositTo(companyId, 1)).status).toBe(404);
  expect((await call(`GET ${TARIFFS}/999999999`, { token })).status).toBe(404);
});

test('a year costs twelve months; a changed period waits for next_payment_at (Contract 9.54)', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId, { prices: { main: 100.25, branch: 0 } });
  const deferred = await setTariff(companyId, {
    prices: { main: 100.25, branch: 0 },
    billing_period: 'yearly',
  });
  expect(deferred.body).toMatchObject({
    billing_period: 'monthly',
    pending_billing_period: 'yearly',
    pending_billing_period_at: nextMonth,
    balance: -100.25,
    yearly_total: 1203,
    period_total: 100.25,
    recommended_payment: { current_period_amount: 100.25, next_period_amount: 1203, amount: 1303.25 },
  });
  await setTariff(companyId, { prices: { main: 100.25, branch: 0 } });
  expect(await tariffOf(director)).toMatchObject({
    pending_billing_period: null,
    pending_billing_period_at: null,
  });
});

test('terms change for a caller who has seen the latest, whatever was paid since (Contract 1)', async () => {
  const { companyId } = await newFamily();
  await setTariff(companyId);
  const path = `${TARIFFS}/${companyId}`;
  const token = await operator();
  const seen = await call(`GET ${path}`, { token });
  await depositTo(companyId, 100_000);
  const headers = { 'if-match': seen.headers.get('etag') ?? '' };
  const put = async () => (await call(`PUT ${path}`, { token, json: terms(), headers })).status;
  expect(await put()).toBe(200);
  expect(await put()).toBe(412);
});

test('new prices are those of the charges to come', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId);
  await setTariff(companyId, { prices: { main: 150_000, branch: 0 } });
  expect(await tariffOf(director)).toMatchObject({ balance: -100_000, monthly_total: 150_000 });
});

test('a deposit changes the balance, below zero too (Contract 9.54)', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId);
  expect(await depositTo(companyId, 250_000.5)).toMatchObject({ status: 200, body: { balance: 150_000.5 } });
  expect(await tariffOf(director)).toMatchObject({
    debt: 0,
    due_now: 0,
    block_at: null,
    recommended_payment: { amount: 0, current_period_amount: 0, next_period_amount: 0 },
  });
  expect((await depositTo(companyId, -100_000.5)).body).toMatchObject({ balance: 50_000 });
  expect(await tariffOf(director)).toMatchObject({ amount_to_pay: 50_000 });
});

test('a deposit that is sent twice with one key is made once', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await depositTo(companyId, 1000, headers);
  const again = await depositTo(companyId, 1000, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect((await depositTo(companyId, 2000, headers)).status).toBe(409);
  expect(await tariffOf(director)).toMatchObject({ balance: -99_000 });
});

test('deposits at once are all made', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId);
  const replies = await Promise.all(Array.from({ length: 8 }, () => depositTo(companyId, 1000)));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await tariffOf(director)).toMatchObject({ balance: -92_000 });
});

test('wrong terms and deposits are 422 on their fields', async () => {
  const { companyId } = await newFamily();
  const token = await operator();
  const put = (json: object) => errorsOf(`PUT ${TARIFFS}/${companyId}`, token, json);
  expect(Object.keys(await put({})).sort()).toEqual(['billing_period', 'grace_days', 'prices']);
  expect(
    Object.keys(
      await put(terms({ prices: { main: -1, branch: 0.001 }, billing_period: 'weekly', grace_days: 1.5 })),
    ).sort(),
  ).toEqual(['billing_period', 'grace_days', 'prices.branch', 'prices.main']);
  expect(await put(terms({ trial_ends_at: '2026-02-30' }))).toHaveProperty('trial_ends_at');
  expect(await put(terms({ trial_ends_at: '1999-01-01' }))).toHaveProperty('trial_ends_at');
  expect(await put(terms({ unheard: 1 }))).toHaveProperty('unheard');
  await setTariff(companyId);
  const post = (json: object) => errorsOf(`POST ${TARIFFS}/${companyId}/deposit`, token, json);
  expect(await post({})).toHaveProperty('amount');
  expect(await post({ amount: 0 })).toHaveProperty('amount');
  expect(await post({ amount: 0.001 })).toHaveProperty('amount');
  await depositTo(companyId, 999_999_999_999.99);
  expect(await post({ amount: 200_000 })).toHaveProperty('amount');
});

test('an administrator reaches the tariffs of the companies open to them', async () => {
  const [own, other] = await Promise.all([newFamily(), newFamily()]);
  await Promise.all([setTariff(own.companyId), setTariff(other.companyId)]);
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.billing.*'] });
  const scope = { are_all_companies_available: false, responsibility_ids: [own.companyId] };
  const { token } = await insertUser({ type: 'admin', role_id, ...scope });
  const status = async (request: string, json?: object) =>
    (await call(request, { token, ...(json && { json }) })).status;
  expect(await status(`GET ${TARIFFS}/${own.companyId}`)).toBe(200);
  expect(await status(`GET ${TARIFFS}/${other.companyId}`)).toBe(404);
  expect(await status(`PUT ${TARIFFS}/${other.companyId}`, terms())).toBe(404);
  expect(await status(`POST ${TARIFFS}/${other.companyId}/deposit`, { amount: 1 })).toBe(404);
});

test('the tariff is shown with the right company.tariff.show (Contract 9.54)', async () => {
  const family = await newFamily();
  const token = await newEmployee(family, ['company.tariff.show']);
  expect((await call('GET /company/tariff', { token })).status).toBe(200);
});
