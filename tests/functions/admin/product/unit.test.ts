import { beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { copyToEveryFamily } from '#lib/catalog/unit/template.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import {
  newCompany,
  newFamily,
  newFamilyWithBranch,
  newFoundedFamily,
  newSuperAdministrator,
} from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import type { Family } from '#tests/support/provisioning.ts';
import {
  errorsOf,
  expectSixPlatformOperations,
  idsOf,
  make,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const TEMPLATES = '/admin/product/unit';
const UNITS = '/company/product/unit';
const PRODUCTS = '/company/product/product';

// Each template is copied to all families that tests have made, some two thousand, one after the other.

vi.setConfig({ testTimeout: 60_000 });

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

const named = (word: string, accuracy = 0) => ({
  name: { ru: `${word} ru`, uz: `${word} uz`, oz: `${word} oz` },
  accuracy,
});

const Units = z.object({ data: z.array(z.object({ id: z.int(), source_id: z.int().nullable() })) });

async function unitsOf({ director }: Pick<Family, 'director'>, word: string) {
  const { body } = await call(`GET ${UNITS}?filter[name]=${word}`, { token: director });
  return Units.parse(body).data;
}

test('a template is made, found, changed, deleted and restored', async () => {
  const shown = { company_id: null, source_id: null };
  await expectSixPlatformOperations(
    TEMPLATES,
    { ...named('Litr', 4), ...shown },
    { ...named('Metr'), ...shown },
  );
});

test('a name is unique among templates in each language, whatever its letter case', async () => {
  await make(TEMPLATES, token, named('Gramm'));
  const other = await make(TEMPLATES, token, named('Tonna'));
  const name = { ru: 'GRAMM RU', uz: 'Gramm', oz: 'gramm oz' };
  for (const request of [`POST ${TEMPLATES}`, `PUT ${TEMPLATES}/${other}`]) {
    expect(await errorsOf(request, token, { name, accuracy: 0 })).toEqual({
      'name.ru': TAKEN,
      'name.oz': TAKEN,
    });
  }
});

test('the name is required in every language, the accuracy is a whole number from 0 to 4', async () => {
  expect(await errorsOf(`POST ${TEMPLATES}`, token, { name: { ru: 'x'.repeat(256) } })).toEqual({
    accuracy: REQUIRED,
    'name.ru': 'Не длиннее 255 символов.',
    'name.uz': REQUIRED,
    'name.oz': REQUIRED,
  });
  for (const accuracy of [-1, 5, 1.5, '03']) {
    const errors = await errorsOf(`POST ${TEMPLATES}`, token, { ...named('Dyuym'), accuracy });
    expect(Object.keys(errors)).toEqual(['accuracy']);
  }
});

test('templates are found by name and accuracy', async () => {
  const id = await make(TEMPLATES, token, named('Barrel', 2));
  expect(await idsOf(TEMPLATES, token, 'filter[name]=BARREL')).toEqual([id]);
  expect(await idsOf(TEMPLATES, token, 'filter[name]=barrel&filter[accuracy]=2')).toEqual([id]);
  expect(await idsOf(TEMPLATES, token, 'filter[name]=barrel&filter[accuracy]=3')).toEqual([]);
});

test('every family gets one copy, which a branch shares and an edit of the template leaves as it is', async () => {
  const [family, other] = await Promise.all([newFamilyWithBranch(), newFamily()]);
  const id = await make(TEMPLATES, token, named('Quti', 3));
  await vi.waitFor(async () => expect(await unitsOf(family, 'Quti')).toHaveLength(1), MAX_WAIT_MS);
  await vi.waitFor(async () => expect(await unitsOf(other, 'Quti')).toHaveLength(1), MAX_WAIT_MS);
  const [copy] = await unitsOf(family, 'Quti');
  const address = `${UNITS}/${copy?.id}`;
  expect((await call(`GET ${address}`, { token: family.director })).body).toMatchObject({
    ...named('Quti', 3),
    source_id: id,
    creator_id: null,
    company_id: family.companyId,
  });
  expect(await unitsOf({ director: family.branchDirector }, 'Quti')).toEqual([copy]);
  expect((await call(`PUT ${TEMPLATES}/${id}`, { token, json: named('Yashik') })).status).toBe(200);
  expect((await call(`GET ${address}`, { token: family.director })).body).toMatchObject(named('Quti', 3));
});

test('a copy is made once, whatever the family has made of it, and keeps the name the family gave it', async () => {
  const [family, other] = await Promise.all([newFamily(), newFamily()]);
  const own = await make(UNITS, other.director, {
    ...named('Oʻzimniki'),
    name: { ...named('Dasta').name, ru: 'Букет' },
  });
  const id = await make(TEMPLATES, token, named('Dasta'));
  await vi.waitFor(async () => expect(await unitsOf(family, 'Dasta')).toHaveLength(1), MAX_WAIT_MS);
  const [copy] = await unitsOf(family, 'Dasta');
  const renamed = await call(`PUT ${UNITS}/${copy?.id}`, { token: family.director, json: named('Bogʻlam') });
  expect(renamed).toMatchObject({ status: 200, body: { source_id: id } });
  await Promise.all([copyToEveryFamily(id, Date.now()), copyToEveryFamily(id, Date.now())]);
  expect(await unitsOf(family, 'Dasta')).toEqual([]);
  expect(await unitsOf(other, 'Dasta')).toEqual([{ id: own, source_id: null }]);
});

test('a new company gets a copy of every template that is not deleted; a branch has those of its family', async () => {
  const id = await make(TEMPLATES, token, named('Rulon'));
  const gone = await make(TEMPLATES, token, named('Eskirgan'));
  expect((await call(`DELETE ${TEMPLATES}/${gone}`, { token })).status).toBe(200);
  const family = await newFoundedFamily();
  expect(await unitsOf(family, 'Rulon')).toMatchObject([{ source_id: id }]);
  expect(await unitsOf(family, 'Eskirgan')).toEqual([]);
  await newCompany(family.companyId);
  expect(await unitsOf(family, 'Rulon')).toHaveLength(1);
});

test('a template is not deleted while a product, even a deleted one, has its copy', async () => {
  const family = await newFamily();
  const id = await make(TEMPLATES, token, named('Varaq'));
  await vi.waitFor(async () => expect(await unitsOf(family, 'Varaq')).toHaveLength(1), MAX_WAIT_MS);
  const [copy] = await unitsOf(family, 'Varaq');
  const catalog = await newCatalog(family);
  const piece = await make(UNITS, family.director, named('Boshqa'));
  const json = card(catalog, { name: 'Paper', unit_id: copy?.id });
  const product = await make(PRODUCTS, family.director, json);
  const refused = {
    status: 400,
    body: { message: 'Единицу измерения, к которой привязаны товары, удалить нельзя.' },
  };
  expect(await call(`DELETE ${TEMPLATES}/${id}`, { token })).toMatchObject(refused);
  await call(`DELETE ${PRODUCTS}/${product}`, { token: family.director });
  expect(await call(`DELETE ${TEMPLATES}/${id}`, { token })).toMatchObject(refused);
  await call(`DELETE ${PRODUCTS}/${product}/restore`, { token: family.director });
  const moved = { ...json, unit_id: piece };
  expect((await call(`PUT ${PRODUCTS}/${product}`, { token: family.director, json: moved })).status).toBe(
    200,
  );
  expect((await call(`DELETE ${TEMPLATES}/${id}`, { token })).status).toBe(200);
  expect((await call(`DELETE ${TEMPLATES}/${id}`, { token })).status).toBe(404);
});
