import { expect, test } from 'vitest';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  errorWith,
  expectSixOperations,
  idsOf,
  make,
  NOT_FOUND,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const TARIFFS = '/company/client/bonus-tariff';
const CLIENTS = '/company/client/client';

const client = { full_name: 'Алишер', main_phone: '998901112233' };

test('a bonus tariff is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(TARIFFS, { name: 'Серебро', percent: 2.5 }, { name: 'Золото', percent: 100 });
});

test('a percent is 0.01 to 100 with two decimals, and both fields are required', async () => {
  const { director: token } = await newFamily();
  const wrong = async (percent: number) =>
    Object.keys(await errorsOf(`POST ${TARIFFS}`, token, { name: 'X', percent }));
  for (const percent of [0, 0.001, 1.005, 100.01]) expect(await wrong(percent)).toEqual(['percent']);
  await make(TARIFFS, token, { name: 'X', percent: 0.01 });
  expect(await errorsOf(`POST ${TARIFFS}`, token, {})).toEqual({ name: REQUIRED, percent: REQUIRED });
});

test('a name is unique in the family, letter case not counting', async () => {
  const { director: token } = await newFamily();
  await make(TARIFFS, token, { name: 'Золото', percent: 5 });
  expect(await errorsOf(`POST ${TARIFFS}`, token, { name: ' ЗОЛОТО ', percent: 1 })).toEqual({ name: TAKEN });
});

test('a client has a tariff of the family, by which the list is filtered', async () => {
  const [{ director: token }, stranger] = await Promise.all([newFamily(), newFamily()]);
  const tariff = await make(TARIFFS, token, { name: 'Золото', percent: 5 });
  const id = await make(CLIENTS, token, { ...client, bonus_tariff_id: tariff });
  await make(CLIENTS, token, { ...client, main_phone: '998901112234' });
  const shown = await call(`GET ${CLIENTS}/${id}`, { token });
  expect(shown.body).toMatchObject({ bonus_tariff_id: tariff });
  expect(await idsOf(CLIENTS, token, `filter[bonus_tariff_id]=${tariff}`)).toEqual([id]);
  const foreign = { ...client, bonus_tariff_id: tariff };
  expect(await errorsOf(`POST ${CLIENTS}`, stranger.director, foreign)).toEqual({
    bonus_tariff_id: NOT_FOUND,
  });
});

test('a tariff that a client has is not deleted', async () => {
  const { director: token } = await newFamily();
  const tariff = await make(TARIFFS, token, { name: 'Золото', percent: 5 });
  const id = await make(CLIENTS, token, { ...client, bonus_tariff_id: tariff });
  const remove = () => call(`DELETE ${TARIFFS}/${tariff}`, { token });
  expect(await remove()).toMatchObject(errorWith('bonus_tariff.in_use'));
  await call(`PUT ${CLIENTS}/${id}`, { token, json: client });
  expect((await remove()).status).toBe(200);
  const again = { ...client, bonus_tariff_id: tariff };
  expect(await errorsOf(`PUT ${CLIENTS}/${id}`, token, again)).toEqual({ bonus_tariff_id: NOT_FOUND });
});
