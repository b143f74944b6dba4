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

const SPECIFICATIONS = '/company/product/specification';
const OPTIONS = '/company/product/option';

let family: Family;
let token: string;
let colour: number;
let size: number;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
  colour = await specification('Rang');
  size = await specification('Hajm');
});

function specification(word: string): Promise<number> {
  return make(SPECIFICATIONS, token, { name: { ru: word, uz: word, oz: word } });
}

const red = () => ({ specification_id: colour, name: 'Red' });

test('an option is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(OPTIONS, red(), { specification_id: size, name: 'Large' }, { family });
});

test("another family's specification is not found", async () => {
  const { director } = await newFamily();
  expect(await errorsOf(`POST ${OPTIONS}`, director, red())).toEqual({ specification_id: NOT_FOUND });
});

test('a name is unique within its specification, whatever its letter case, deleted or not', async () => {
  const id = await make(OPTIONS, token, red());
  await call(`DELETE ${OPTIONS}/${id}`, { token });
  expect(await errorsOf(`POST ${OPTIONS}`, token, { ...red(), name: 'RED' })).toEqual({ name: TAKEN });
  const other = await make(OPTIONS, token, { specification_id: size, name: 'Red' });
  expect(await errorsOf(`PUT ${OPTIONS}/${other}`, token, red())).toEqual({ name: TAKEN });
});

test('an option has a name and a specification of the family that is not deleted', async () => {
  expect(await errorsOf(`POST ${OPTIONS}`, token, { name: ' ' })).toEqual({
    name: REQUIRED,
    specification_id: REQUIRED,
  });
  await call(`DELETE ${SPECIFICATIONS}/${size}`, { token });
  const json = { specification_id: size, name: 'Large' };
  expect(await errorsOf(`POST ${OPTIONS}`, token, json)).toEqual({ specification_id: NOT_FOUND });
});

test('options are found by specification and by a part of the name', async () => {
  const first = await make(OPTIONS, token, red());
  const second = await make(OPTIONS, token, { specification_id: size, name: 'Large' });
  expect(await idsOf(OPTIONS, token, `filter[specification_id]=${size}`)).toEqual([second]);
  expect(await idsOf(OPTIONS, token, 'filter[name]=rE')).toEqual([first]);
});
