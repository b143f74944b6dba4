import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  expectSixPlatformOperations,
  idsOf,
  make,
  NOT_FOUND,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const REGIONS = '/admin/region/region';
const DISTRICTS = '/admin/region/district';
const NEIGHBOURHOODS = '/admin/region/mfy';

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

/** Regions are global, so each test's have names of their own. */
const own = (word: string) => `${word} ${randomUUID()}`;

const newRegion = (name = own('Viloyat')) => make(REGIONS, token, { name });
const newDistrict = async (region_id: number, name = own('Tuman')) =>
  make(DISTRICTS, token, { region_id, name });
const newPlace = async () => newDistrict(await newRegion());

test('regions, districts and neighbourhoods are made, found, changed, deleted and restored', async () => {
  await expectSixPlatformOperations(REGIONS, { name: own('a') }, { name: own('b') });
  const [one, other] = [await newRegion(), await newRegion()];
  await expectSixPlatformOperations(
    DISTRICTS,
    { region_id: one, name: own('a') },
    { region_id: other, name: own('b') },
  );
  const [here, there] = [await newDistrict(one), await newDistrict(other)];
  await expectSixPlatformOperations(
    NEIGHBOURHOODS,
    { district_id: here, name: own('a') },
    { district_id: there, name: own('b') },
  );
});

test('a name is unique among regions, and within its region or district, whatever its letter case', async () => {
  const name = own('Chilonzor');
  const upper = name.toUpperCase();
  const region = await newRegion(name);
  expect(await errorsOf(`POST ${REGIONS}`, token, { name: upper })).toEqual({ name: TAKEN });
  const district = await newDistrict(region, name);
  const other = await newDistrict(await newRegion(), name);
  const json = { region_id: region, name: upper };
  for (const request of [`POST ${DISTRICTS}`, `PUT ${DISTRICTS}/${other}`]) {
    expect(await errorsOf(request, token, json)).toEqual({ name: TAKEN });
  }
  await make(NEIGHBOURHOODS, token, { district_id: district, name });
  const elsewhere = await make(NEIGHBOURHOODS, token, { district_id: other, name });
  for (const request of [`POST ${NEIGHBOURHOODS}`, `PUT ${NEIGHBOURHOODS}/${elsewhere}`]) {
    expect(await errorsOf(request, token, { district_id: district, name: upper })).toEqual({ name: TAKEN });
  }
});

test('a name of at most 255 characters and an existing district are required', async () => {
  expect(await errorsOf(`POST ${NEIGHBOURHOODS}`, token, {})).toEqual({
    district_id: REQUIRED,
    name: REQUIRED,
  });
  const district_id = await newPlace();
  expect(await errorsOf(`POST ${NEIGHBOURHOODS}`, token, { district_id, name: 'x'.repeat(256) })).toEqual({
    name: 'Не длиннее 255 символов.',
  });
  await call(`DELETE ${DISTRICTS}/${district_id}`, { token });
  expect(await errorsOf(`POST ${NEIGHBOURHOODS}`, token, { district_id, name: own('x') })).toEqual({
    district_id: NOT_FOUND,
  });
  expect(await errorsOf(`POST ${DISTRICTS}`, token, { region_id: 987_654, name: own('x') })).toEqual({
    region_id: NOT_FOUND,
  });
});

test('a region with districts and a district with neighbourhoods are not deleted', async () => {
  const region = await newRegion();
  const district = await newDistrict(region);
  const place = await make(NEIGHBOURHOODS, token, { district_id: district, name: own('MFY') });
  expect(await call(`DELETE ${REGIONS}/${region}`, { token })).toMatchObject({
    status: 400,
    body: { message: 'Область с районами удалить нельзя.' },
  });
  expect(await call(`DELETE ${DISTRICTS}/${district}`, { token })).toMatchObject({
    status: 400,
    body: { message: 'Район с махаллями или компаниями удалить нельзя.' },
  });
  for (const address of [`${NEIGHBOURHOODS}/${place}`, `${DISTRICTS}/${district}`, `${REGIONS}/${region}`]) {
    expect((await call(`DELETE ${address}`, { token })).status).toBe(200);
  }
});

test('neighbourhoods are found by id, district and name, sorted by id and name, and show their district and region', async () => {
  const region_id = await newRegion();
  const district_id = await newDistrict(region_id);
  const b = await make(NEIGHBOURHOODS, token, { district_id, name: 'Bobur' });
  const a = await make(NEIGHBOURHOODS, token, { district_id, name: 'Afrosiyob' });
  const here = `filter[district_id]=${district_id}`;
  expect(await idsOf(NEIGHBOURHOODS, token, here)).toEqual([b, a]);
  expect(await idsOf(NEIGHBOURHOODS, token, `${here}&filter[name]=AFRO`)).toEqual([a]);
  expect(await idsOf(NEIGHBOURHOODS, token, `filter[id]=${b}`)).toEqual([b]);
  const embeds = 'with[]=district.region&with[]=district';
  const list = await call(`GET ${NEIGHBOURHOODS}?${here}&sort[]=name&${embeds}`, { token });
  expect(list.body).toMatchObject({
    data: [{ id: a, district: { id: district_id, region: { id: region_id } } }, { id: b }],
  });
  const one = await call(`GET ${NEIGHBOURHOODS}/${a}?with[]=district`, { token });
  expect(one.body).toMatchObject({ district: { id: district_id, region_id } });
  expect(one.body).not.toHaveProperty('district.region');
  for (const query of ['filter[created_at][0]=2026-01-01', 'sort[]=district_id', 'with[]=region']) {
    expect((await call(`GET ${NEIGHBOURHOODS}?${query}`, { token })).status).toBe(422);
  }
});

test('an administrator needs the right', async () => {
  const role_id = await newRole({ type: 'admin', new_routes: ['admin.region.mfy.index'] });
  const admin = await insertUser({ type: 'admin', role_id });
  expect((await call(`GET ${NEIGHBOURHOODS}`, { token: admin.token })).status).toBe(200);
  expect((await call(`POST ${NEIGHBOURHOODS}`, { token: admin.token, json: {} })).status).toBe(403);
});
