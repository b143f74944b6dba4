import { beforeEach, expect, test } from 'vitest';
import { put } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import {
  errorsOf,
  expectSixOperations,
  idsOf,
  make,
  NOT_FOUND,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const UNITS = '/company/product/service-unit';
const SERVICES = '/company/product/service';

const HOUR = { name: { ru: 'Час', uz: 'Соат', oz: 'Soat' } };
const VISIT = { name: { ru: 'Выезд', uz: 'Чиқиш', oz: 'Chiqish' } };

let family: Family;
let token: string;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
});

const repair = (service_unit_id: number, given: object = {}) => {
  return { name: 'Repair', service_unit_id, price: 50_000.5, ...given };
};

test('a service unit is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(
    UNITS,
    { ...HOUR, source_id: null },
    { ...VISIT, source_id: null },
    { embeds: [] },
  );
});

test('the name of a service unit is required, and unique in each language of the family', async () => {
  await make(UNITS, token, HOUR);
  const visit = await make(UNITS, token, VISIT);
  const name = { ru: 'ЧАС', uz: 'Соатлик', oz: 'soat' };
  for (const request of [`POST ${UNITS}`, `PUT ${UNITS}/${visit}`]) {
    expect(await errorsOf(request, token, { name })).toEqual({ 'name.ru': TAKEN, 'name.oz': TAKEN });
  }
  expect(await errorsOf(`POST ${UNITS}`, token, { name: { uz: 'x'.repeat(256) } })).toEqual({
    'name.ru': REQUIRED,
    'name.uz': 'Не длиннее 255 символов.',
    'name.oz': REQUIRED,
  });
  expect(await idsOf(UNITS, token, 'filter[name]=ЧИҚ')).toEqual([visit]);
  expect((await call(`GET ${UNITS}?filter[company_id]=1`, { token })).status).toBe(422);
});

test('a service unit is not deleted while a service, even a deleted one, has it', async () => {
  const hour = await make(UNITS, token, HOUR);
  const visit = await make(UNITS, token, VISIT);
  const service = await make(SERVICES, token, repair(hour));
  const refused = { status: 400, body: { message: 'Единицу, к которой привязаны услуги, удалить нельзя.' } };
  expect(await call(`DELETE ${UNITS}/${hour}`, { token })).toMatchObject(refused);
  await call(`DELETE ${SERVICES}/${service}`, { token });
  expect(await call(`DELETE ${UNITS}/${hour}`, { token })).toMatchObject(refused);
  await call(`DELETE ${SERVICES}/${service}/restore`, { token });
  expect((await call(`PUT ${SERVICES}/${service}`, { token, json: repair(visit) })).status).toBe(200);
  expect((await call(`DELETE ${UNITS}/${hour}`, { token })).status).toBe(200);
});

test('a service is made, found, changed, deleted and restored', async () => {
  const hour = await make(UNITS, token, HOUR);
  const made = await call(`POST ${SERVICES}`, { token, json: repair(hour) });
  expect(made).toMatchObject({
    status: 200,
    body: { ...repair(hour), company_id: family.companyId, creator_id: family.directorId, is_deleted: false },
  });
  const address = `${SERVICES}/${made.number('id')}`;
  expect((await call(`GET ${address}`, { token })).body).toEqual(made.body);
  const embeds = 'with[]=service_unit&with[]=company&with[]=creator.profile';
  expect((await call(`GET ${SERVICES}?${embeds}`, { token })).body).toMatchObject({
    data: [{ service_unit: { id: hour, ...HOUR }, company: { id: family.companyId } }],
  });
  const changed = repair(hour, { name: 'Cleaning', price: 1 });
  expect(await call(`PUT ${address}`, { token, json: changed })).toMatchObject({
    status: 200,
    body: changed,
  });
  const stranger = (await newFamily()).director;
  expect((await call(`GET ${address}`, { token: stranger })).status).toBe(404);
  expect((await call(`DELETE ${address}`, { token: stranger })).status).toBe(404);
  expect((await call(`DELETE ${address}`, { token })).status).toBe(200);
  expect((await call(`GET ${address}`, { token })).status).toBe(404);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(404);
});

