import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

/* Spellings of telephone numbers in searches. Contract 9.124. */

const CLIENTS = '/company/client/client';
const DROP_DOWN = '/common/public/records/client';

/** Stored form. */
const PHONE = '998901234567';

const SPELLINGS = [
  PHONE,
  '+998901234567',
  '901234567',
  '90 123-45-67',
  '+998 (90) 123-45-67',
  '998\u00a090\u2009123\u201345\u201467',
  '\u202a+998 90 123 45 67\u202c',
  '９９８９０１２３４５６７',
];

let token: string;
let id: number;

beforeAll(async () => {
  token = (await newFamily()).director;
  id = await make(CLIENTS, token, { full_name: 'Ali', main_phone: PHONE });
  await make(CLIENTS, token, { full_name: 'Vali 7', main_phone: '998330099012' });
});

const clientsBy = (text: string) => idsOf(CLIENTS, token, `filter[main_phone]=${encodeURIComponent(text)}`);

async function dropDown(text: string): Promise<unknown> {
  const { body } = await call(`GET ${DROP_DOWN}?filter[value]=${encodeURIComponent(text)}`, { token });
  return body;
}

test.each(SPELLINGS)('a client is found by a number written %j (Contract 9.124)', async (phone) => {
  expect(await clientsBy(phone)).toEqual([id]);
  expect(await dropDown(phone)).toMatchObject({ meta: { total: 1 }, data: [{ id, value: 'Ali' }] });
});

test('any other number is found to the letter of its digits, but in the drop-down (Contract 9.124; Part 5, 5B.1)', async () => {
  expect(await clientsBy('45-67')).toEqual([id]);
  expect(await dropDown('45-67')).toMatchObject({ data: [] });
  // Nine digits are a whole number: they occur nowhere else in one.
  expect(await clientsBy('983300990')).toEqual([]);
  expect(await clientsBy('Ali')).toEqual([]);
  expect(await clientsBy('-')).toEqual([]);
});

test('a name with a digit is no number', async () => {
  expect(await dropDown('Ali 7')).toMatchObject({ meta: { total: 1 }, data: [{ value: 'Vali 7' }] });
  expect(await dropDown('-')).toMatchObject({ meta: { total: 0 } });
});

test.each(SPELLINGS)('suppliers, partners and users are found by a number written %j', async (phone) => {
  const [{ director, companyId }, admin] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const sought = encodeURIComponent(phone);
  const supplier = await make('/company/stock/supplier', director, { name: 'Ferma', phone: PHONE });
  expect(await idsOf('/company/stock/supplier', director, `filter[phone]=${sought}`)).toEqual([supplier]);

  const place = { company_id: companyId, family_id: companyId };
  const user = await insertUser({ type: 'director', ...place, phone: PHONE }, Date.now());
  expect(await idsOf('/company/user/user', director, `filter[phone]=${sought}`)).toEqual([user.id]);
  const ofCompany = `filter[company_id]=${companyId}&filter[username_or_phone]=${sought}`;
  expect(await idsOf('/admin/user/user', admin, ofCompany)).toEqual([user.id]);

  const name = randomUUID();
  const partner = await make('/admin/partner/partner', admin, { name, phone: PHONE });
  const named = `filter[name]=${name}&filter[phone]=${sought}`;
  expect(await idsOf('/admin/partner/partner', admin, named)).toEqual([partner]);
});
