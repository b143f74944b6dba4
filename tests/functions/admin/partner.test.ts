import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  errorWith,
  expectSixPlatformOperations,
  idsOf,
  make,
  NOT_FOUND,
  REQUIRED,
} from '#tests/support/records.ts';

const PARTNERS = '/admin/partner/partner';
const COMPANIES = '/admin/company/company';

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

test('a partner is made, found, changed, deleted and restored', async () => {
  await expectSixPlatformOperations(
    PARTNERS,
    { name: 'Hamkor', phone: '998901112233' },
    { name: 'Sherik', phone: null },
  );
});

test('a name of at most 255 characters is required, a phone has its format', async () => {
  expect(await errorsOf(`POST ${PARTNERS}`, token, { phone: '123' })).toEqual({
    name: REQUIRED,
    phone: 'Телефон должен быть в формате 998xxyyyzzzz.',
  });
  expect(await errorsOf(`POST ${PARTNERS}`, token, { name: 'x'.repeat(256) })).toHaveProperty('name');
});

test('partners are found by a part of the name and by phone', async () => {
  const name = `Hamkor-${randomUUID()}`;
  const id = await make(PARTNERS, token, { name, phone: '998907776655' });
  expect(await idsOf(PARTNERS, token, `filter[name]=${name.slice(3).toUpperCase()}`)).toEqual([id]);
  expect(await idsOf(PARTNERS, token, `filter[id]=${id}&filter[phone]=998907776655`)).toEqual([id]);
  expect(await idsOf(PARTNERS, token, `filter[id]=${id}&filter[phone]=998900000000`)).toEqual([]);
});

test('a company names an existing partner and district, which stay as long as it does', async () => {
  const company = (given: object) => ({ name: 'Savdo', ...given });
  const unknown = company({ partner_id: 987_654, district_id: 987_654 });
  expect(await errorsOf(`POST ${COMPANIES}`, token, unknown)).toEqual({
    partner_id: NOT_FOUND,
    district_id: NOT_FOUND,
  });
  const partner_id = await make(PARTNERS, token, { name: 'Hamkor' });
  const region_id = await make('/admin/region/region', token, { name: randomUUID() });
  const district_id = await make('/admin/region/district', token, { region_id, name: 'Tuman' });
  const id = await make(COMPANIES, token, company({ partner_id, district_id }));
  expect(await call(`DELETE ${PARTNERS}/${partner_id}`, { token })).toMatchObject(
    errorWith('partner.in_use'),
  );
  expect((await call(`DELETE /admin/region/district/${district_id}`, { token })).status).toBe(400);
  expect((await call(`PUT ${COMPANIES}/${id}`, { token, json: company({}) })).status).toBe(200);
  expect((await call(`DELETE ${PARTNERS}/${partner_id}`, { token })).status).toBe(200);
  expect((await call(`DELETE /admin/region/district/${district_id}`, { token })).status).toBe(200);
  expect(await errorsOf(`PUT ${COMPANIES}/${id}`, token, company({ partner_id }))).toEqual({
    partner_id: NOT_FOUND,
  });
});
