import { expect, test } from 'vitest';
import * as z from 'zod';
import { charge } from '#lib/billing/charge.ts';
import { dayOf, monthsAfter } from '#lib/values/time.ts';
import {
  daysFromNow,
  depositTo,
  newSubscriber,
  notify,
  setTariff,
  startByQr,
  TARIFFS,
  tariffOf,
  untilStatus,
} from '#tests/support/billing.ts';
import { operator } from '#tests/support/external.ts';
import { newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';

const OWN = '/company/tariff/statement';
const ofCompany = (id: number) => `${TARIFFS}/${id}/statement`;

const today = dayOf(Date.now());

const Entry = z.looseObject({ id: z.int(), type: z.string(), amount: z.number(), balance: z.number() });
const List = z.looseObject({ data: z.array(Entry), meta: z.looseObject({ total: z.int() }) });

async function read(path: string, token: string, query = '') {
  return List.parse((await call(`GET ${path}?${query}`, { token })).body).data;
}

async function idsAt(token: string, query: string): Promise<number[]> {
  return (await read(OWN, token, query)).map(({ id }) => id);
}

/** Creates a family that was charged a month today, paid 1000 by QR, and got 500.50 by hand. */
async function newPayer() {
  const family = await newSubscriber();
  const { external_id } = await startByQr(family.director);
  await notify({ external_id, amount: 1000 });
  await untilStatus(family.director, external_id, 'paid');
  await depositTo(family.companyId, 500.5);
  return { ...family, external_id };
}

test('the statement lists every charge, payment and deposit, the newest first (Part 5, 5A.11)', async () => {
  const { companyId, director, external_id } = await newPayer();
  const common = { period: null, lines: [], day: today, external_id: null, comment: null, creator_id: null };
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(await read(OWN, director)).toEqual([
    { ...common, id: 3, type: 'deposit', amount: 500.5, balance: -98_499.5, comment: 'By hand', created_at },
    { ...common, id: 2, type: 'payment', amount: 1000, balance: -99_000, external_id, created_at },
    {
      ...{ ...common, id: 1, type: 'charge', amount: -100_000, balance: -100_000, created_at },
      period: { from: today, to: monthsAfter(today, 1) },
      lines: [{ company_id: companyId, name: 'Savdo', amount: 100_000 }],
    },
  ]);
});

test('the administrator sees the same, and who made a deposit (Part 5, 5A.11)', async () => {
  const { companyId, director } = await newPayer();
  const own = await read(OWN, director);
  const seen = await read(ofCompany(companyId), await operator());
  expect(seen[0]?.['creator_id']).toEqual(expect.any(Number));
  expect(seen.map((entry) => ({ ...entry, creator_id: null }))).toEqual(own);
});

test('the sum is the balance of the tariff, also with charges that only this call makes (Part 5, 5A.11)', async () => {
  const { companyId, director } = await newSubscriber({ trial_ends_at: daysFromNow(1), grace_days: 365 });
  expect(await read(OWN, director)).toEqual([]);
  await setTariff(companyId, { trial_ends_at: daysFromNow(-65), grace_days: 365 });
  await depositTo(companyId, 0.01);
  await depositTo(companyId, -0.03);
  const entries = await read(OWN, director);
  expect(entries.map(({ type }) => type)).toEqual(['deposit', 'deposit', 'charge', 'charge', 'charge']);
  const sum = entries.reduce((total, { amount }) => total + Math.round(amount * 100), 0) / 100;
  expect(sum).toBe(-300_000.02);
  expect(entries[0]?.balance).toBe(sum);
  expect((await tariffOf(director)).balance).toBe(sum);
});

test('all there ever were are listed while charges are made at once (Part 5, 5A.11)', async () => {
  const { companyId, director } = await newSubscriber();
  const later = Date.now() + 100 * 86_400_000;
  await Promise.all([1, 2, 3].map(() => charge(companyId, later)));
  const entries = await read(OWN, director, 'page-size=200');
  expect(entries.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  expect(entries[0]?.balance).toBe(-400_000);
});

test('it is filtered by type, by a period of days and by id, sorted, and paged (Part 5, 5A.11)', async () => {
  const { director } = await newPayer();
  expect(await idsAt(director, 'filter[type]=payment')).toEqual([2]);
  expect(await idsAt(director, `filter[day][0]=${today}&filter[day][1]=${today}`)).toEqual([3, 2, 1]);
  expect(await idsAt(director, `filter[day][0]=${daysFromNow(1)}`)).toEqual([]);
  expect(await idsAt(director, `filter[day][1]=${daysFromNow(-1)}`)).toEqual([]);
  expect(await idsAt(director, 'filter[id][]=1&filter[id][]=3')).toEqual([3, 1]);
  expect(await idsAt(director, 'sort[]=id&page-size=2')).toEqual([1, 2]);
  expect(await idsAt(director, 'page-size=2&page=2')).toEqual([1]);
  const errors = await errorsIn(`${OWN}?filter[type]=refund&filter[day][0]=yesterday`, director);
  expect(Object.keys(Object(errors))).toEqual(['filter.type', 'filter.day.0']);
  const unknown = await errorsIn(`${OWN}?filter[kind]=charge`, director);
  expect(Object.keys(Object(unknown))).toEqual(['filter.kind']);
});

test('format=excel is all rows of the filters, in the language of the caller (Part 5, 5A.11)', async () => {
  const { companyId, director } = await newPayer();
  const { rows } = await downloadSheet(`${OWN}?format=excel&page-size=1`, director);
  expect(rows).toHaveLength(4);
  expect(rows[1]?.slice(0, 5)).toEqual([3, today, 'Пополнение вручную', 500.5, -98_499.5]);
  expect(rows[3]?.slice(5, 7)).toEqual([today, monthsAfter(today, 1)]);
  const filtered = `${ofCompany(companyId)}?format=excel&filter[type]=charge`;
  expect((await downloadSheet(filtered, await operator())).rows).toHaveLength(2);
});

test('a branch gets the statement of its main company (Part 5, 5A.11)', async () => {
  const { companyId, branch, branchDirector } = await newFamilyWithBranch();
  await setTariff(companyId);
  const lines = [
    { company_id: companyId, name: 'Savdo', amount: 100_000 },
    { company_id: branch, name: 'Savdo', amount: 40_000 },
  ];
  expect(await read(OWN, branchDirector)).toMatchObject([{ type: 'charge', amount: -140_000, lines }]);
  expect(await read(ofCompany(branch), await operator())).toMatchObject([{ amount: -140_000, lines }]);
});

test('without a tariff it is empty, and 404 for the administrator (Part 5, 5A.11)', async () => {
  const { companyId, director } = await newFamily();
  expect(await read(OWN, director)).toEqual([]);
  expect((await downloadSheet(`${OWN}?format=excel`, director)).rows).toHaveLength(1);
  const token = await operator();
  for (const query of ['', '?format=excel']) {
    expect((await call(`GET ${ofCompany(companyId)}${query}`, { token })).status).toBe(404);
  }
  expect((await call(`GET ${ofCompany(999_999_999)}`, { token })).status).toBe(404);
});

test('the statement needs its own right, and shows no other family (Part 5, 5A.11)', async () => {
  const { companyId, director, ...family } = await newPayer();
  const may = await newEmployee({ companyId }, ['company.tariff.statement']);
  const mayNot = await newEmployee({ companyId }, ['company.tariff.show']);
  expect(await read(OWN, may)).toHaveLength(3);
  expect((await call(`GET ${OWN}`, { token: mayNot })).status).toBe(403);
  const other = await newSubscriber();
  expect(await read(OWN, other.director)).toHaveLength(1);
  expect(family.external_id).toContain(`${companyId}-`);
});
