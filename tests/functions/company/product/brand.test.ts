import { expect, test } from 'vitest';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';

const BRANDS = '/company/product/brand';

test('a brand is made, found, changed, deleted and restored', async () => {
  const { director, companyId, directorId } = await newFamily();
  const made = await call(`POST ${BRANDS}`, {
    token: director,
    json: { name: 'Artel', image_old_keys: '[]' },
  });
  expect(made).toMatchObject({
    status: 200,
    body: { name: 'Artel', company_id: companyId, creator_id: directorId, is_deleted: false },
  });

  const brand = `${BRANDS}/${made.number('id')}`;
  expect((await call(`GET ${brand}`, { token: director })).body).toEqual(made.body);
  expect((await call(`DELETE ${brand}`, { token: director })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${brand}`, { token: director })).status).toBe(404);
  expect((await call(`DELETE ${brand}/restore`, { token: director })).status).toBe(200);
  expect((await call(`DELETE ${brand}/restore`, { token: director })).status).toBe(404);
});

test('a name is unique in the family whatever its letter case, and a deleted brand keeps its own', async () => {
  const { director } = await newFamily();
  const id = await make(BRANDS, director, { name: 'Artel', image_old_keys: '[]' });
  expect((await call(`DELETE ${BRANDS}/${id}`, { token: director })).status).toBe(200);
  const again = await call(`POST ${BRANDS}`, {
    token: director,
    json: { name: 'ARTEL', image_old_keys: '[]' },
  });
  expect(again).toMatchObject({ status: 422, body: { errors: { name: ['Такое значение уже занято.'] } } });
});

test('another family sees none of the brands', async () => {
  const [one, other] = await Promise.all([newFamily(), newFamily()]);
  const id = await make(BRANDS, one.director, { name: 'Artel', image_old_keys: '[]' });
  expect((await call(`GET ${BRANDS}/${id}`, { token: other.director })).status).toBe(404);
  expect(await call(`GET ${BRANDS}`, { token: other.director })).toMatchObject({
    body: { data: [], meta: { total: 0 } },
  });
});

test('an employee without the right gets 403', async () => {
  const family = await newFamily();
  const cashier = await newEmployee(family, ['company.product.brand.index']);
  expect((await call(`GET ${BRANDS}`, { token: cashier })).status).toBe(200);
  expect((await call(`POST ${BRANDS}`, { token: cashier, json: { name: 'Artel' } })).status).toBe(403);
});
