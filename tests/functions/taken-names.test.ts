import { expect, test } from 'vitest';
import { newEmployee, newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';

const SUPPLIERS = '/company/stock/supplier';

const told = (path: string, id: number, is_deleted = false) => ({
  status: 422,
  body: { codes: { [path]: ['validation.taken'] }, holders: { [path]: { id, is_deleted } } },
});

test('a name that is taken is refused with the record that has it, and whether it is deleted', async () => {
  const { director: token } = await newFamily();
  const id = await make(SUPPLIERS, token, { name: 'Olma' });
  const json = { name: ' OLMA ' };
  expect(await call(`POST ${SUPPLIERS}`, { token, json })).toMatchObject(told('name', id));
  await call(`DELETE ${SUPPLIERS}/${id}`, { token });
  expect(await call(`POST ${SUPPLIERS}`, { token, json })).toMatchObject(told('name', id, true));
  const other = await make(SUPPLIERS, token, { name: 'Nok' });
  expect(await call(`PUT ${SUPPLIERS}/${other}`, { token, json })).toMatchObject(told('name', id, true));
});

test('so are a brand and each language of a category', async () => {
  const { director: token } = await newFamily();
  const brand = { name: 'Artel', image_old_keys: '[]' };
  const brandId = await make('/company/product/brand', token, brand);
  expect(await call('POST /company/product/brand', { token, json: brand })).toMatchObject(
    told('name', brandId),
  );

  const name = { ru: 'Чай', uz: 'Чой', oz: 'Choy' };
  const categoryId = await make('/company/product/category', token, { name });
  const again = { name: { ...name, ru: 'Кофе', oz: 'Kofe' } };
  expect(await call('POST /company/product/category', { token, json: again })).toMatchObject(
    told('name.uz', categoryId),
  );
});

test('a record that the caller does not reach stays unknown', async () => {
  const { director, branchDirector, companyId } = await newFamilyWithBranch();
  await make('/company/stock/stock', director, { name: 'Main', company_id: companyId });
  const { body } = await call('POST /company/stock/stock', { token: branchDirector, json: { name: 'main' } });
  expect(body).toMatchObject({ codes: { name: ['validation.taken'] } });
  expect(body).not.toHaveProperty('holders');
});

test('a username is not revealed to a caller who does not reach the user', async () => {
  const [stranger, family] = await Promise.all([newFamily(), newFamily()]);
  await newEmployee(family, [], { username: `taken-${family.companyId}` });
  const json = {
    type: 'director',
    username: `taken-${family.companyId}`,
    phone: '998901112233',
    are_all_companies_available: true,
    new_password: 'Savdo-2026',
    new_password_confirmation: 'Savdo-2026',
  };
  const { body } = await call('POST /company/user/user', { token: stranger.director, json });
  expect(body).toMatchObject({ codes: { username: ['validation.taken'] } });
  expect(body).not.toHaveProperty('holders');
});

test('the platform tells it of its own records', async () => {
  const token = await newSuperAdministrator();
  const name = `Область ${Date.now()}`;
  const id = await make('/admin/region/region', token, { name });
  expect(await call('POST /admin/region/region', { token, json: { name } })).toMatchObject(told('name', id));
});
