import { expect, test } from 'vitest';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { newFamily, newFoundedFamily } from '#tests/support/family.ts';

/** Initial records of a family, by the words in keys. */
const TYPES = [
  ...['company', 'role', 'user', 'given-role', 'cashbox', 'cashbox-balance', 'company-rates'],
  ...['unit', 'service-unit', 'stock', 'stock-inflow', 'category', 'brand'],
];

/** Fields that are a family's own. */
const OWN =
  /^(pk|sk|id|(company|family|creator)_id|name|username|folded|(primary|sync|partner)_uuid|(created|updated)_at)$/;

async function itemsOf(companyId: number): Promise<object[][]> {
  const tenant = familyTenant(companyId);
  const items = await Promise.all(TYPES.map((type) => wholePartition(partition(type, tenant))));
  return items.map((list) =>
    list.map((item) => Object.fromEntries(Object.entries(item).filter(([field]) => !OWN.test(field)))),
  );
}

test('a family that tests begin with is what the platform founds', async () => {
  const at = Date.now();
  const [ours, founded] = await Promise.all([newFamily(at), newFoundedFamily(at)]);
  const [items, expected] = await Promise.all([itemsOf(ours.companyId), itemsOf(founded.companyId)]);
  expect(items).toEqual(expected);
  expect(expected.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
});
