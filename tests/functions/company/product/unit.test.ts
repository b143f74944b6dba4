import { expect, test } from 'vitest';
import { addProduct, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, expectSixOperations, idsOf, make, REQUIRED, TAKEN } from '#tests/support/records.ts';

const UNITS = '/company/product/unit';

const KILOGRAM = { name: { ru: 'Килограмм', uz: 'Килограмм', oz: 'Kilogramm' }, accuracy: 3 };
const PIECE = { name: { ru: 'Штука', uz: 'Дона', oz: 'Dona' }, accuracy: 0 };

test('a unit is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(UNITS, KILOGRAM, PIECE);
});

test('a name is unique in each language, whatever its letter case', async () => {
  const { director } = await newFamily();
  await make(UNITS, director, KILOGRAM);
  const piece = await make(UNITS, director, PIECE);
  const name = { ru: 'Кило', uz: 'КИЛОГРАММ', oz: 'Kilo' };
  for (const request of [`POST ${UNITS}`, `PUT ${UNITS}/${piece}`]) {
    expect(await errorsOf(request, director, { name, accuracy: 3 })).toEqual({ 'name.uz': TAKEN });
  }
});

test('the accuracy is a whole number from 0 to 8, and a caller cannot name a template', async () => {
  const { director: token } = await newFamily();
  const { name } = KILOGRAM;
  expect(await errorsOf(`POST ${UNITS}`, token, { name })).toEqual({ accuracy: REQUIRED });
  for (const accuracy of [-1, 9, 1.5, '03']) {
    expect(Object.keys(await errorsOf(`POST ${UNITS}`, token, { name, accuracy }))).toEqual(['accuracy']);
  }
  const made = await call(`POST ${UNITS}`, { token, json: { ...KILOGRAM, source_id: 5 } });
  expect(made).toMatchObject({ status: 200, body: { source_id: null } });
});

test('units are found by name in every language, and by accuracy', async () => {
  const { director } = await newFamily();
  const kilogram = await make(UNITS, director, KILOGRAM);
  const piece = await make(UNITS, director, PIECE);
  expect(await idsOf(UNITS, director, 'filter[name]=KILO')).toEqual([kilogram]);
  expect(await idsOf(UNITS, director, 'filter[name]=дона')).toEqual([piece]);
  expect(await idsOf(UNITS, director, 'filter[accuracy]=0')).toEqual([piece]);
});

test('a unit that a product has, deleted or not, can’t be deleted', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const product = (await addProduct(token, catalog)).number('id');
  const refused = {
    status: 400,
    body: { message: 'Единицу измерения, которая указана у товаров, удалить нельзя.' },
  };
  expect(await call(`DELETE ${UNITS}/${catalog.unit_id}`, { token })).toMatchObject(refused);
  await call(`DELETE /company/product/product/${product}`, { token });
  expect(await call(`DELETE ${UNITS}/${catalog.unit_id}`, { token })).toMatchObject(refused);
});
