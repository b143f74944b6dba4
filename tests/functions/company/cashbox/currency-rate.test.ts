import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { newCompany, newEmployee, newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call, formOf } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { insertUser } from '#tests/support/users.ts';

const RATES = '/company/cashbox/currency-rate';

const Rate = z.object({
  id: z.int(),
  company_id: z.int(),
  currency: z.string(),
  rate: z.number(),
  is_sale: z.boolean(),
});
const Rates = z.array(Rate);
const Listed = z.object({ data: Rates });
const Settings = z.object({
  rows: Rates,
  sale_currency: z.string(),
  last_updated_at: z.string().nullable(),
});

let family: Family;
let token: string;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
});

async function settings(by = token) {
  return Settings.parse((await call(`GET ${RATES}/settings`, { token: by })).body);
}

async function listed(query = '', by = token) {
  return Listed.parse((await call(`GET ${RATES}?${query}`, { token: by })).body).data;
}

async function idOf(currency: string, company = family.companyId) {
  const rows = await listed(`filter[company_id]=${company}`);
  return rows.find((row) => row.currency === currency)?.id ?? 0;
}

async function change(currency: string, rate: unknown, company = family.companyId) {
  return call(`PUT ${RATES}/${await idOf(currency, company)}`, { token, json: { rate } });
}

async function branchDirector(company: number) {
  return (await insertUser({ type: 'director', company_id: company, family_id: family.companyId })).token;
}

test('a company has a rate of every currency from the start, and sells in sums, which are always 1', async () => {
  const { rows, sale_currency, last_updated_at } = await settings();
  const first = rows[0]?.id ?? 0;
  expect(rows.map(({ id, currency, is_sale }) => [id, currency, is_sale])).toEqual([
    [first, 'uzs', true],
    [first + 1, 'usd', false],
    [first + 2, 'eur', false],
    [first + 3, 'rub', false],
  ]);
  expect(rows[0]).toMatchObject({ rate: 1, company_id: family.companyId });
  expect(rows.every(({ rate }) => rate > 0)).toBe(true);
  expect([sale_currency, last_updated_at]).toEqual(['uzs', null]);
});

test('a branch begins with the rates of its main company', async () => {
  await change('usd', 13_001.5);
  const branch = await newCompany(family.companyId);
  expect((await listed(`filter[company_id]=${branch}`))[1]).toMatchObject({
    currency: 'usd',
    rate: 13_001.5,
  });
});

