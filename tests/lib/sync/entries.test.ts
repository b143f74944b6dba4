import { expect, test } from 'vitest';
import { readEntries } from '#lib/sync/entries.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { update } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { directorAs, newFamilyWithBranch } from '#tests/support/family.ts';
import { make } from '#tests/support/records.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';

test('a record is read as a caller sees it: with its revision, or not at all', async () => {
  const { director: token, directorId, companyId, branch } = await newFamilyWithBranch();
  const [stock, supplier] = await Promise.all([
    newWarehouse(token, 'Main'),
    make('/company/stock/supplier', token, { name: 'Ulgurji' }),
  ]);
  const asked = [
    { type: 'stock.stock', id: stock },
    { type: 'stock.supplier', id: supplier },
    { type: 'trade.sale', id: 999_999 },
  ] as const;
  const director = directorAs(directorId, companyId);
  const seen = await readEntries({ actor: director, locale: 'ru' }, asked);
  expect(seen).toMatchObject([
    { type: 'stock.stock', id: stock, revision: 1, is_deleted: false },
    // Version of the record, and of its counters.
    { type: 'stock.supplier', id: supplier, revision: 2, record: { balances: { uzs: 0 } } },
    undefined,
  ]);
  const ofBranch = { ...directorAs(directorId, companyId, branch), companies: [branch] };
  const [hidden, known] = await readEntries({ actor: ofBranch, locale: 'ru', isBare: true }, asked);
  expect([hidden, known?.revision]).toEqual([undefined, 2]);
});

test('a user who has moved to another family is synced as deleted, and is in no new replica', async () => {
  const { directorId, companyId } = await newFamilyWithBranch();
  const { id } = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const actor = directorAs(directorId, companyId);
  const [before] = await readEntries({ actor, locale: 'ru' }, [{ type: 'user.user', id }]);
  expect(before).toMatchObject({ is_deleted: false, record: { is_deleted: false } });
  const elsewhere = { company_id: 1_000_000, family_id: 1_000_000, version: 2 };
  await transact([update(recordKey('user', actor.tenant, id), { set: elsewhere })]);
  const [after] = await readEntries({ actor, locale: 'ru' }, [{ type: 'user.user', id }]);
  expect(after).toMatchObject({ is_deleted: true, revision: 2, record: { is_deleted: true } });
  const query = SyncQuery.parse({ types: ['user.user'] });
  const { data } = await sync({ actor, query, at: Date.now(), locale: 'ru' });
  const ids = data.map((entry) => entry.id);
  expect(ids).toContain(directorId);
  expect(ids).not.toContain(id);
});
