import { expect, test } from 'vitest';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  expectSixOperations,
  idsOf,
  make,
  NOT_FOUND,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const SPECIFICATIONS = '/company/product/specification';
const OPTIONS = '/company/product/option';

const COLOUR = { name: { ru: 'Цвет', uz: 'Ранг', oz: 'Rang' } };
const SIZE = { name: { ru: 'Размер', uz: 'Ўлчам', oz: 'O‘lcham' } };
const described = (ru: string) => ({ description: { ru, uz: '', oz: 'Mato rangi' } });

test('a specification is made, found, changed, deleted and restored', async () => {
  const made = { ...COLOUR, ...described('Цвет ткани') };
  await expectSixOperations(SPECIFICATIONS, made, { ...SIZE, ...described('') }, { embeds: ['company'] });
});

test('a name is unique in each language of the family, whatever its letter case', async () => {
  const { director } = await newFamily();
  await make(SPECIFICATIONS, director, COLOUR);
  const size = await make(SPECIFICATIONS, director, SIZE);
  const name = { ru: 'ЦВЕТ', uz: 'Ўлчов', oz: 'rang' };
  for (const request of [`POST ${SPECIFICATIONS}`, `PUT ${SPECIFICATIONS}/${size}`]) {
    expect(await errorsOf(request, director, { name })).toEqual({ 'name.ru': TAKEN, 'name.oz': TAKEN });
  }
  await make(SPECIFICATIONS, (await newFamily()).director, COLOUR);
});

test('every language of the name is required, of the description none', async () => {
  const { director: token } = await newFamily();
  expect(await errorsOf(`POST ${SPECIFICATIONS}`, token, { name: { uz: 'x'.repeat(256) } })).toEqual({
    'name.ru': REQUIRED,
    'name.uz': 'Не длиннее 255 символов.',
    'name.oz': REQUIRED,
  });
  const json = { ...COLOUR, description: { uz: ' Мато ранги ' } };
  expect(await call(`POST ${SPECIFICATIONS}`, { token, json })).toMatchObject({
    body: { description: { ru: '', uz: 'Мато ранги', oz: '' } },
  });
  expect(await call(`POST ${SPECIFICATIONS}`, { token, json: SIZE })).toMatchObject({
    body: { description: { ru: '', uz: '', oz: '' } },
  });
});

test('specifications are found by a part of the name in any language', async () => {
  const { director } = await newFamily();
  const colour = await make(SPECIFICATIONS, director, COLOUR);
  await make(SPECIFICATIONS, director, SIZE);
  expect(await idsOf(SPECIFICATIONS, director, 'filter[name]=РАН')).toEqual([colour]);
  expect((await call(`GET ${SPECIFICATIONS}?filter[creator_id]=1`, { token: director })).status).toBe(422);
});

test('with[]=options shows the options that are not deleted, under the specification they belong to now', async () => {
  const { director: token } = await newFamily();
  const colour = await make(SPECIFICATIONS, token, COLOUR);
  const size = await make(SPECIFICATIONS, token, SIZE);
  const option = (name: string) => make(OPTIONS, token, { specification_id: colour, name });
  const [red, gone, moved] = [await option('Red'), await option('Gone'), await option('Large')];
  await call(`DELETE ${OPTIONS}/${gone}`, { token });
  await call(`PUT ${OPTIONS}/${moved}`, { token, json: { specification_id: size, name: 'Large' } });
  const list = await call(`GET ${SPECIFICATIONS}?sort[]=id&with[]=options`, { token });
  expect(list.body).toMatchObject({
    data: [
      { id: colour, options: [{ id: red, specification_id: colour, name: 'Red', is_deleted: false }] },
      { id: size, options: [{ id: moved }] },
    ],
  });
  const one = await call(`GET ${SPECIFICATIONS}/${size}?with[]=options&with[]=company`, { token });
  expect(one.body).toMatchObject({ options: [{ id: moved }], company: { id: expect.any(Number) } });
  expect((await call(`GET ${SPECIFICATIONS}/${size}`, { token })).body).not.toHaveProperty('options');
});

test('a specification with options is not deleted; without them it is', async () => {
  const { director: token } = await newFamily();
  const colour = await make(SPECIFICATIONS, token, COLOUR);
  const red = await make(OPTIONS, token, { specification_id: colour, name: 'Red' });
  expect(await call(`DELETE ${SPECIFICATIONS}/${colour}`, { token })).toMatchObject({
    status: 400,
    body: { message: 'Характеристику со значениями удалить нельзя.' },
  });
  await call(`DELETE ${OPTIONS}/${red}`, { token });
  expect((await call(`DELETE ${SPECIFICATIONS}/${colour}`, { token })).status).toBe(200);
  expect(await call(`DELETE ${OPTIONS}/${red}/restore`, { token })).toMatchObject({
    status: 422,
    body: { errors: { specification_id: [NOT_FOUND] } },
  });
});
