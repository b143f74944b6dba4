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

const REASONS = '/company/cashbox/reason';

const income = (name: string, parent_id: number | null = null) => ({ type: 'income', name, parent_id });
const outcome = (name: string, parent_id: number | null = null) => ({ type: 'outcome', name, parent_id });

test('an item is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(REASONS, outcome('Аренда'), outcome('Связь'));
});

test('a name is unique within the type and the parent, whatever its letter case', async () => {
  const { director } = await newFamily();
  const rent = await make(REASONS, director, outcome('Аренда'));
  expect(await errorsOf(`POST ${REASONS}`, director, outcome('АРЕНДА'))).toEqual({ name: TAKEN });
  await make(REASONS, director, income('Аренда'));
  await make(REASONS, director, outcome('Аренда', rent));
  const other = await make(REASONS, director, outcome('Связь', rent));
  expect(await errorsOf(`PUT ${REASONS}/${other}`, director, outcome('аренда', rent))).toEqual({
    name: TAKEN,
  });
  expect(await errorsOf(`PUT ${REASONS}/${other}`, director, outcome('аренда'))).toEqual({ name: TAKEN });
});

test('name and type are required', async () => {
  const { director } = await newFamily();
  expect(await errorsOf(`POST ${REASONS}`, director, {})).toEqual({ type: REQUIRED, name: REQUIRED });
  expect(await errorsOf(`POST ${REASONS}`, director, { type: 'x', name: 'x'.repeat(256) })).toEqual({
    type: 'Допустимые значения: income, outcome.',
    name: 'Не длиннее 255 символов.',
  });
});

test('a parent is an item of the family with the same type, and the type never changes', async () => {
  const [{ director }, stranger] = await Promise.all([newFamily(), newFamily()]);
  const sales = await make(REASONS, director, income('Продажи'));
  for (const name of '123456') await make(REASONS, stranger.director, outcome(name));
  for (const parent of [sales, 3, 6]) {
    expect(await errorsOf(`POST ${REASONS}`, director, outcome('Аренда', parent))).toEqual({
      parent_id: NOT_FOUND,
    });
  }
  expect(await errorsOf(`PUT ${REASONS}/${sales}`, director, outcome('Продажи'))).toEqual({
    type: 'Тип статьи изменить нельзя.',
  });
});

test('an item never stands under itself, and is not deleted while others stand under it', async () => {
  const { director: token } = await newFamily();
  const top = await make(REASONS, token, outcome('1'));
  const low = await make(REASONS, token, outcome('2', top));
  for (const parent of [top, low]) {
    expect(await errorsOf(`PUT ${REASONS}/${top}`, token, outcome('1', parent))).toEqual({
      parent_id: NOT_FOUND,
    });
  }
  expect(await call(`DELETE ${REASONS}/${top}`, { token })).toMatchObject({
    status: 400,
    body: { message: 'Статью с вложенными статьями удалить нельзя.' },
  });
  await call(`PUT ${REASONS}/${low}`, { token, json: outcome('2') });
  expect((await call(`DELETE ${REASONS}/${top}`, { token })).status).toBe(200);
});

test('items are found by type, parent and a part of the name', async () => {
  const { director } = await newFamily();
  const rent = await make(REASONS, director, outcome('Аренда'));
  const office = await make(REASONS, director, outcome('Офис', rent));
  const sales = await make(REASONS, director, income('Продажи'));
  expect(await idsOf(REASONS, director, 'filter[type]=outcome')).toEqual([rent, office]);
  expect(await idsOf(REASONS, director, `filter[parent_id]=${rent}`)).toEqual([office]);
  expect(await idsOf(REASONS, director, 'filter[name]=ПРОДА')).toEqual([sales]);
});
