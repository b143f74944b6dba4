import { expect, test } from 'vitest';
import { requireWarehouse } from '#lib/stock/warehouse.ts';
import { directorAs, newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
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

const WAREHOUSES = '/company/stock/stock';

test('a warehouse is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(WAREHOUSES, { name: 'Главный' }, { name: 'Дальний' });
});

test('a name is required, and unique in the family whatever its letter case', async () => {
  const { director, branchDirector } = await newFamilyWithBranch();
  await make(WAREHOUSES, director, { name: 'Главный' });
  expect(await errorsOf(`POST ${WAREHOUSES}`, branchDirector, { name: ' ГЛАВНЫЙ ' })).toEqual({
    name: TAKEN,
  });
  expect(await errorsOf(`POST ${WAREHOUSES}`, director, { name: '' })).toEqual({ name: REQUIRED });
});

test('a warehouse belongs to the company of its maker, or to the one that is given', async () => {
  const { director, companyId, branch } = await newFamilyWithBranch();
  const main = await make(WAREHOUSES, director, { name: 'Main' });
  const id = await make(WAREHOUSES, director, { name: 'Branch', company_id: branch });
  const put = async (json: object) => (await call(`PUT ${WAREHOUSES}/${id}`, { token: director, json })).body;
  expect(await put({ name: 'Branch 2' })).toMatchObject({ company_id: branch });
  expect(await put({ name: 'Branch 2', company_id: companyId })).toMatchObject({ company_id: companyId });
  expect(await idsOf(WAREHOUSES, director, `filter[company_id]=${companyId}`)).toEqual([main, id]);
});

test('a company of another family, and one that is not open, is 422', async () => {
  const [one, stranger] = await Promise.all([newFamilyWithBranch(), newFamily()]);
  for (const company_id of [stranger.companyId, 999_999]) {
    expect(await errorsOf(`POST ${WAREHOUSES}`, one.director, { name: 'X', company_id })).toEqual({
      company_id: NOT_FOUND,
    });
  }
  const id = await make(WAREHOUSES, one.branchDirector, { name: 'Branch' });
  for (const request of [`POST ${WAREHOUSES}`, `PUT ${WAREHOUSES}/${id}`]) {
    expect(await errorsOf(request, one.branchDirector, { name: 'X', company_id: one.companyId })).toEqual({
      company_id: NOT_FOUND,
    });
  }
});

test('a director of a branch reaches only its warehouses, the director of the main company all', async () => {
  const { director, branch, branchDirector: token } = await newFamilyWithBranch();
  const main = await make(WAREHOUSES, director, { name: 'Main' });
  const own = await make(WAREHOUSES, director, { name: 'Branch', company_id: branch });
  expect(await idsOf(WAREHOUSES, director)).toEqual([main, own]);
  expect(await idsOf(WAREHOUSES, token)).toEqual([own]);
  expect((await call(`GET ${WAREHOUSES}/${main}`, { token })).status).toBe(404);
  expect((await call(`PUT ${WAREHOUSES}/${main}`, { token, json: { name: 'Mine' } })).status).toBe(404);
  expect((await call(`DELETE ${WAREHOUSES}/${main}`, { token })).status).toBe(404);
  await call(`DELETE ${WAREHOUSES}/${main}`, { token: director });
  expect((await call(`DELETE ${WAREHOUSES}/${main}/restore`, { token })).status).toBe(404);
});

test('an employee reaches the warehouses named for them: none if none is named (Contract 3)', async () => {
  const family = await newFamilyWithBranch();
  const first = await make(WAREHOUSES, family.director, { name: '1' });
  const second = await make(WAREHOUSES, family.director, { name: '2' });
  const elsewhere = await make(WAREHOUSES, family.director, { name: '3', company_id: family.branch });
  const rights = ['company.stock.stock.*'];
  const limited = await newEmployee(family, rights, { stock_ids: [second, elsewhere] });
  expect(await idsOf(WAREHOUSES, limited)).toEqual([second]);
  expect((await call(`GET ${WAREHOUSES}/${first}`, { token: limited })).status).toBe(404);
  expect((await call(`GET ${WAREHOUSES}/${second}`, { token: limited })).status).toBe(200);
  const free = await newEmployee(family, rights);
  expect(await idsOf(WAREHOUSES, free)).toEqual([]);
});

test('warehouses are found and ordered by name', async () => {
  const { director: token } = await newFamily();
  const second = await make(WAREHOUSES, token, { name: 'Б склад' });
  const first = await make(WAREHOUSES, token, { name: 'А склад' });
  await make(WAREHOUSES, token, { name: 'База' });
  expect(await idsOf(WAREHOUSES, token, 'filter[name]=СКЛАД')).toEqual([second, first]);
  const { body } = await call(`GET ${WAREHOUSES}?sort[]=-name`, { token });
  expect(body).toMatchObject({ data: [{ name: 'База' }, { name: 'Б склад' }, { name: 'А склад' }] });
});

test('a document finds the warehouse that it names, or reports on the path that it does not exist', async () => {
  const { director, directorId, companyId } = await newFamily();
  const id = await make(WAREHOUSES, director, { name: 'Main' });
  const actor = directorAs(directorId, companyId);
  expect(await requireWarehouse(actor, id, 'stock_id')).toMatchObject({ id, name: 'Main' });
  const notFound = { status: 422, fields: { from_stock_id: { key: 'validation.not_found' } } };
  await expect(requireWarehouse(actor, 999_999_999, 'from_stock_id')).rejects.toMatchObject(notFound);
  const elsewhere = { ...actor, companies: [999_999_999] };
  await expect(requireWarehouse(elsewhere, id, 'from_stock_id')).rejects.toMatchObject(notFound);
  await call(`DELETE ${WAREHOUSES}/${id}`, { token: director });
  await expect(requireWarehouse(actor, id, 'from_stock_id')).rejects.toMatchObject(notFound);
});
