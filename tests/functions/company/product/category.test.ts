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

const CATEGORIES = '/company/product/category';

const named = (word: string, parent_id: number | null = null) => ({
  name: { ru: `${word} ru`, uz: `${word} uz`, oz: `${word} oz` },
  parent_id,
});

test('a category is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(CATEGORIES, named('Чай'), named('Кофе'));
});

test('a name is unique in each language, whatever its letter case, deleted or not', async () => {
  const { director } = await newFamily();
  const tea = await make(CATEGORIES, director, named('Чай'));
  await make(CATEGORIES, director, { name: { ru: 'Чай uz', uz: 'Кофе', oz: 'Qahva' } });
  await call(`DELETE ${CATEGORIES}/${tea}`, { token: director });
  const name = { ru: 'ЧАЙ RU', uz: 'Чай', oz: 'qahva' };
  expect(await errorsOf(`POST ${CATEGORIES}`, director, { name })).toEqual({
    'name.ru': TAKEN,
    'name.oz': TAKEN,
  });
  const stranger = await newFamily();
  await make(CATEGORIES, stranger.director, named('Чай'));
});

test('every language of the name is required, to 255 characters', async () => {
  const { director } = await newFamily();
  const name = { ru: ' ', oz: 'x'.repeat(256) };
  expect(await errorsOf(`POST ${CATEGORIES}`, director, { name, parent_id: 'x' })).toEqual({
    'name.ru': REQUIRED,
    'name.uz': REQUIRED,
    'name.oz': 'Не длиннее 255 символов.',
    parent_id: 'Значение должно быть числом.',
  });
  expect(await errorsOf(`POST ${CATEGORIES}`, director, { name: 'Чай' })).toMatchObject({
    'name.ru': REQUIRED,
    'name.oz': REQUIRED,
  });
});

test('the name is searched in every language; filters know the parent', async () => {
  const { director } = await newFamily();
  const food = await make(CATEGORIES, director, { name: { ru: 'Еда', uz: 'Овқат', oz: 'Ovqat' } });
  const tea = await make(CATEGORIES, director, named('Чай', food));
  expect(await idsOf(CATEGORIES, director, 'filter[name]=овқ')).toEqual([food]);
  expect(await idsOf(CATEGORIES, director, 'filter[name]=ЧАЙ')).toEqual([tea]);
  expect(await idsOf(CATEGORIES, director, `filter[parent_id]=${food}`)).toEqual([tea]);
});

test('a parent is a category of the family that is not deleted', async () => {
  const [{ director }, stranger] = await Promise.all([newFamily(), newFamily()]);
  for (const word of '123456') await make(CATEGORIES, stranger.director, named(word));
  const gone = await make(CATEGORIES, director, named('Чай'));
  await call(`DELETE ${CATEGORIES}/${gone}`, { token: director });
  // The second would be its own parent; 6 exists only in the other family.
  for (const parent of [gone, 3, 6]) {
    expect(await errorsOf(`POST ${CATEGORIES}`, director, named('Кофе', parent))).toEqual({
      parent_id: NOT_FOUND,
    });
  }
});

test('a category never stands under itself', async () => {
  const { director } = await newFamily();
  const top = await make(CATEGORIES, director, named('1'));
  const middle = await make(CATEGORIES, director, named('2', top));
  const low = await make(CATEGORIES, director, named('3', middle));
  for (const parent of [top, middle, low]) {
    expect(await errorsOf(`PUT ${CATEGORIES}/${top}`, director, named('1', parent))).toEqual({
      parent_id: NOT_FOUND,
    });
  }
  const moved = await call(`PUT ${CATEGORIES}/${low}`, { token: director, json: named('3', top) });
  expect(moved).toMatchObject({ status: 200, body: { parent_id: top } });
  const under = await call(`PUT ${CATEGORIES}/${middle}`, { token: director, json: named('2', low) });
  expect(under).toMatchObject({ status: 200, body: { parent_id: low } });
});

test('two moves at once never close a circle', async () => {
  const { director: token } = await newFamily();
  for (let round = 0; round < 5; round++) {
    const [a, b] = [
      await make(CATEGORIES, token, named(`a${round}`)),
      await make(CATEGORIES, token, named(`b${round}`)),
    ];
    const replies = await Promise.all([
      call(`PUT ${CATEGORIES}/${a}`, { token, json: named(`a${round}`, b) }),
      call(`PUT ${CATEGORIES}/${b}`, { token, json: named(`b${round}`, a) }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  }
});

test('a category with categories is not deleted; without them it is', async () => {
  const { director: token } = await newFamily();
  const top = await make(CATEGORIES, token, named('1'));
  const low = await make(CATEGORIES, token, named('2', top));
  expect(await call(`DELETE ${CATEGORIES}/${top}`, { token })).toMatchObject(errorWith('category.in_use'));
  await call(`DELETE ${CATEGORIES}/${low}`, { token });
  expect((await call(`DELETE ${CATEGORIES}/${top}`, { token })).status).toBe(200);
  const orphan = await call(`DELETE ${CATEGORIES}/${low}/restore`, { token });
  expect(orphan).toMatchObject({ status: 422, body: { errors: { parent_id: [NOT_FOUND] } } });
  await call(`DELETE ${CATEGORIES}/${top}/restore`, { token });
  expect((await call(`DELETE ${CATEGORIES}/${low}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${CATEGORIES}/${top}`, { token })).status).toBe(400);
  await call(`PUT ${CATEGORIES}/${low}`, { token, json: named('2') });
  expect((await call(`DELETE ${CATEGORIES}/${top}`, { token })).status).toBe(200);
});

test('of deleting a parent and giving it a child at the same moment, one is refused', async () => {
  const { director: token } = await newFamily();
  for (let round = 0; round < 5; round++) {
    const top = await make(CATEGORIES, token, named(`top ${round}`));
    const replies = await Promise.all([
      call(`DELETE ${CATEGORIES}/${top}`, { token }),
      call(`POST ${CATEGORIES}`, { token, json: named(`low ${round}`, top) }),
    ]);
    expect([
      [200, 422],
      [400, 200],
    ]).toContainEqual(replies.map(({ status }) => status));
  }
});
