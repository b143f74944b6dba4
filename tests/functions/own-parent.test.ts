import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { addProduct, card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { companyInput, type Family } from '#tests/support/provisioning.ts';
import { errorsOf, make, NOT_FOUND } from '#tests/support/records.ts';

/*
 * The id of the next record can be guessed: the first of a family is 1. A caller that names it as the parent
 * names a record that does not exist yet.
 */

const PRODUCTS = '/company/product/product';
const COMPANIES = '/admin/company/company';

/** Nouns of a family whose records have a parent of their own type, and the body of one. */
const NOUNS: Readonly<Record<string, (family: Family) => object | Promise<object>>> = {
  '/company/product/category': () => ({ name: { ru: 'Чай', uz: 'Чой', oz: 'Choy' } }),
  [PRODUCTS]: async (family) => card(await newCatalog(family)),
  '/company/cashbox/reason': () => ({ type: 'outcome', name: 'Аренда' }),
};

test('these are all nouns whose bodies have a parent', async () => {
  const parented = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
    Object.entries(endpoints)
      .filter(([, { metadata }]) => 'parent_id' in fieldsOf(metadata.body))
      .map(([method]) => `${method} ${path}`),
  );
  const expected = [...Object.keys(NOUNS), COMPANIES].flatMap((noun) => [
    `POST ${noun}`,
    `PUT ${noun}/{model}`,
  ]);
  // A card's PATCH is edited as by its PUT. Part 5, 5B.10.
  expect(parented.sort()).toEqual([...expected, `PATCH ${PRODUCTS}/{model}`].sort());
});

test.each(Object.entries(NOUNS))(
  'POST %s that names the id it would get is 422 on parent_id, and so is an edit that names its own',
  async (path, bodyOf) => {
    const family = await newFamily();
    const token = family.director;
    const body = await bodyOf(family);
    const ofItself = { ...body, parent_id: 1 };
    expect(await errorsOf(`POST ${path}`, token, ofItself)).toEqual({ parent_id: NOT_FOUND });
    expect(await make(path, token, { ...body, parent_id: null })).toBe(1);
    expect(await errorsOf(`PUT ${path}/1`, token, ofItself)).toEqual({ parent_id: NOT_FOUND });
  },
);

test('every other field that is wrong is reported, too', async () => {
  const family = await newFamily();
  const token = family.director;
  const catalog = await newCatalog(family);
  const wrong = card(catalog, { parent_id: 1, category_id: 999 });
  const told = { parent_id: NOT_FOUND, category_id: NOT_FOUND };
  expect(await errorsOf(`POST ${PRODUCTS}`, token, wrong)).toEqual(told);
  expect((await addProduct(token, catalog)).number('id')).toBe(1);
  expect(await errorsOf(`PUT ${PRODUCTS}/1`, token, wrong)).toEqual(told);
});

test('so it is for a row of a system beside this one, made or changed (Part 4, 4.3)', async () => {
  const family = await newFamily();
  const row = { ...card(await newCatalog(family)), external_id: '1C-1' };
  const sync = async (given: object) => {
    const json = { products: [{ ...row, ...given }] };
    const { body } = await call(`PUT ${PRODUCTS}/sync`, { token: family.director, json });
    return z.object({ data: z.array(z.looseObject({ product: z.unknown() })).length(1) }).parse(body).data[0];
  };
  const wrong = { parent_id: 1, category_id: 999 };
  const told = { status: 422, errors: { parent_id: [NOT_FOUND], category_id: [NOT_FOUND] } };
  expect(await sync(wrong)).toMatchObject(told);
  expect(await sync({})).toMatchObject({ outcome: 'made', product: { id: 1 } });
  expect(await sync(wrong)).toMatchObject(told);
});

test('a company that names the id it would get is 422 on parent_id, too, and its own can’t be set', async () => {
  const token = await newSuperAdministrator();
  const made = await call(`POST ${COMPANIES}`, { token, json: companyInput() });
  const id = made.number('id');
  // Another test may make the company that is named here: then this one is its branch.
  const next = await call(`POST ${COMPANIES}`, { token, json: companyInput(id + 1) });
  expect([200, 422]).toContain(next.status);
  expect(await errorsOf(`PUT ${COMPANIES}/${id}`, token, companyInput(id))).toHaveProperty('parent_id');
});

function fieldsOf(body: z.ZodType | undefined): object {
  if (!body) return {};
  return z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {};
}
