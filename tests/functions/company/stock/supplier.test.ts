import { expect, test } from 'vitest';
import { update } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  errorWith,
  expectSixOperations,
  idsOf,
  make,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const SUPPLIERS = '/company/stock/supplier';

const NOTHING = { uzs: 0, usd: 0, eur: 0, rub: 0 };

test('a supplier is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(
    SUPPLIERS,
    { name: 'Ферма', phone: '998901112233' },
    { name: 'Завод', phone: null },
  );
});

test('a name is required and unique in the family whatever its letter case; a phone has its format', async () => {
  const { director } = await newFamily();
  await make(SUPPLIERS, director, { name: 'Ферма' });
  expect(await errorsOf(`POST ${SUPPLIERS}`, director, { name: 'ФЕРМА' })).toEqual({ name: TAKEN });
  expect(await errorsOf(`POST ${SUPPLIERS}`, director, { phone: '+998 90 111-22-33' })).toEqual({
    name: REQUIRED,
    phone: 'Телефон должен быть в формате 998xxyyyzzzz.',
  });
});

test('balances begin at zero, and nobody sets them', async () => {
  const { director: token } = await newFamily();
  const json = { name: 'Ферма', balances: { ...NOTHING, uzs: 100 } };
  const made = await call(`POST ${SUPPLIERS}`, { token, json });
  expect(made.body).toMatchObject({ balances: NOTHING });
  expect((await call(`PUT ${SUPPLIERS}/${made.number('id')}`, { token, json })).body).toMatchObject({
    balances: NOTHING,
  });
});

test('an edit does not change what is owed, which every answer shows', async () => {
  const { director: token, companyId } = await newFamily();
  const id = await make(SUPPLIERS, token, { name: 'Ферма' });
  await transact([
    update(recordKey('supplier-balance', `family-${companyId}`, id), { add: { uzs: 123_450, usd: -1 } }),
  ]);
  const balances = { ...NOTHING, uzs: 1234.5, usd: -0.01 };
  const edited = await call(`PUT ${SUPPLIERS}/${id}`, { token, json: { name: 'Завод' } });
  expect(edited.body).toMatchObject({ name: 'Завод', balances });
  expect((await call(`GET ${SUPPLIERS}/${id}`, { token })).body).toMatchObject({ balances });
  expect((await call(`GET ${SUPPLIERS}`, { token })).body).toMatchObject({ data: [{ id, balances }] });
});

test('a supplier with a balance in any currency, on either side, is not deleted (Contract 9.118)', async () => {
  const { director: token, companyId } = await newFamily();
  for (const [currency, sum] of [
    ['uzs', 600_000],
    ['eur', -1],
  ] as const) {
    const id = await make(SUPPLIERS, token, { name: `Ферма ${currency}` });
    const key = recordKey('supplier-balance', `family-${companyId}`, id);
    await transact([update(key, { add: { [currency]: sum } })]);
    const refused = await call(`DELETE ${SUPPLIERS}/${id}`, { token });
    expect(refused).toMatchObject(errorWith('supplier.has_balance'));
    expect(await idsOf(SUPPLIERS, token, `filter[id]=${id}`)).toEqual([id]);
    await transact([update(key, { add: { [currency]: -sum } })]);
    expect((await call(`DELETE ${SUPPLIERS}/${id}`, { token })).status).toBe(200);
  }
});

test('suppliers are found by a part of the name and by phone', async () => {
  const { director } = await newFamily();
  const farm = await make(SUPPLIERS, director, { name: 'Ферма', phone: '998901112233' });
  const plant = await make(SUPPLIERS, director, { name: 'Завод' });
  expect(await idsOf(SUPPLIERS, director, 'filter[name]=ЗАВ')).toEqual([plant]);
  expect(await idsOf(SUPPLIERS, director, 'filter[phone]=998901112233')).toEqual([farm]);
});
