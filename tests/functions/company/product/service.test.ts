import { beforeEach, expect, test } from 'vitest';
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