test('a rate is changed by JSON and by a form, to two decimals and down to zero', async () => {
  expect(await change('usd', 12_700.25)).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  const form = formOf({ rate: '0' });
  expect((await call(`POST ${RATES}/${await idOf('rub')}?_method=PUT`, { token, form })).status).toBe(200);
  const { rows, last_updated_at } = await settings();
  expect(rows.map(({ rate }) => rate)).toEqual([1, 12_700.25, 13_700, 0]);
  expect(last_updated_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('one rate is answered with all of its company', async () => {
  const branch = await newCompany(family.companyId);
  const { body } = await call(`GET ${RATES}/${await idOf('eur', branch)}`, { token });
  expect(Settings.parse(body).rows.map(({ company_id }) => company_id)).toEqual(Array(4).fill(branch));
});

test('the rate of the sum cannot change', async () => {
  expect(await change('uzs', 2)).toMatchObject({
    status: 422,
    body: { errors: { rate: ['Курс сума всегда равен 1.'] } },
  });
});

test.each([[undefined], [-1], [1.005], [1_000_000_000_000], ['x']])(
  '%s is no rate: 422 on rate',
  async (rate) => {
    expect(await change('usd', rate)).toMatchObject({
      status: 422,
      body: { errors: { rate: [expect.any(String)] } },
    });
  },
);

test('the list is of all companies open to the caller, the newest company first', async () => {
  const branch = await newCompany(family.companyId);
  const companies = async (query: string, by = token) => [
    ...new Set((await listed(query, by)).map(({ company_id }) => company_id)),
  ];
  expect(await companies('')).toEqual([branch, family.companyId]);
  expect(await companies('sort[]=-company_id')).toEqual([branch, family.companyId]);
  expect(await companies('sort[]=company_id')).toEqual([family.companyId, branch]);
  const own = { company_id: branch, family_id: family.companyId, are_all_companies_available: false };
  const narrow = (await insertUser({ type: 'director', ...own })).token;
  expect(await companies('', narrow)).toEqual([branch]);
  expect((await call(`GET ${RATES}/${await idOf('usd')}`, { token: narrow })).status).toBe(404);
});

test('the list has pages of up to 20, and embeds the company', async () => {
  const { body } = await call(`GET ${RATES}?page=2&page-size=3&with[]=company`, { token });
  expect(body).toMatchObject({
    data: [{ currency: 'rub', company: { id: family.companyId } }],
    meta: { total: 4, last_page: 2, from: 4, to: 4 },
  });
  expect((await listed())[0]).not.toHaveProperty('company');
  const unknown = ['page-size=21', 'filter[rate]=1', 'sort[]=id', 'with[]=creator', 'show[]=with-deleted'];
  for (const query of unknown) {
    expect((await call(`GET ${RATES}?${query}`, { token })).status).toBe(422);
  }
});

test('the rates of a branch that is deleted are gone', async () => {
  const branch = await newCompany(family.companyId);
  const rate = await idOf('usd', branch);
  const administrator = await newSuperAdministrator();
  const removed = await call(`DELETE /admin/company/company/${branch}`, { token: administrator });
  expect(removed.status).toBe(200);
  expect(await listed(`filter[company_id]=${branch}`)).toEqual([]);
  expect((await call(`GET ${RATES}/${rate}`, { token })).status).toBe(404);
  expect((await call(`PUT ${RATES}/${rate}`, { token, json: { rate: 5 } })).status).toBe(404);
});

test('a branch sees the rates of the main company, and takes them over', async () => {
  const branch = await newCompany(family.companyId);
  const director = await branchDirector(branch);
  await change('usd', 12_800);
  const { body } = await call(`GET ${RATES}/show-main`, { token: director });
  expect(Rates.parse(body)[1]).toMatchObject({ company_id: family.companyId, rate: 12_800 });

  const form = formOf({ sale_currency: 'usd' });
  await call(`POST ${RATES}/settings?_method=PATCH`, { token: director, form });
  expect((await settings(director)).rows[1]?.rate).toBe(12_650);
  const sync = await call(`POST ${RATES}/sync-with-main?_method=PATCH`, {
    token: director,
    form: formOf({}),
  });
  expect(sync).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  const after = await settings(director);
  expect(after).toMatchObject({ sale_currency: 'usd', last_updated_at: expect.any(String) });
  expect(after.rows[1]).toMatchObject({ rate: 12_800, is_sale: true });
});

test('a branch keeps its rate of the currency it sells in if the main company has none', async () => {
  const director = await branchDirector(await newCompany(family.companyId));
  await call(`PATCH ${RATES}/settings`, { token: director, json: { sale_currency: 'usd' } });
  for (const [currency, rate] of [['usd', 0] as const, ['eur', 0] as const]) await change(currency, rate);
  expect((await call(`PATCH ${RATES}/sync-with-main`, { token })).status).toBe(200);
  const rates = (await settings(director)).rows.map(({ rate }) => rate);
  expect(rates).toEqual([1, 12_650, 0, 135]);
});

test('only the companies open to the caller take the main rates over', async () => {
  const [one, other] = [await newCompany(family.companyId), await newCompany(family.companyId)];
  await change('eur', 14_000);
  const own = { company_id: one, family_id: family.companyId, are_all_companies_available: false };
  const { token: narrow } = await insertUser({ type: 'director', ...own });
  expect((await call(`PATCH ${RATES}/sync-with-main`, { token: narrow })).status).toBe(200);
  const eur = async (company: number) => (await listed(`filter[company_id]=${company}`))[2]?.rate;
  expect([await eur(one), await eur(other)]).toEqual([14_000, 13_700]);
});

test('the sale currency is one of the four, and one that has a rate', async () => {
  const patch = (json: object) => call(`PATCH ${RATES}/settings`, { token, json });
  expect(await patch({ sale_currency: 'eur' })).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  expect(await settings()).toMatchObject({ sale_currency: 'eur' });
  expect(await ratesOf(familyTenant(family.companyId), family.companyId)).toMatchObject({
    saleCurrency: 'eur',
    rates: { uzs: 100, usd: 1_265_000 },
  });
  for (const json of [{}, { sale_currency: 'gbp' }, { sale_currency: null }]) {
    expect(await patch(json)).toMatchObject({
      status: 422,
      body: { errors: { sale_currency: [expect.any(String)] } },
    });
  }
  await change('rub', 0);
  expect((await patch({ sale_currency: 'rub' })).body).toMatchObject({
    errors: { sale_currency: ['У компании нет курса валюты rub.'] },
  });
  expect((await change('eur', 0)).body).toMatchObject({ errors: { rate: [expect.any(String)] } });
});

test('the settings are open to those who make sales, who cannot change them', async () => {
  const cashier = await newEmployee(family, ['company.trade.sale.store']);
  expect((await settings(cashier)).sale_currency).toBe('uzs');
  const json = { sale_currency: 'usd' };
  expect((await call(`PATCH ${RATES}/settings`, { token: cashier, json })).status).toBe(403);
  const keeper = await newEmployee(family, ['company.cashbox.currency-rate.settings']);
  expect((await settings(keeper)).sale_currency).toBe('uzs');
  const other = await newEmployee(family, ['company.cashbox.currency-rate.index']);
  expect((await call(`GET ${RATES}/settings`, { token: other })).status).toBe(403);
});

test('another family has rates of its own and reaches no others', async () => {
  const id = await idOf('uzs', await newCompany(family.companyId));
  const other = await newFamily();
  expect((await listed('', other.director)).map(({ company_id }) => company_id)).toEqual(
    Array(4).fill(other.companyId),
  );
  expect((await call(`GET ${RATES}/${id}`, { token: other.director })).status).toBe(404);
  const put = await call(`PUT ${RATES}/${id}`, { token: other.director, json: { rate: 1 } });
  expect(put.status).toBe(404);
});

test('every change keeps the rate before it, who made it and when; no change keeps none', async () => {
  for (const rate of [12_700, 12_700, 12_800]) await change('usd', rate);
  const kept = await wholePartition(partition('currency-rate-history', familyTenant(family.companyId)));
  expect(kept).toMatchObject([
    {
      company_id: family.companyId,
      currency: 'usd',
      previous_rate: 1_265_000,
      rate: 1_270_000,
      creator_id: family.directorId,
      created_at: expect.any(Number),
    },
    { previous_rate: 1_270_000, rate: 1_280_000 },
  ]);
});

test('changes at once all count', async () => {
  const [usd, eur] = await Promise.all([idOf('usd'), idOf('eur')]);
  const replies = await Promise.all(
    [usd, eur].map((id) => call(`PUT ${RATES}/${id}`, { token, json: { rate: 5 } })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect((await settings()).rows.map(({ rate }) => rate)).toEqual([1, 5, 5, 135]);
});
