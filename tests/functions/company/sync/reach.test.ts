import { expect, test } from 'vitest';
import { readStaff, userKey } from '#lib/auth/identify.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { readEntry } from '#lib/webhooks/entry.ts';
import { newFamily, newFamilyWithBranch, newRole } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey, PROGRAM_KEYS } from '#tests/support/program-keys.ts';
import { make } from '#tests/support/records.ts';
import { beginShift, newShiftShop } from '#tests/support/shifts.ts';
import { SyncReader, typesQuery } from '#tests/support/sync.ts';
import { insertUser } from '#tests/support/users.ts';

const RIGHTS = ['company.product.brand.index', 'company.stock.stock.index'];
const TYPES = ['product.brand'] as const;

const ENDED = { status: 410, body: { code: 'sync.reach_changed' } };

test.each([
  ['companies', { are_all_companies_available: false }],
  ['companies, one by one', { company_ids: [1_000_000] }],
  ['desks', { cashbox_ids: [1, 3] }],
  ['warehouses', { stock_ids: [] }],
  ['type', { type: 'director' }],
])('a cursor ends when what its user reaches changes, 410 sync.reach_changed: %s', async (_, set) => {
  const { companyId } = await newFamily();
  const place = { company_id: companyId, family_id: companyId };
  const role_id = await newRole({ type: 'employee', new_routes: RIGHTS, ...place });
  const { id, token } = await insertUser({
    ...{ type: 'employee', role_id, cashbox_ids: [1, 2], stock_ids: [1], ...place },
    are_all_companies_available: !('company_ids' in set),
  });
  const copy = await new SyncReader(token, { types: TYPES }).catchUp();
  // The same in another order is not a change.
  await transact([update(userKey(id), { set: { cashbox_ids: [2, 1, 1] } })]);
  expect((await copy.ask()).status).toBe(200);
  await transact([update(userKey(id), { set })]);
  expect(await copy.ask()).toMatchObject(ENDED);
  const again = await new SyncReader(token, { types: TYPES }).catchUp();
  expect((await again.ask()).status).toBe(200);
});

test('copies and webhooks have all shifts of the desks open to who has the right company.trade.cashbox-shift.all, whose coming ends a cursor; and to a key (Contract 9.141)', async () => {
  const shop = await newShiftShop();
  const place = { company_id: shop.companyId, family_id: shop.companyId };
  const types = ['trade.cashbox-shift'] as const;
  const rightsOf = (...words: string[]) => ({
    new_routes: words.map((word) => `company.trade.cashbox-shift.${word}`),
  });
  const own = await newRole({ type: 'employee', ...rightsOf('index'), ...place });
  const all = await newRole({ type: 'employee', ...rightsOf('index', 'all'), ...place });
  const cashbox_ids = [shop.cashboxId];
  const { id, token } = await insertUser({ type: 'employee', role_id: own, cashbox_ids, ...place });
  const index = ['company.trade.cashbox-shift.index'];
  const { key, id: program } = await newProgramKey(shop, index, { cashbox_ids });
  const shift = await beginShift(shop);
  const idsIn = async (reader: SyncReader) =>
    (await reader.catchUp()).of('trade.cashbox-shift').map((each) => each.id);
  const copy = new SyncReader(token, { types });
  expect(await idsIn(copy)).toEqual([]);
  expect(await idsIn(new SyncReader(key, { types }))).toEqual([shift]);
  await transact([update(userKey(id), { set: { role_id: all } })]);
  expect(await copy.ask()).toMatchObject(ENDED);
  expect(await idsIn(new SyncReader(token, { types }))).toEqual([shift]);
  for (const teller of [id, program]) {
    const actor = await readStaff(familyTenant(shop.companyId), teller, Date.now());
    const told = actor && (await readEntry(actor, { type: types[0], id: shift }));
    expect(told).toMatchObject({ companyId: shop.companyId });
  }
});

test('a key’s cursor is its own, comes by its rights, and ends when its company is another', async () => {
  const { director, companyId, branch } = await newFamilyWithBranch();
  await make('/company/stock/stock', director, { name: 'Main' });
  const { id, key, form } = await newProgramKey({ director, companyId }, RIGHTS);
  const copy = await new SyncReader(key, { types: ['stock.stock', 'product.brand'] }).catchUp();
  const theirs = await new SyncReader(director, { types: ['stock.stock'] }).catchUp();
  for (const [token, { cursor }] of [
    [key, theirs],
    [director, copy],
  ] as const) {
    const { status, body } = await call(`GET /company/sync?cursor=${cursor}`, { token });
    expect([status, Object.keys(Object(body).errors)]).toEqual([422, ['cursor']]);
  }
  expect((await call(`GET /company/sync?${typesQuery(['product.unit'])}`, { token: key })).status).toBe(403);
  const json = { ...form, company_id: branch };
  expect((await call(`PUT ${PROGRAM_KEYS}/${id}`, { token: director, json })).status).toBe(200);
  expect(await copy.ask()).toMatchObject(ENDED);
});

test('who loses the right to list a type is refused its cursor too: 403', async () => {
  const { companyId } = await newFamily();
  const place = { company_id: companyId, family_id: companyId };
  const role_id = await newRole({ type: 'employee', new_routes: RIGHTS, ...place });
  const { id, token } = await insertUser({ type: 'employee', role_id, ...place });
  const copy = await new SyncReader(token, { types: TYPES }).catchUp();
  const without = await newRole({ type: 'employee', new_routes: [], ...place });
  await transact([update(userKey(id), { set: { role_id: without } })]);
  expect((await copy.ask()).status).toBe(403);
});
