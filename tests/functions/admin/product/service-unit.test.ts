import { beforeAll, expect, test } from 'vitest';
import { newCompany, newFoundedFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  expectSixPlatformOperations,
  idsOf,
  make,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const TEMPLATES = '/admin/product/service-unit';
const UNITS = '/company/product/service-unit';

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

const named = (word: string) => ({ name: { ru: `${word} ru`, uz: `${word} uz`, oz: `${word} oz` } });

test('a template is made, found, changed, deleted and restored', async () => {
  const shown = { company_id: null, source_id: null };
  await expectSixPlatformOperations(TEMPLATES, { ...named('Soat'), ...shown }, { ...named('Kun'), ...shown });
});

test('a name is required in every language, and unique among templates', async () => {
  await make(TEMPLATES, token, named('Hafta'));
  const errors = await errorsOf(`POST ${TEMPLATES}`, token, {
    name: { ru: 'HAFTA RU', uz: ' ', oz: 'Hafta' },
  });
  expect(errors).toEqual({ 'name.uz': REQUIRED });
  expect(
    await errorsOf(`POST ${TEMPLATES}`, token, { name: { ...named('Oy').name, ru: 'HAFTA RU' } }),
  ).toEqual({
    'name.ru': TAKEN,
  });
  expect(await idsOf(TEMPLATES, token, 'filter[name]=hafta')).toHaveLength(1);
});

test('a company gets copies only when it is founded; a branch shares them', async () => {
  const id = await make(TEMPLATES, token, named('Yil'));
  const { director, companyId } = await newFoundedFamily();
  const find = () => call(`GET ${UNITS}?filter[name]=Yil`, { token: director });
  const copy = { ...named('Yil'), source_id: id, creator_id: null, company_id: companyId };
  expect((await find()).body).toMatchObject({ data: [copy], meta: { total: 1 } });
  await newCompany(companyId);
  expect((await find()).body).toMatchObject({ meta: { total: 1 } });
  await make(TEMPLATES, token, named('Asr'));
  expect(await idsOf(UNITS, director, 'filter[name]=Asr')).toEqual([]);
  expect((await call(`PUT ${TEMPLATES}/${id}`, { token, json: named('Mavsum') })).status).toBe(200);
  expect((await find()).body).toMatchObject({ data: [copy] });
});

test('a company is founded with all its copies at once, however many there are', async () => {
  for (let index = 10; index < 36; index++) await make(TEMPLATES, token, named(`Birlik${index}`));
  const { director } = await newFoundedFamily();
  const { body } = await call(`GET ${UNITS}?filter[name]=Birlik`, { token: director });
  expect(body).toMatchObject({ meta: { total: 26 } });
});
