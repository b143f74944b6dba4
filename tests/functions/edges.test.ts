import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '#lib/auth/rights.ts';
import { localeOf } from '#lib/http/wire/accept.ts';
import { translate } from '#lib/values/message.ts';
import { normalizeText } from '#lib/values/text.ts';
import { dayOf, endOfDay, startOfDay } from '#lib/values/time.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, TAKEN } from '#tests/support/records.ts';

const BRANDS = '/company/product/brand';
const SUPPLIERS = '/company/stock/supplier';
const CLIENTS = '/company/client/client';

let token: string;
let admin: string;

beforeAll(async () => {
  token = (await newFamily()).director;
  admin = await newSuperAdministrator();
});

let phone = 998_901_234_567;
const client = (given: object) => ({ full_name: 'Ali', main_phone: String(phone++), ...given });

test('a name that is eighteen times as long when it is folded is a name as any other', async () => {
  const name = '\ufdfa'.repeat(255);
  await make(SUPPLIERS, token, { name });
  expect(await errorsOf(`POST ${SUPPLIERS}`, token, { name })).toEqual({ name: TAKEN });
  await make('/admin/region/region', admin, { name: `${'\ufdfa'.repeat(200)}${randomUUID()}` });
});

test('a number nearer to 0 than the table can hold is 0', async () => {
  const id = await make(CLIENTS, token, client({ latitude: 1e-200, longitude: -1e-200 }));
  const { body } = await call(`GET ${CLIENTS}/${id}`, { token });
  expect(body).toMatchObject({ latitude: 0, longitude: 0 });
  for (const [abc_segment_c, shown] of [
    [1e-200, 0],
    [33.333_333, 33.3333],
  ]) {
    const company = { name: 'Savdo', abc_segment_c };
    const made = await call('POST /admin/company/company', { token: admin, json: company });
    expect(made).toMatchObject({ status: 200, body: { abc_segment_c: shown } });
  }
});

test('a period may begin with the first day there is and end with the last', async () => {
  const id = await make(BRANDS, token, { name: randomUUID(), image_old_keys: '[]' });
  for (const period of [
    '[0]=0000-01-01',
    '[1]=9999-12-31',
    '[0]=0001-01-01&filter[created_at][1]=9999-12-31',
  ]) {
    expect(await idsOf(BRANDS, token, `filter[created_at]${period}`)).toContain(id);
  }
  expect(await idsOf(BRANDS, token, 'filter[created_at][1]=0000-01-01')).toEqual([]);
  for (const day of ['0001-01-01', '1900-02-28', '1999-12-31', '9999-12-31']) {
    expect(dayOf(startOfDay(day))).toBe(day);
    expect(dayOf(endOfDay(day) - 1000)).toBe(day);
  }
});

test('a role has rights that look like rights, and fits into the table with a thousand of them', async () => {
  const role = (new_routes: string[]) => ({ type: 'employee', name: randomUUID(), new_routes });
  const long = role([`company.${'ы'.repeat(240)}`, 'company. x', `company.${'x'.repeat(200)}`]);
  expect(Object.keys(await errorsOf('POST /company/user/role', token, long))).toEqual([
    'new_routes.0',
    'new_routes.1',
    'new_routes.2',
  ]);
  const [longest = ''] = RIGHTS.filter((right) => right.startsWith('company.')).sort(
    (a, b) => b.length - a.length,
  );
  await make('/company/user/role', token, role(Array.from({ length: 1000 }, () => longest)));
});

test('a right that no operation has, nor begins with, is 422 on its place (Contract 9.91)', async () => {
  const role = (new_routes: string[]) => ({ type: 'employee', name: randomUUID(), new_routes });
  const none = ['company.**', 'company.', 'company.trade.*.index', 'company.trade.sal.*', 'company.trade'];
  const some = ['company.*', 'company.trade.sale.*', 'company.trade.sale.index'];
  const text = translate('ru', { key: 'role.no_such_right' });
  expect(await errorsOf('POST /company/user/role', token, role([...some, ...none]))).toEqual(
    Object.fromEntries(none.map((_, index) => [`new_routes.${some.length + index}`, text])),
  );
  const id = await make('/company/user/role', token, role(some));
  const edited = await errorsOf(`PUT /company/user/role/${id}`, token, role(['company.trade.sales.index']));
  expect(edited).toEqual({ 'new_routes.0': text });
});

test('links of a list lead to the service, whatever the caller says it is', async () => {
  for (const headers of [{ 'x-forwarded-host': 'evil.example' }, { 'x-forwarded-proto': 'javascript' }]) {
    const { status, body } = await call(`GET ${BRANDS}`, { token, headers });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('http://');
    expect(JSON.stringify(body)).not.toMatch(/evil|javascript/);
  }
});

test('a language of fifteen thousand blanks costs no time', () => {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    expect(localeOf(`a${' '.repeat(15_000)}b`)).toBe('ru');
    return performance.now() - began;
  });
  // Other processes may have had the processor in between.
  expect(Math.min(...times)).toBeLessThan(20);
  expect(localeOf('en-US,en;q=0.9,uz-Latn;q=0.8')).toBe('oz');
});

test('names have signs that can be seen, and signs that nobody sees make no other name', async () => {
  const supplier = (name: string) => errorsOf(`POST ${SUPPLIERS}`, token, { name });
  for (const name of ['\u200b\u2060', 'a\u0000', '\u202eabc', 'a\u0007b', '\u2067x']) {
    expect(Object.keys(await supplier(name))).toEqual(['name']);
  }
  await make(SUPPLIERS, token, { name: 'Artel' });
  expect(await supplier('Ar\u200btel')).toEqual({ name: TAKEN });
  expect(normalizeText('👩\u200d🔧')).toBe('👩🔧');
  const role = { type: 'employee', name: randomUUID(), new_routes: [] };
  await make('/company/user/role', token, { ...role, description: 'one\r\ntwo\tthree' });
  for (const address of ['a\u0000', 'one\r\ntwo', 'a\tb']) {
    expect(Object.keys(await errorsOf(`POST ${CLIENTS}`, token, client({ address })))).toEqual(['address']);
  }
});