test('a service has a name, a price above zero and a service unit of the family', async () => {
  expect(await errorsOf(`POST ${SERVICES}`, token, {})).toEqual({
    name: REQUIRED,
    service_unit_id: REQUIRED,
    price: REQUIRED,
  });
  const hour = await make(UNITS, token, HOUR);
  for (const price of [0, -1, 1.005, '05']) {
    const errors = await errorsOf(`POST ${SERVICES}`, token, repair(hour, { price }));
    expect(Object.keys(errors)).toEqual(['price']);
  }
  await call(`DELETE ${UNITS}/${hour}`, { token });
  for (const id of [hour, 99]) {
    expect(await errorsOf(`POST ${SERVICES}`, token, repair(id))).toEqual({ service_unit_id: NOT_FOUND });
  }
});

test('services are found by a part of the name and by service unit', async () => {
  const [hour, visit] = [await make(UNITS, token, HOUR), await make(UNITS, token, VISIT)];
  const one = await make(SERVICES, token, repair(hour));
  const other = await make(SERVICES, token, repair(visit, { name: 'Cleaning' }));
  expect(await idsOf(SERVICES, token, 'filter[name]=PAIR')).toEqual([one]);
  expect(await idsOf(SERVICES, token, `filter[service_unit_id]=${visit}`)).toEqual([other]);
});

/** Makes a service one of before services had currencies. */
async function forgetCurrency({ companyId }: Family, id: number) {
  const key = recordKey('service', familyTenant(companyId), id);
  const { currency: _, ...before } = (await getItem(key)) ?? {};
  await transact([put(key, before)]);
}

const FULL = {
  currency: 'usd',
  cost: 12.5,
  is_free_price: true,
  vat_percent: 12,
  mxik: '08450001001000000',
  package_code: '1475803',
  external_id: 'S-1',
};

test('a service has a currency, a cost, a free price, a VAT rate, fiscal codes and an external id (Part 5, 5A.1)', async () => {
  const hour = await make(UNITS, token, HOUR);
  const id = await make(SERVICES, token, repair(hour, FULL));
  expect((await call(`GET ${SERVICES}/${id}`, { token })).body).toMatchObject(FULL);
  expect(await idsOf(SERVICES, token, 'filter[external_id]=S-1')).toEqual([id]);
  const edit = async (given: object) => {
    return (await call(`PUT ${SERVICES}/${id}`, { token, json: repair(hour, given) })).body;
  };
  const { cost: _, is_free_price: __, ...kept } = FULL;
  expect(await edit({})).toMatchObject({ ...kept, cost: null, is_free_price: false });
  const cleared = { vat_percent: null, mxik: null, package_code: null, external_id: null };
  expect(await edit({ currency: 'eur', ...cleared })).toMatchObject({ currency: 'eur', ...cleared });
});

test('a service without a currency is in the main company’s sale currency; an edit leaves it (Part 5, 5A.1)', async () => {
  await call('PATCH /company/cashbox/currency-rate/settings', { token, json: { sale_currency: 'usd' } });
  const hour = await make(UNITS, token, HOUR);
  const made = await make(SERVICES, token, repair(hour));
  const old = await make(SERVICES, token, repair(hour));
  await forgetCurrency(family, old);
  const shown = async () => (await call(`GET ${SERVICES}?sort[]=id`, { token })).body;
  expect(await shown()).toMatchObject({ data: [{ currency: 'usd' }, { currency: 'usd' }] });
  await call('PATCH /company/cashbox/currency-rate/settings', { token, json: { sale_currency: 'uzs' } });
  await call(`PUT ${SERVICES}/${made}`, { token, json: repair(hour) });
  expect(await shown()).toMatchObject({ data: [{ currency: 'usd' }, { currency: 'uzs' }] });
});

test('the external id of a service is unique in the family, its cost not below zero (Part 5, 5A.1)', async () => {
  const hour = await make(UNITS, token, HOUR);
  await make(SERVICES, token, repair(hour, { external_id: 'S-1' }));
  const wrong = repair(hour, { external_id: 'S-1' });
  expect(await errorsOf(`POST ${SERVICES}`, token, wrong)).toEqual({ external_id: TAKEN });
  const worse = repair(hour, { cost: -1, vat_percent: 101, currency: 'gbp', mxik: '1' });
  expect(Object.keys(await errorsOf(`POST ${SERVICES}`, token, worse)).sort()).toEqual([
    'cost',
    'currency',
    'mxik',
    'vat_percent',
  ]);
});
