import { expect, test } from 'vitest';
import * as z from 'zod';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { KEYS, newKey, newPartner, operator } from '#tests/support/external.ts';
import { newCompany, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const Id = z.object({ id: z.int() });

/** Creates an administrator responsible for these companies only. */
async function newResponsible(companyIds: number[]): Promise<string> {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.system.*'] });
  const scope = { are_all_companies_available: false, responsibility_ids: companyIds };
  return (await insertUser({ type: 'admin', role_id, ...scope })).token;
}

test('a key for companies is made, and shown once', async () => {
  const token = await operator();
  const company = await newCompany(null);
  const json = { name: '1C', kind: 'external', company_ids: [company] };
  const { status, body } = await call(`POST ${KEYS}`, { token, json });
  expect(status).toBe(200);
  const key = expect.stringMatching(/^[\w-]{43}$/);
  expect(body).toMatchObject({ ...json, partner_id: null, last_used_at: null, is_deleted: false, key });
  const list = await call(`GET ${KEYS}?filter[id]=${Id.parse(body).id}`, { token });
  expect(list.body).toMatchObject({ data: [{ ...json, last_used_at: null }], meta: { total: 1 } });
  expect(JSON.stringify(list.body)).not.toMatch(/"key"|"hash"/);
});

test('a key for a partner is made', async () => {
  const partner_id = await newPartner();
  const json = { name: 'Hamkor', kind: 'partner', partner_id };
  const { status, body } = await call(`POST ${KEYS}`, { token: await operator(), json });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...json, company_ids: [] });
});

test('the table holds no key, only its hash', async () => {
  const { id, key } = await newKey({ kind: 'external', company_ids: [await newCompany(null)] });
  const item = await getItem(recordKey('external-key', PLATFORM, id));
  expect(item).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.stringify(item)).not.toContain(key);
});

test('keys are found by name, kind and partner', async () => {
  const token = await operator();
  const partner_id = await newPartner();
  const { id } = await newKey({ name: 'Kredit Bank', kind: 'partner', partner_id });
  const found = (query: string) => idsOf(KEYS, token, `filter[partner_id]=${partner_id}&${query}`);
  expect(await found('filter[name]=KREDIT&filter[kind]=partner')).toEqual([id]);
  expect(await found('filter[kind]=external')).toEqual([]);
});

test('what a key is bound to must exist', async () => {
  const token = await operator();
  const request = `POST ${KEYS}`;
  const [company, gone] = [await newCompany(null), await newCompany(null)];
  await call(`DELETE /admin/company/company/${gone}`, { token });
  const external = { name: '1C', kind: 'external' };
  expect(await errorsOf(request, token, { ...external, company_ids: [company, gone, 999_999_999] })).toEqual({
    'company_ids.1': NOT_FOUND,
    'company_ids.2': NOT_FOUND,
  });
  expect(await errorsOf(request, token, { ...external, company_ids: [] })).toEqual({
    company_ids: 'Не меньше 1 элементов.',
  });
  expect(await errorsOf(request, token, { ...external, company_ids: [company, company] })).toEqual({
    company_ids: 'Значения не должны повторяться.',
  });
  expect(await errorsOf(request, token, { name: ' ', kind: 'external' })).toEqual({
    name: REQUIRED,
    company_ids: REQUIRED,
  });
  expect(await errorsOf(request, token, { name: 'x', kind: 'partner' })).toEqual({ partner_id: REQUIRED });
  expect(await errorsOf(request, token, { name: 'x', kind: 'partner', partner_id: 999_999 })).toEqual({
    partner_id: NOT_FOUND,
  });
  expect(await errorsOf(request, token, { name: 'x' })).toHaveProperty('kind');
  expect(await errorsOf(request, token, { name: 'x', kind: 'other' })).toHaveProperty('kind');
});

test('a deleted key leaves the list and is not found again', async () => {
  const token = await operator();
  const { id } = await newKey({ kind: 'external', company_ids: [await newCompany(null)] });
  expect(await call(`DELETE ${KEYS}/${id}`, { token })).toMatchObject({
    status: 200,
    body: { message: 'Успешно' },
  });
  expect((await call(`DELETE ${KEYS}/${id}`, { token })).status).toBe(404);
  expect(await idsOf(KEYS, token, `filter[id]=${id}`)).toEqual([]);
  expect(await idsOf(KEYS, token, `filter[id]=${id}&show[]=only-deleted`)).toEqual([id]);
});

test('an administrator of chosen companies sees and makes keys only to these, and of a key these (Contract 9.88)', async () => {
  const [own, other] = [await newCompany(null), await newCompany(null)];
  const token = await newResponsible([own]);
  const mine = await newKey({ kind: 'external', company_ids: [own] });
  const theirs = await newKey({ kind: 'external', company_ids: [other] });
  const both = await newKey({ kind: 'external', company_ids: [own, other] });
  const partner_id = await newPartner();
  const partners = await newKey({ kind: 'partner', partner_id });
  expect(await idsOf(KEYS, token)).toEqual([mine.id, both.id]);
  const seen = await call(`GET ${KEYS}?filter[id]=${both.id}`, { token });
  expect(seen.body).toMatchObject({ data: [{ company_ids: [own] }] });
  const statuses = [mine, theirs, both, partners].map(
    async ({ id }) => (await call(`DELETE ${KEYS}/${id}`, { token })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 403, 404]);
  const external = { name: 'x', kind: 'external', company_ids: [own, other] };
  expect(await errorsOf(`POST ${KEYS}`, token, external)).toEqual({ 'company_ids.1': NOT_FOUND });
  const partner = { name: 'x', kind: 'partner', partner_id };
  expect(await errorsOf(`POST ${KEYS}`, token, partner)).toEqual({ partner_id: NOT_FOUND });
});
