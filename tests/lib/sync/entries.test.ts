import { expect, test } from 'vitest';
import { readEntries } from '#lib/sync/entries.ts';
import { directorAs, newFamilyWithBranch } from '#tests/kit/family.ts';
import { make } from '#tests/kit/records.ts';
import { newWarehouse } from '#tests/kit/stock.ts';

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
    // The record's version, and that of its sums.
    { type: 'stock.supplier', id: supplier, revision: 2, record: { balances: { uzs: 0 } } },
    undefined,
  ]);
  const ofBranch = { ...directorAs(directorId, companyId, branch), companies: [branch] };
  const [hidden, known] = await readEntries({ actor: ofBranch, locale: 'ru', isBare: true }, asked);
  expect([hidden, known?.revision]).toEqual([undefined, 2]);
});
