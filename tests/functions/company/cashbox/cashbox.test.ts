import { expect, test } from 'vitest';
import { update } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newEmployee, newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
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

const DESKS = '/company/cashbox/cashbox';

const none = { uzs: 0, usd: 0, eur: 0, rub: 0 };
const EMPTY = { cash: none, card: none, bank: none };

/** Finds the main desk of a company. */
async function mainOf(token: string, companyId: number): Promise<number> {
  const [main = 0] = await idsOf(DESKS, token, `filter[company_id]=${companyId}&filter[type]=main`);
  return main;
}

async function putMoney(familyId: number, desk: number, add: Record<string, number>) {
  await transact([update(recordKey('cashbox-balance', `family-${familyId}`, desk), { add })]);
}

test('a cash desk is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(DESKS, { name: 'Касса 1', type: 'sale' }, { name: 'Касса 2', type: 'sale' });
});

test('a company and a branch each come with their main cash desk, without money', async () => {
  const { director: token, companyId, branch } = await newFamilyWithBranch();
  const { body } = await call(`GET ${DESKS}?sort[]=id`, { token });
  expect(body).toMatchObject({
    data: [
      {
        id: await mainOf(token, companyId),
        company_id: companyId,
        type: 'main',
        name: `Главная касса №${companyId}`,
        balances: EMPTY,
      },
      {
        id: await mainOf(token, branch),
        company_id: branch,
        type: 'main',
        name: `Главная касса №${branch}`,
        balances: EMPTY,
      },
    ],
    meta: { total: 2 },
  });
});

test('a company that is refused leaves no desk behind', async () => {
  const { director, companyId, branch } = await newFamilyWithBranch();
  const admin = await newSuperAdministrator();
  const mains = [await mainOf(director, companyId), await mainOf(director, branch)];
  const json = { name: 'X', parent_id: branch };
  expect(Object.keys(await errorsOf('POST /admin/company/company', admin, json))).toEqual(['parent_id']);
  expect(await idsOf(DESKS, director, 'show[]=with-deleted')).toEqual(mains);
  const made = await call('POST /admin/company/company', {
    token: admin,
    json: { ...json, parent_id: companyId },
  });
  expect(made.status).toBe(200);
  expect(await idsOf(DESKS, director, 'filter[type]=main')).toHaveLength(3);
});

test('a company has one main desk, and another desk may take its part', async () => {
  const { director: token, companyId, branch } = await newFamilyWithBranch();
  const first = await mainOf(token, companyId);
  const second = { name: 'Вторая', type: 'main' };
  expect(await errorsOf(`POST ${DESKS}`, token, second)).toEqual({ type: TAKEN });
  expect(await errorsOf(`POST ${DESKS}`, token, { ...second, company_id: branch })).toEqual({ type: TAKEN });
  const id = await make(DESKS, token, { ...second, type: 'sale' });
  expect(await errorsOf(`PUT ${DESKS}/${id}`, token, second)).toEqual({ type: TAKEN });
  await call(`PUT ${DESKS}/${first}`, { token, json: { name: 'Первая', type: 'sale' } });
  expect(await call(`PUT ${DESKS}/${id}`, { token, json: second })).toMatchObject({
    status: 200,
    body: { type: 'main' },
  });
});

test('name and type are required, the name unique in the family whatever its letter case', async () => {
  const { director, branchDirector } = await newFamilyWithBranch();
  await make(DESKS, director, { name: 'Касса', type: 'sale' });
  const json = { name: 'КАССА', type: 'sale' };
  expect(await errorsOf(`POST ${DESKS}`, branchDirector, json)).toEqual({ name: TAKEN });
  expect(await errorsOf(`POST ${DESKS}`, director, {})).toEqual({ name: REQUIRED, type: REQUIRED });
  expect(await errorsOf(`POST ${DESKS}`, director, { name: 'X', type: 'other' })).toEqual({
    type: 'Допустимые значения: main, sale.',
  });
});

test('nobody sets a desk’s money; it is shown everywhere, and stays when the desk is edited', async () => {
  const { director: token, companyId } = await newFamily();
  const json = { name: 'Касса', type: 'sale', balances: { ...EMPTY, cash: { ...none, uzs: 1 } } };
  const id = await make(DESKS, token, json);
  expect((await call(`GET ${DESKS}/${id}`, { token })).body).toMatchObject({ balances: EMPTY });
  await putMoney(companyId, id, { cash_uzs: 1_000_050, card_usd: 2_500 });
  const balances = { ...EMPTY, cash: { ...none, uzs: 10_000.5 }, card: { ...none, usd: 25 } };
  expect((await call(`PUT ${DESKS}/${id}`, { token, json })).body).toMatchObject({ balances });
  expect((await call(`GET ${DESKS}/${id}`, { token })).body).toMatchObject({ balances });
  const list = await call(`GET ${DESKS}?filter[type]=sale`, { token });
  expect(list.body).toMatchObject({ data: [{ id, balances }] });
});

test('a desk with money in it is not deleted', async () => {
  const { director: token, companyId } = await newFamily();
  const id = await make(DESKS, token, { name: 'Касса', type: 'sale' });
  await putMoney(companyId, id, { bank_rub: 1 });
  expect(await call(`DELETE ${DESKS}/${id}`, { token })).toMatchObject(errorWith('cashbox.not_empty'));
  await putMoney(companyId, id, { bank_rub: -1 });
  expect((await call(`DELETE ${DESKS}/${id}`, { token })).status).toBe(200);
});

test('an employee reaches only the desks named for them', async () => {
  const family = await newFamilyWithBranch();
  const id = await make(DESKS, family.director, { name: 'Касса', type: 'sale' });
  const rights = ['company.cashbox.cashbox.*'];
  const mains = [
    await mainOf(family.director, family.companyId),
    await mainOf(family.director, family.branch),
  ];
  const token = await newEmployee(family, rights, { cashbox_ids: [id, mains[1] ?? 0] });
  expect(await idsOf(DESKS, token)).toEqual([id]);
  for (const desk of mains) {
    for (const method of ['GET', 'DELETE']) {
      expect((await call(`${method} ${DESKS}/${desk}`, { token })).status).toBe(404);
    }
  }
  expect((await call(`GET ${DESKS}/${id}`, { token })).status).toBe(200);
  expect(await idsOf(DESKS, await newEmployee(family, rights))).toEqual([]);
});

test('a director of a branch reaches only its desks, and makes desks there', async () => {
  const { director, branchDirector: token, companyId, branch } = await newFamilyWithBranch();
  const [main, other] = [await mainOf(director, branch), await mainOf(director, companyId)];
  expect(await idsOf(DESKS, token)).toEqual([main]);
  expect((await call(`GET ${DESKS}/${other}`, { token })).status).toBe(404);
  const json = { name: 'Касса', type: 'sale' };
  const id = await make(DESKS, token, json);
  expect(await idsOf(DESKS, director, `filter[company_id]=${branch}`)).toEqual([main, id]);
  expect(await errorsOf(`PUT ${DESKS}/${id}`, token, { ...json, company_id: companyId })).toEqual({
    company_id: NOT_FOUND,
  });
});
